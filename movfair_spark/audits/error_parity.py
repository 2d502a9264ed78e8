"""Audit a regression model: do its errors have the same distribution in all groups? (the error parity paper).

``error_parity(data, config)`` is a list of three steps: errors (the one scan of the input) -> tests -> report.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from movfair_spark.audits import error_parity_steps as work
from movfair_spark.audits.error_parity_steps import Space
from movfair_spark.audits.given import Given, Paths
from movfair_spark.audits.place import run_folder, session_of, spark_frame
from movfair_spark.config.error_parity import ErrorParityConfig
from movfair_spark.config.load import build
from movfair_spark.errors import ConfigurationError
from movfair_spark.report.error_parity_verdict import ErrorVerdict
from movfair_spark.runs import Run, Step, manifest
from movfair_spark.runs.run import Observer
from movfair_spark.session.filesystem import FileSystem
from movfair_spark.stages.rejects import refuse_rejects
from movfair_spark.tables.error_parity import SCHEMAS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

STEPS = ("errors", "tests", "report")
PUBLISHED = {
    "errors": ("rejects",),
    "tests": tuple(name for table in SCHEMAS for name in (table, f"{table}.csv")),
    "report": ("error_parity.md", "error_parity.html", "verdict.txt", "figures"),
}


@dataclass(frozen=True)
class ErrorParity:
    """What the audit found.

    Attributes
    ----------
    verdict : ErrorVerdict or None
        ``significant``, ``text``, ``data``; None when the audit ended before its report.
    groups, tests, pairs, distributions : DataFrame or None
        The result tables; None when the audit ended before them.
    rejects : DataFrame
        source, reason, rows, example.
    manifest : mapping
        What was asked, what went in, what came out (strict JSON values).
    output : str
        The run folder, qualified.
    """

    verdict: ErrorVerdict | None
    groups: DataFrame | None
    tests: DataFrame | None
    pairs: DataFrame | None
    distributions: DataFrame | None
    rejects: DataFrame
    manifest: Mapping[str, Any]
    output: str = field(default="")

    def summary(self) -> dict[str, Any]:
        """Give the verdict and where the files are, for machines."""
        return {
            "verdict": None if self.verdict is None else self.verdict.data,
            "output": self.output,
            "published": list(self.manifest["published"]),
            "rows": self.manifest["rows"],
        }


def error_parity(
    data: Paths | DataFrame | None,
    config: ErrorParityConfig | Mapping[str, Any],
    *,
    output: str | os.PathLike[str] | None = None,
    spark: SparkSession | None = None,
    until: str | None = None,
    start: str | None = None,
    by_content: bool = False,
    observer: Observer | None = None,
) -> ErrorParity:
    """Tell whether prediction errors have the same distribution in all groups, and if not, how they differ.

    Parameters
    ----------
    data : path, list of paths, Spark or pandas DataFrame, or None
        Predictions, truths and groups, one row per case; None takes ``config.input``.
    config : ErrorParityConfig or mapping
    output : path, optional
        Run folder: any path that Spark can write. Finished steps in it are used again. Without one the tables lie
        in a temporary folder that lives as long as this process.
    spark : SparkSession, optional
        By default that of a DataFrame, else the active one. Its settings are never changed.
    until, start : str, optional
        The last step to do; the first step to do again.
    by_content : bool
        Recognise input files by content instead of size and modification time.
    observer : Observer, optional
        Told when steps start and end.

    Returns
    -------
    ErrorParity

    Raises
    ------
    MovfairError
        Bad input or configuration: one message with value, limit and remedy.
    """
    resolved = config if isinstance(config, ErrorParityConfig) else build(ErrorParityConfig, config)
    session = session_of(spark, data)
    given = Given.of(spark_frame(session, data), resolved.input)
    if given.missing:
        raise ConfigurationError("input is missing", "set input in the configuration (or --set input=FILE)")
    space = Space(session, resolved, given, given.fingerprint(FileSystem(session), content=by_content))
    folder = run_folder(output, session)
    with Run(session, folder, STEPS, until=until, start=start, observer=observer) as run:
        for name in STEPS[: run.length]:
            space.done[name] = run.execute(_step(name, space))
            if name == "errors" and resolved.strict:
                refuse_rejects(space.done[name].table("rejects"))
        content = _manifest(space, run)
        run.publish(content)
        result = _assemble(space, run, content)
    return result


def _step(name: str, space: Space) -> Step:
    before = {"errors": [], "tests": ["errors"], "report": ["tests"]}[name]
    keys = [space.fingerprint.key] if name == "errors" else []
    return Step(
        name=name,
        version=1,
        parameters=lambda: work.parameters(name, space.config),
        inputs=lambda: [*keys, *(space.done[step].key for step in before)],
        work=lambda attempt: work.WORK[name](space, attempt),
        publishes=PUBLISHED[name],
    )


def _manifest(space: Space, run: Run) -> dict[str, Any]:
    from movfair_spark import __version__

    errors = space.done["errors"].facts
    answer = work.verdict_of(space.done.get("report"))
    notices = list(errors["notices"]) + list(
        space.done["tests"].facts["notices"] if "tests" in space.done else []
    )
    if space.fingerprint.key is None:
        notices.append("the input came as a DataFrame, which has no fingerprint: no step is used again")
    return manifest.build(
        space.spark,
        version=__version__,
        configuration=space.config.model_dump(mode="json"),
        seeds={"seed": space.config.seed},
        inputs={"input": space.fingerprint},
        steps=run.finished,
        rows={"input": errors["rows"]},
        published=run.published_names(),
        notices=notices,
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
