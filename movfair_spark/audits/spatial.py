"""Audit a model for unfairness by location (the spatial fairness paper).

``spatial(data, config)`` is a list of steps: points -> regions -> null -> evidence -> report.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from movfair_spark.audits import spatial_steps as work
from movfair_spark.audits.given import Given, Paths
from movfair_spark.audits.place import run_folder, session_of, spark_frame
from movfair_spark.audits.spatial_steps import Space
from movfair_spark.config.load import build
from movfair_spark.config.spatial import SpatialConfig
from movfair_spark.config.zonings import PolygonZoning
from movfair_spark.errors import ConfigurationError
from movfair_spark.report.spatial import SpatialVerdict
from movfair_spark.runs import Run, Step, manifest
from movfair_spark.runs.keys import fingerprint
from movfair_spark.runs.run import Observer
from movfair_spark.session.filesystem import FileSystem
from movfair_spark.stages.rejects import refuse_rejects

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

STEPS = ("points", "regions", "null", "evidence", "report")
PUBLISHED = {
    "points": ("rejects",),
    "regions": ("layers",),
    "null": ("null_distribution",),
    "evidence": ("evidence.parquet", "meanvar"),
    "report": ("verdict.txt", "evidence.geojson", "map.png"),
}
_BEFORE = {
    "points": (),
    "regions": ("points",),
    "null": ("regions",),
    "evidence": ("null",),
    "report": ("evidence",),
}


@dataclass(frozen=True)
class Spatial:
    """What the audit found.

    Attributes
    ----------
    verdict : SpatialVerdict or None
        ``significant``, ``text``, ``data``; None when the audit ended before its report.
    evidence, meanvar, null_distribution : DataFrame or None
    rejects : DataFrame
        source, reason, rows, example.
    manifest : mapping
    output : str
        The run folder, qualified.
    """

    verdict: SpatialVerdict | None
    evidence: DataFrame | None
    meanvar: DataFrame | None
    null_distribution: DataFrame | None
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


def spatial(
    data: Paths | DataFrame | None,
    config: SpatialConfig | Mapping[str, Any],
    *,
    output: str | os.PathLike[str] | None = None,
    spark: SparkSession | None = None,
    until: str | None = None,
    start: str | None = None,
    by_content: bool = False,
    observer: Observer | None = None,
) -> Spatial:
    """Tell whether outcomes depend on where people are, in which regions, and how sure that is.

    Parameters
    ----------
    data : path, list of paths, Spark or pandas DataFrame, or None
        Coordinates and outcomes, one row per person; None takes ``config.input.path``.
    config : SpatialConfig or mapping
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
    Spatial

    Raises
    ------
    MovfairError
        Bad input or configuration: one message with value, limit and remedy.
    """
    resolved = config if isinstance(config, SpatialConfig) else build(SpatialConfig, config)
    session = session_of(spark, data)
    given = Given.of(spark_frame(session, data), resolved.input.path)
    if given.missing:
        raise ConfigurationError(
            "input.path is missing", "set input.path in the configuration (or --set input.path=FILE)"
        )
    files = FileSystem(session)
    prints = {"input": given.fingerprint(files, content=by_content)}
    polygons = [layer.path for layer in resolved.regions if isinstance(layer, PolygonZoning)]
    if polygons:
        prints["polygons"] = fingerprint(files, polygons, content=by_content)
    space = Space(session, resolved, given, prints)
    folder = run_folder(output, session)
    with Run(session, folder, STEPS, until=until, start=start, observer=observer) as run:
        for name in STEPS[: run.length]:
            space.done[name] = run.execute(_step(name, space))
            if name == "points" and resolved.strict:
                refuse_rejects(space.done[name].table("rejects"))
        content = _manifest(space, run)
        run.publish(content)
        result = _assemble(space, run, content)
    return result


def _step(name: str, space: Space) -> Step:
    own = {"points": ("input",), "regions": ("polygons",)}.get(name, ())
    keys = [space.fingerprints[each].key for each in own if each in space.fingerprints]
    return Step(
        name=name,
        version=1,
        parameters=lambda: work.parameters(name, space.config),
        inputs=lambda: [*keys, *(space.done[step].key for step in _BEFORE[name])],
        work=lambda attempt: work.WORK[name](space, attempt),
        publishes=PUBLISHED[name],
    )


def _manifest(space: Space, run: Run) -> dict[str, Any]:
    from movfair_spark import __version__

    facts = space.done["points"].facts
    counts = {k: v for k, v in facts["counts"].items() if k not in ("min_x", "min_y", "max_x", "max_y")}
    answer = work.verdict_of(space.done.get("report"))
    notices = [text for step in space.done.values() for text in step.facts["notices"]]
    if space.fingerprints["input"].key is None:
        notices.append("the input came as a DataFrame, which has no fingerprint: no step is used again")
    return manifest.build(
        space.spark,
        version=__version__,
        configuration=space.config.model_dump(mode="json"),
        seeds={"scan.seed": space.config.scan.seed},
        inputs=space.fingerprints,
        steps=run.finished,
        rows={"points": {**counts, **facts["reasons"]}},
        published=run.published_names(),
        notices=notices,
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
        verdict=work.verdict_of(space.done.get("report")),
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
