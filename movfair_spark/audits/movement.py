"""Audit a model for unfairness by movement pattern (the movement paper, end to end).

``audit(points, labels, config)`` is a list of steps; each reads the tables of those before it:

city (embedded default only) -> points (on request) -> stops -> cellsets -> population -> null -> evidence ->
candidates (on request) -> report
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from movfair_spark.audits import movement_steps as work
from movfair_spark.audits.given import Given, Paths
from movfair_spark.audits.part import Part
from movfair_spark.audits.place import run_folder, session_of
from movfair_spark.audits.result import Audit
from movfair_spark.audits.summary import assemble, manifest_of
from movfair_spark.audits.workspace import Workspace
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build
from movfair_spark.errors import ConfigurationError
from movfair_spark.runs import Run
from movfair_spark.runs.run import Observer
from movfair_spark.session.filesystem import FileSystem
from movfair_spark.stages.rejects import refuse_rejects

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

STEPS = (
    Part("city", 1, work.write_city, inputs=(), wanted=lambda space: space.simulated),
    Part(
        "points", 1, work.write_points, ("points", "study_area"), ("points",), lambda s: s.config.keep_points
    ),
    Part("stops", 1, work.write_stops, ("points", "study_area"), ("stops", "rejects")),
    Part("cellsets", 1, work.write_cellsets, ("stops", "polygons"), ("zonings", "cellsets")),
    Part("population", 1, work.write_population, ("cellsets", "labels"), ("rejects",)),
    Part("null", 1, work.write_null, ("population",), ("null_distribution",)),
    Part("evidence", 1, work.write_evidence, ("null",), ("evidence.parquet", "evidence_objects")),
    Part(
        "candidates",
        1,
        work.write_candidates,
        ("null",),
        ("candidates",),
        lambda s: s.config.scan.write_candidates,
    ),
    Part("report", 1, work.write_report, ("evidence",), ("verdict.txt", "evidence.geojson", "map.png")),
)
"""The steps in order: name, version (raised when its rules change), work, inputs, published names, when it is done."""


def audit(
    points: Paths | DataFrame | None,
    labels: Paths | DataFrame | None,
    config: AuditConfig | Mapping[str, Any] | None = None,
    *,
    output: str | os.PathLike[str] | None = None,
    spark: SparkSession | None = None,
    until: str | None = None,
    start: str | None = None,
    by_content: bool = False,
    observer: Observer | None = None,
) -> Audit:
    """Tell whether people with certain movement patterns get different outcomes, where, and how sure that is.

    Parameters
    ----------
    points : path, list of paths, DataFrame or None
        Trajectories (or stops, or check-ins: ``config.input.kind``); None takes ``config.input.path``, or the
        embedded city when ``config.city`` is set.
    labels : path, list of paths, DataFrame or None
        Ids and outcomes; None takes ``config.labels.path``, or the city's.
    config : AuditConfig or mapping, optional
        Recommended values when left out.
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
        Told when steps start and end; when it can be called as `fanout.progress.Progress`, also in between.

    Returns
    -------
    Audit

    Raises
    ------
    MovfairError
        Bad input or configuration: one message with value, limit and remedy.
    """
    resolved = config if isinstance(config, AuditConfig) else build(AuditConfig, config or {})
    session = session_of(spark, points, labels)
    files = FileSystem(session)
    given = Given.of(points, resolved.input.path), Given.of(labels, resolved.labels.path)
    _require_inputs(given, resolved)
    with ExitStack() as scope:
        space = Workspace(session, resolved, *given, scope)
        if callable(observer):
            space.progress = observer
        space.take_fingerprints(files, content=by_content)
        plan = [part for part in STEPS if part.wanted(space)]
        folder = run_folder(output, session)
        names = [part.name for part in plan]
        run = scope.enter_context(Run(session, folder, names, until=until, start=start, observer=observer))
        space.ahead = tuple(names[: run.length])
        for part in plan[: run.length]:
            space.done[part.name] = run.execute(part.step(space))
            if resolved.strict and "rejects" in part.publishes:
                refuse_rejects(space.done[part.name].table("rejects"))
        manifest = manifest_of(space, run)
        run.publish(manifest)
        return assemble(space, run, manifest)


def _require_inputs(given: tuple[Given, Given], config: AuditConfig) -> None:
    names = [name for name, each in zip(("input.path", "labels.path"), given, strict=True) if each.missing]
    if names and (config.city is None or len(names) == 1):
        raise ConfigurationError(
            f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} missing",
            f"set {names[0]} in the configuration (or --set {names[0]}=PATH)",
        )
