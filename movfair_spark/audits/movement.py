"""Audit a model for unfairness by movement pattern (the movement paper, end to end).

``audit(points, labels, config)`` is a list of steps; each reads the tables of those before it:

city (embedded default only) -> points (on request) -> stops -> cellsets -> population -> null -> evidence ->
candidates (on request) -> report
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Unpack

from movfair_spark.audits import movement_steps as work
from movfair_spark.audits.given import Given, Paths
from movfair_spark.audits.loop import carry_out
from movfair_spark.audits.part import Part
from movfair_spark.audits.place import session_of
from movfair_spark.audits.result import Audit
from movfair_spark.audits.space import RunOptions
from movfair_spark.audits.summary import assemble, describe
from movfair_spark.audits.workspace import Workspace
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build
from movfair_spark.errors import ConfigurationError
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STEPS = (
    Part("city", 1, work.write_city, inputs=(), wanted=lambda space: space.simulated),
    Part(
        "points", 1, work.write_points, ("points", "study_area"), ("points",), lambda s: s.config.keep_points
    ),
    Part("stops", 1, work.write_stops, ("points", "study_area"), ("stops", "rejects")),
    Part("cellsets", 2, work.write_cellsets, ("stops", "polygons"), ("zonings", "cellsets")),
    Part("population", 2, work.write_population, ("cellsets", "labels"), ("labels", "rejects")),
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
    **options: Unpack[RunOptions],
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
    **options
        ``output, spark, until, start, by_content, observer``: see `RunOptions`.

    Returns
    -------
    Audit

    Raises
    ------
    MovfairError
        Bad input or configuration: one message with value, limit and remedy.
    """
    resolved = config if isinstance(config, AuditConfig) else build(AuditConfig, config or {})
    session = session_of(options.get("spark"), points, labels)
    files = FileSystem(session)
    given = Given.of(points, resolved.input.path), Given.of(labels, resolved.labels.path)
    _require_inputs(given, resolved)
    with ExitStack() as scope:
        space = Workspace(spark=session, config=resolved, points=given[0], labels=given[1], scope=scope)
        observer = options.get("observer")
        if callable(observer):
            space.progress = observer
        space.take_fingerprints(files, content=options.get("by_content", False))
        return carry_out(space, STEPS, describe, assemble, strict=resolved.strict, **options)


def _require_inputs(given: tuple[Given, Given], config: AuditConfig) -> None:
    names = [name for name, each in zip(("input.path", "labels.path"), given, strict=True) if each.missing]
    if names and (config.city is None or len(names) == 1):
        raise ConfigurationError(
            f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} missing",
            f"set {names[0]} in the configuration (or --set {names[0]}=PATH)",
        )
