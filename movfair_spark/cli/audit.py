"""``movfair audit`` and its parts: ``stops``, ``cellsets``, ``candidates``, ``scan`` do the same up to their step."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from movfair_spark.cli.command import DONE, EVIDENCE, Work, guarded, run
from movfair_spark.cli.configuration import load
from movfair_spark.cli.options import (
    Common,
    ConfigOption,
    CoresOption,
    FailOption,
    FromOption,
    JsonOption,
    LogOption,
    MemoryOption,
    OutputOption,
    SetOption,
    SparkOption,
    StrictOption,
    UntilOption,
)
from movfair_spark.config.audit import AuditConfig
from movfair_spark.errors import ConfigurationError

if TYPE_CHECKING:
    from movfair_spark.audits.movement import Audit

ByContent = Annotated[
    bool, typer.Option("--by-content", help="Recognise inputs by their content instead of size and time.")
]

AllSubsets = Annotated[
    bool, typer.Option("--all-subsets", help="List every set of cells, not one per set of people.")
]


def audit(
    config: ConfigOption = None,
    pairs: SetOption = None,
    output: OutputOption = None,
    as_json: JsonOption = False,
    strict: StrictOption = False,
    fail_on_evidence: FailOption = False,
    until: UntilOption = None,
    start: FromOption = None,
    by_content: ByContent = False,
    all_subsets: AllSubsets = False,
    log_file: LogOption = None,
    cores: CoresOption = "*",
    memory: MemoryOption = "4g",
    spark: SparkOption = None,
) -> None:
    """Audit a model for unfairness by movement pattern, from points and labels to the verdict."""
    given = (*(pairs or ()), *(["scan.all_subsets=true"] if all_subsets else []))
    common = Common(config, given, output, as_json, log_file, cores, memory, tuple(spark or ()))
    code = _execute(
        common, strict=strict, until=until, start=start, by_content=by_content, fail=fail_on_evidence
    )
    raise typer.Exit(code)


def _part(step: str, text: str, *settings: str) -> Callable[..., None]:
    """Make the command that ends with a step of the audit."""

    def command(
        config: ConfigOption = None,
        pairs: SetOption = None,
        output: OutputOption = None,
        as_json: JsonOption = False,
        strict: StrictOption = False,
        fail_on_evidence: FailOption = False,
        start: FromOption = None,
        by_content: ByContent = False,
        all_subsets: AllSubsets = False,
        log_file: LogOption = None,
        cores: CoresOption = "*",
        memory: MemoryOption = "4g",
        spark: SparkOption = None,
    ) -> None:
        given = (*(pairs or ()), *settings, *(["scan.all_subsets=true"] if all_subsets else []))
        common = Common(config, given, output, as_json, log_file, cores, memory, tuple(spark or ()))
        code = _execute(
            common, strict=strict, until=step, start=start, by_content=by_content, fail=fail_on_evidence
        )
        raise typer.Exit(code)

    command.__doc__ = text
    return command


stops = _part("stops", "Detect stops: the audit up to the tables stops and rejects.")
cellsets = _part("cellsets", "Lay zonings over the stops: the audit up to the table cellsets.")
candidates = _part("candidates", "Write all candidates above the support used.", "scan.write_candidates=true")
scan = _part("evidence", "Test: the audit up to null_distribution and evidence, without reports.")


def _execute(
    common: Common, *, strict: bool, until: str | None, start: str | None, by_content: bool, fail: bool
) -> int:
    def prepared() -> int:
        if common.output is None:
            raise ConfigurationError("--output is missing", "name the run folder: --output DIR")
        resolved = load(AuditConfig, common.config, common.pairs)
        if strict:
            resolved = resolved.model_copy(update={"strict": True})
        return run(common, lambda work: _audit(work, resolved))

    def _audit(work: Work, resolved: AuditConfig) -> int:
        from movfair_spark.audits import movement

        result = movement.audit(
            None,
            None,
            resolved,
            output=common.output,
            spark=work.spark,
            until=until,
            start=start,
            by_content=by_content,
            observer=work.console,
        )
        work.console.close()
        return _tell(result, common.json, fail)

    return guarded(prepared)


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


def _tell(result: Audit, as_json: bool, fail: bool) -> int:
    if as_json:
        print(json.dumps(result.summary(), indent=2, allow_nan=False, ensure_ascii=False))
    elif result.verdict is not None:
        print(f"{result.verdict.text}\n{_closing(result)}")
    significant = result.verdict is not None and result.verdict.significant
    return EVIDENCE if fail and significant else DONE
