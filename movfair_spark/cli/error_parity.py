"""``movfair error-parity``: group fairness of a regression model, from a table of predictions to the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from movfair_spark.cli.audits import run_audit
from movfair_spark.cli.options import AuditOptions, command
from movfair_spark.config.error_parity import ErrorParityConfig

if TYPE_CHECKING:
    from movfair_spark.audits.error_parity import ErrorParity


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    text = "Audit a regression model: whether its errors are distributed alike in all groups, and how they differ."
    app.command("error-parity")(command(AuditOptions, _run, text))


def _run(options: AuditOptions) -> int:
    return run_audit(options, ErrorParityConfig, _audit)


def _audit(config: ErrorParityConfig, **how: Any) -> ErrorParity:
    from movfair_spark.audits.error_parity import error_parity

    return error_parity(None, config, **how)
