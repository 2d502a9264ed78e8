"""Write a simulated city: points, labels and the truth, as Spark tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.config.city import CityConfig
from movfair_spark.synth import outcomes, rows
from movfair_spark.synth.city import City, build
from movfair_spark.synth.pattern import Hotspot, Region, plant

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

POINTS = "uid bigint, ts timestamp, lon double, lat double"
LABELS = "uid bigint, outcome int"
PLANTED = "uid bigint, hotspot int"
REGIONS = "hotspot int, region int, wkt string"

_TASK_ROWS, _MANY_TASKS = 10_000_000, 16


@dataclass(frozen=True)
class Simulated:
    """Where the tables of a city lie: ``points``, ``labels``, ``planted`` (uid, hotspot) and ``regions`` (WKT)."""

    points: str
    labels: str
    planted: str
    regions: str


def points(spark: SparkSession, config: CityConfig, *, partitions: int | None = None) -> DataFrame:
    """Trajectories of a city, bad rows included.

    Parameters
    ----------
    spark : SparkSession
    config : CityConfig
    partitions : int, optional
        Number of tasks. When left out, one per 10 million rows in a large city (over 160 million rows), otherwise
        the session's default parallelism. The rows do not depend on it.

    Returns
    -------
    DataFrame
        ``uid bigint, ts timestamp, lon double, lat double`` (EPSG:4326).
    """
    cut = rows.Cut.of(config)

    def fill(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from rows.batches(config, cut[number])

    tasks = cut.rows // _TASK_ROWS
    return spark.range(0, len(cut), 1, partitions or (tasks if tasks >= _MANY_TASKS else None)).mapInArrow(
        fill, POINTS
    )


def labels(
    spark: SparkSession, config: CityConfig, planted: np.ndarray, *, partitions: int | None = None
) -> DataFrame:
    """Outcomes of everybody, and the bad labels that ``config.outcomes.bad_labels`` asks for.

    Parameters
    ----------
    spark : SparkSession
    config : CityConfig
    planted : ndarray of int64
        Ascending numbers of the people in the pattern.
    partitions : int, optional

    Returns
    -------
    DataFrame
        ``uid bigint, outcome int``. Bad rows: ``bad_labels`` people have a second row without an outcome, and as
        many rows name people who are in no trajectory.
    """
    people, bad = config.people, config.outcomes.bad_labels

    def fill(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            number = batch.column(0).to_numpy()
            unlabelled = number >= people + bad
            uid = np.where(unlabelled, (number - people - bad) % people, number)
            outcome = outcomes.draw(config, uid, planted).astype(np.int32)
            yield pa.RecordBatch.from_arrays(
                [pa.array(uid), pa.array(outcome, mask=unlabelled)], names=["uid", "outcome"]
            )

    return spark.range(0, people + 2 * bad, 1, partitions).mapInArrow(fill, LABELS)


def simulate(
    spark: SparkSession, config: CityConfig, output: str, *, partitions: int | None = None
) -> Simulated:
    """Simulate a city and write its tables under a folder, over any that are there.

    Parameters
    ----------
    spark : SparkSession
    config : CityConfig
    output : str
        Any path that Spark can write to.
    partitions : int, optional
        Number of tasks, hence of files.

    Returns
    -------
    Simulated
        Paths: ``points/``, ``labels/`` (Parquet or CSV as ``config.format`` says), ``truth/people/``,
        ``truth/regions/`` (Parquet). The pattern is written for a fair city too.

    Raises
    ------
    ConfigurationError
        No pattern of the wanted size exists in this city.
    """
    hotspots = plant(config)
    planted = np.unique(np.concatenate([hotspot.people for hotspot in hotspots]))
    paths = Simulated(
        f"{output}/points", f"{output}/labels", f"{output}/truth/people", f"{output}/truth/regions"
    )
    _write(points(spark, config, partitions=partitions), config, paths.points)
    _write(labels(spark, config, planted, partitions=1), config, paths.labels)
    members = [(int(uid), number) for number, hotspot in enumerate(hotspots) for uid in hotspot.people]
    spark.createDataFrame(members, PLANTED).coalesce(1).write.mode("overwrite").parquet(paths.planted)
    spark.createDataFrame(list(_regions(config, hotspots)), REGIONS).coalesce(1).write.mode(
        "overwrite"
    ).parquet(paths.regions)
    return paths


def _write(frame: DataFrame, config: CityConfig, path: str) -> None:
    if config.format == "csv":
        options = {"header": "true", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ssXXX"}
        frame.write.mode("overwrite").options(**options).csv(path)
    else:
        frame.write.mode("overwrite").parquet(path)


def _regions(config: CityConfig, hotspots: tuple[Hotspot, ...]) -> Iterator[tuple[int, int, str]]:
    city = build(config)
    for number, hotspot in enumerate(hotspots):
        for place, region in enumerate(hotspot.regions):
            yield number, place, _wkt(city, region)


def _wkt(city: City, region: Region) -> str:
    corners = region.corners()
    degrees = [
        f"{city.west + city.degrees_per_m_x * x:.7f} {city.south + city.degrees_per_m_y * y:.7f}"
        for x, y in [*corners, corners[0]]
    ]
    return f"POLYGON (({', '.join(degrees)}))"
