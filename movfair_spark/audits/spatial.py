"""Audit a model for unfairness by location (the spatial fairness paper).

``spatial(data, config)`` is a list of steps: points -> regions -> null -> evidence -> report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from movfair_spark.audits import spatial_steps as work
from movfair_spark.audits.given import Given, Paths
from movfair_spark.audits.loop import carry_out, manifest_of
from movfair_spark.audits.part import Part
from movfair_spark.audits.place import session_of, spark_frame
from movfair_spark.audits.result import Answer
from movfair_spark.audits.space import RunOptions
from movfair_spark.audits.spatial_report import verdict_of, write_report
from movfair_spark.audits.spatial_space import Space
from movfair_spark.config.load import build
from movfair_spark.config.spatial import SpatialConfig
from movfair_spark.config.zonings import PolygonZoning
from movfair_spark.errors import ConfigurationError
from movfair_spark.report.spatial import SpatialVerdict
from movfair_spark.runs import Run
from movfair_spark.runs.keys import fingerprint
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STEPS = (
    Part("points", 1, work.write_points, ("input",), ("rejects",)),
    Part("regions", 1, work.write_regions, ("polygons", "points"), ("layers",)),
    Part("null", 1, work.write_null, ("regions",), ("null_distribution",)),
    Part("evidence", 1, work.write_evidence, ("null",), ("evidence.parquet", "meanvar")),
    Part("report", 1, write_report, ("evidence",), ("verdict.txt", "evidence.geojson", "map.png")),
)


@dataclass(frozen=True, kw_only=True)
class Spatial(Answer):
    """What the audit found.

    Attributes
    ----------
    verdict : SpatialVerdict or None
        ``significant``, ``text``, ``data``; None when the audit ended before its report.
    evidence, meanvar, null_distribution : DataFrame or None
    rejects : DataFrame
        source, reason, rows, example.
    manifest, output
        See `Answer`.
    """

    verdict: SpatialVerdict | None
    evidence: DataFrame | None
    meanvar: DataFrame | None
    null_distribution: DataFrame | None
    rejects: DataFrame


def spatial(
    data: Paths | DataFrame | None,
    config: SpatialConfig | Mapping[str, Any],
    **options: Unpack[RunOptions],
) -> Spatial:
    """Tell whether outcomes depend on where people are, in which regions, and how sure that is.

    Parameters
    ----------
    data : path, list of paths, Spark or pandas DataFrame, or None
        Coordinates and outcomes, one row per person; None takes ``config.input.path``.
    config : SpatialConfig or mapping
    **options
        ``output, spark, until, start, by_content, observer``: see `RunOptions`.

    Returns
    -------
    Spatial

    Raises
    ------
    MovfairError
        Bad input or configuration: one message with value, limit and remedy.
    """
    resolved = config if isinstance(config, SpatialConfig) else build(SpatialConfig, config)
    session = session_of(options.get("spark"), data)
    given = Given.of(spark_frame(session, data), resolved.input.path)
    if given.missing:
        raise ConfigurationError(
            "input.path is missing", "set input.path in the configuration (or --set input.path=FILE)"
        )
    files, content = FileSystem(session), options.get("by_content", False)
    prints = {"input": given.fingerprint(files, content=content)}
    polygons = [layer.path for layer in resolved.regions if isinstance(layer, PolygonZoning)]
    if polygons:
        prints["polygons"] = fingerprint(files, polygons, content=content)
    space = Space(spark=session, config=resolved, given=given, fingerprints=prints)
    return carry_out(space, STEPS, _manifest, _assemble, strict=resolved.strict, **options)


def _manifest(space: Space, run: Run) -> dict[str, Any]:
    facts = space.done["points"].facts
    counts = {k: v for k, v in facts["counts"].items() if k not in ("min_x", "min_y", "max_x", "max_y")}
    answer = verdict_of(space.done.get("report"))
    return manifest_of(
        space,
        run,
        seeds={"scan.seed": space.config.scan.seed},
        rows={"points": {**counts, **facts["reasons"]}},
        memory={
            "points": "one Arrow batch per task",
            "regions, null": "on the driver and in every Python worker: 16 bytes per place, 4 per place and region it "
            "lies in (windows: and centre)",
        },
        verdict=None if answer is None else dict(answer.data),
    )


def _assemble(space: Space, run: Run, content: dict[str, Any]) -> Spatial:
    evidence, null = space.done.get("evidence"), space.done.get("null")
    return Spatial(
        verdict=verdict_of(space.done.get("report")),
        evidence=(
            space.spark.read.format("geoparquet").load(evidence.path("evidence.parquet"))
            if evidence
            else None
        ),
        meanvar=evidence.table("meanvar") if evidence else None,
        null_distribution=null.table("null_distribution") if null else None,
        rejects=space.done["points"].table("rejects"),
        manifest=content,
        output=run.folder,
    )
