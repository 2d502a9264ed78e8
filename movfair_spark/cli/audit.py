"""``movfair audit`` and its parts: ``stops``, ``cellsets``, ``candidates``, ``scan`` do the same up to their step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from movfair_spark.cli.audits import run_audit
from movfair_spark.cli.options import AuditOptions, command
from movfair_spark.config.audit import AuditConfig

if TYPE_CHECKING:
    from movfair_spark.audits.movement import Audit


@dataclass(frozen=True)
class MovementOptions(AuditOptions):
    """What an audit by movement pattern takes besides."""

    all_subsets: Annotated[
        bool, typer.Option("--all-subsets", help="List every set of cells, not one per set of people.")
    ] = False


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    text = "Audit a model for unfairness by movement pattern, from points and labels to the verdict."
    app.command("audit")(command(MovementOptions, _run, text))
    for name, step, part in (
        ("stops", "stops", "Detect stops: the audit up to the tables stops and rejects."),
        ("cellsets", "cellsets", "Lay zonings over the stops: the audit up to the table cellsets."),
        ("candidates", "candidates", "Write all candidates above the support used."),
        ("scan", "evidence", "Test: the audit up to null_distribution and evidence, without reports."),
    ):
        app.command(name)(command(MovementOptions, _run, part, until=step))


def _run(options: MovementOptions) -> int:
    settings = ["scan.all_subsets=true"] if options.all_subsets else []
    if options.until == "candidates":
        settings.append("scan.write_candidates=true")
    given = replace(options, pairs=[*options.pairs, *settings])
    return run_audit(given, AuditConfig, _audit, _closing)


def _audit(config: AuditConfig, **how: Any) -> Audit:
    from movfair_spark.audits.movement import audit

    return audit(None, None, config, **how)


def _closing(result: Audit) -> str:
    """How well a planted pattern was found, and where the files are."""
    lines = []
    if "planted" in result.tables:
        from movfair_spark.evaluation.planted import retrieval_of_tables

        found = retrieval_of_tables(result.tables["planted"], result.tables["evidence_objects"])
        lines.append(f"Planted: {found.describe()}.")
    root = result.output.removeprefix("file://")
    lines.append(f"Files:   {root}: {', '.join(result.manifest['published'])}")
    if "map.png" in result.manifest["published"]:
        lines.append(f"Map:     {root}/map.png")
    return "\n".join(lines)
