"""``movfair spatial``: fairness by location, from points with outcomes to regions and a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from movfair_spark.cli.audits import run_audit
from movfair_spark.cli.options import AuditOptions, command
from movfair_spark.config.spatial import SpatialConfig

if TYPE_CHECKING:
    from movfair_spark.audits.spatial import Spatial


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    text = "Audit outcomes of people with one fixed place: whether they depend on location, and in which regions."
    app.command("spatial")(command(AuditOptions, _run, text))


def _run(options: AuditOptions) -> int:
    return run_audit(options, SpatialConfig, _audit)


def _audit(config: SpatialConfig, **how: Any) -> Spatial:
    from movfair_spark.audits.spatial import spatial

    return spatial(None, config, **how)
