"""Audit a regression model: do its errors have the same distribution in all groups? (the error parity paper).

``error_parity(data, config)`` is a list of three steps: errors (the one scan of the input) -> tests -> report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from movfair_spark.audits import error_parity_steps as work
from movfair_spark.audits.error_parity_steps import Space
from movfair_spark.audits.given import Given, Paths
from movfair_spark.audits.loop import carry_out, manifest_of
from movfair_spark.audits.part import Part
from movfair_spark.audits.place import session_of, spark_frame
from movfair_spark.audits.result import Answer
from movfair_spark.audits.space import RunOptions
from movfair_spark.config.error_parity import ErrorParityConfig
from movfair_spark.config.load import build
from movfair_spark.errors import ConfigurationError
from movfair_spark.report.error_parity_verdict import ErrorVerdict
from movfair_spark.runs import Run
from movfair_spark.session.filesystem import FileSystem
from movfair_spark.tables.error_parity import SCHEMAS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STEPS = (
    Part("errors", 1, work.write_errors, ("input",), ("rejects",)),
    Part(
        "tests",
        1,
        work.write_tests,
        ("errors",),
        tuple(name for table in SCHEMAS for name in (table, f"{table}.csv")),
    ),
    Part(
        "report",
        1,
        work.write_report,
        ("tests",),
        ("error_parity.md", "error_parity.html", "verdict.txt", "figures"),
    ),
)


@dataclass(frozen=True, kw_only=True)
class ErrorParity(Answer):
    """What the audit found.

    Attributes
    ----------
    verdict : ErrorVerdict or None
        ``significant``, ``text``, ``data``; None when the audit ended before its report.
    groups, tests, pairs, distributions : DataFrame or None
        The result tables; None when the audit ended before them.
    rejects : DataFrame
        source, reason, rows, example.
    manifest, output
        See `Answer`.
    """

    verdict: ErrorVerdict | None
    groups: DataFrame | None
    tests: DataFrame | None
    pairs: DataFrame | None
    distributions: DataFrame | None
    rejects: DataFrame


def error_parity(
    data: Paths | DataFrame | None,
    config: ErrorParityConfig | Mapping[str, Any],
    **options: Unpack[RunOptions],
) -> ErrorParity:
    """Tell whether prediction errors have the same distribution in all groups, and if not, how they differ.

    Parameters
    ----------
    data : path, list of paths, Spark or pandas DataFrame, or None
        Predictions, truths and groups, one row per case; None takes ``config.input``.
    config : ErrorParityConfig or mapping
    **options
        ``output, spark, until, start, by_content, observer``: see `RunOptions`.

    Returns
    -------
    ErrorParity

    Raises
    ------
    MovfairError
        Bad input or configuration: one message with value, limit and remedy.
    """
    resolved = config if isinstance(config, ErrorParityConfig) else build(ErrorParityConfig, config)
    session = session_of(options.get("spark"), data)
    given = Given.of(spark_frame(session, data), resolved.input)
    if given.missing:
        raise ConfigurationError("input is missing", "set input in the configuration (or --set input=FILE)")
    prints = given.fingerprint(FileSystem(session), content=options.get("by_content", False))
    space = Space(spark=session, config=resolved, given=given, fingerprints={"input": prints})
    return carry_out(space, STEPS, _manifest, _assemble, strict=resolved.strict, **options)


def _manifest(space: Space, run: Run) -> dict[str, Any]:
    answer = work.verdict_of(space.done.get("report"))
    return manifest_of(
        space,
        run,
        seeds={"seed": space.config.seed},
        rows={"input": space.done["errors"].facts["rows"]},
        memory={
            "errors": "one Arrow batch per task, times models and error metrics",
            "tests": (
                f"on the driver, per model, metric and sensitive column: distinct errors of at most "
                f"{space.config.max_exact_rows:,} rows, or {space.config.summary_values:,} values"
            ),
        },
        verdict=None if answer is None else dict(answer.data),
    )


def _assemble(space: Space, run: Run, content: dict[str, Any]) -> ErrorParity:
    tests = space.done.get("tests")
    table = {name: None if tests is None else tests.table(name) for name in SCHEMAS}
    return ErrorParity(
        verdict=work.verdict_of(space.done.get("report")),
        groups=table["error_groups"],
        tests=table["error_tests"],
        pairs=table["error_pairs"],
        distributions=table["error_distributions"],
        rejects=space.done["errors"].table("rejects"),
        manifest=content,
        output=run.folder,
    )
