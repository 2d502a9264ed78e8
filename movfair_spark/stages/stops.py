"""From fixes to stops, in one shuffle of the points (paper section 4.1, design section 2).

Counts of the rows that were set aside on the read travel along, so that rows read, kept and rejected are counted in
the same pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from movfair_spark.config.stops import StopsConfig
from movfair_spark.crs import BBox, CoordinateSystem
from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels.geo import EARTH_RADIUS_KM, EARTH_RADIUS_M, Space
from movfair_spark.kernels.skmob import NO_DATA_MINUTES
from movfair_spark.kernels.stops import NEVER, Rule, microseconds
from movfair_spark.kernels.stream import StopStream, default_stream, skmob_stream
from movfair_spark.kernels.strips import Merger
from movfair_spark.stages.person_runs import PersonRuns, count_rows, stop_rows
from movfair_spark.stages.stops_sedona import detect_with_sedona
from movfair_spark.stages.strips import STRIPS_AT_ONCE, counts_of, read_strips, strips_by_person
from movfair_spark.tables.rejects import REASONS
from movfair_spark.tables.stops import COUNT, KEPT, LARGEST_WINDOW, READ, STOP, detected_schema

SAME_TIME_RADIUS_M = 50.0


def detect_stops(
    points: DataFrame,
    config: StopsConfig,
    crs: CoordinateSystem,
    *,
    partitions: int,
    same_time_radius_m: float = SAME_TIME_RADIUS_M,
    bbox: BBox | None = None,
) -> DataFrame:
    """Find the stops of every person, and count the rows.

    Parameters
    ----------
    points : DataFrame
        uid (bigint or string), ts (bigint, microseconds since the epoch, UTC), x, y (double, in ``crs``), reason
        (tinyint, 0 = fine). Rows with another reason have no uid; they are counted and left out.
    config : StopsConfig
    crs : CoordinateSystem
        System of x and y: decides between haversine and Euclidean distances.
    partitions : int
        Tasks of the pass. The rows do not depend on it.
    same_time_radius_m : float
        Fixes of a person at one time that all lie within it of their median become one (default rule only).
    bbox : tuple, optional
        Box of the fixes in ``crs``; needed for projected systems only, and found by a scan when left out.

    Returns
    -------
    DataFrame
        Columns of :func:`movfair_spark.tables.stops.detected_schema`: stops, and partial counts of rows. Write it,
        then take it apart with :func:`split_stops`.

    Raises
    ------
    ConfigurationError
        ``compat: skmob`` with planar coordinates, which scikit-mobility would take for degrees.
    LimitError
        ``engine: sedona`` and a person has more fixes than ``sedona_max_fixes``.

    Notes
    -----
    With ``compat: skmob`` fixes at the same time keep the order in which Spark reads them: that of the input for a
    single file. In the default rule the order of the input changes nothing.
    """
    space = space_for(points, crs, bbox)
    if config.engine == "sedona":
        return detect_with_sedona(
            points, config, crs, space, partitions=partitions, same_time_radius_m=same_time_radius_m
        )
    rows = points.select("uid", "ts", "x", "y", F.col("reason").cast("tinyint").alias("reason"))
    uid_type = points.schema["uid"].dataType.simpleString()
    work = partial(_pass, _stream(config, space, crs, same_time_radius_m), config.compat == "skmob")
    return strips_by_person(rows, partitions).mapInArrow(work, detected_schema(uid_type))


def split_stops(detected: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Take the written frame of :func:`detect_stops` apart.

    Returns
    -------
    stops : DataFrame
        uid, stop_id, arrive, leave (timestamps), x, y, n_points.
    counts : DataFrame
        reason, rows: ``read``, ``kept``, ``duplicate``, ``merged``, each reject reason that occurred, and
        ``largest_window``. Rows read = kept + duplicate + merged + rejected.
    """
    stops = detected.where(F.col("kind") == STOP).select(
        "uid",
        "stop_id",
        F.timestamp_micros("arrive").alias("arrive"),
        F.timestamp_micros("leave").alias("leave"),
        "x",
        "y",
        "n_points",
    )
    rows = F.when(F.col("reason") == LARGEST_WINDOW, F.max("rows")).otherwise(F.sum("rows")).alias("rows")
    counts = detected.where(F.col("kind") == COUNT).groupBy("reason").agg(rows)
    return stops, counts


def space_for(points: DataFrame, crs: CoordinateSystem, bbox: BBox | None = None) -> Space:
    """Decide which distance is right for the points (design section 2, "Coordinates")."""
    if crs.is_geographic:
        wgs84 = crs.definition in ("EPSG:4326", "OGC:CRS84")
        return Space(EARTH_RADIUS_M, degrees=True, to_lonlat=None if wgs84 else crs.to_lonlat)
    if crs.is_planar:
        return Space(sphere=0.0, degrees=False)
    if crs.is_metric:
        box = bbox or _bbox(points)
        if box is None or crs.euclidean_ok(box):
            return Space(sphere=0.0, degrees=False)
    return Space(EARTH_RADIUS_M, degrees=False, to_lonlat=crs.to_lonlat)


def _bbox(points: DataFrame) -> BBox | None:
    fine = points.where(F.col("reason") == 0)
    box = fine.agg(F.min("x"), F.min("y"), F.max("x"), F.max("y")).first()
    return None if box is None or box[0] is None else (box[0], box[1], box[2], box[3])


def rule_of(config: StopsConfig) -> Rule:
    """Return the default rule with the configuration's limits."""
    gap = config.max_gap_minutes
    return Rule(
        radius=config.radius_m,
        min_us=max(microseconds(config.min_minutes), 1),
        max_gap_us=NEVER if gap is None else microseconds(gap),
        leave=config.leave,
        min_points=config.min_points,
    )


def _stream(
    config: StopsConfig, space: Space, crs: CoordinateSystem, same_time_radius_m: float
) -> Callable[[], StopStream]:
    if config.compat == "none":
        return partial(
            default_stream,
            rule_of(config),
            space,
            same_time_radius=same_time_radius_m,
            compress_radius=config.compress_m,
        )
    if crs.is_planar:
        raise ConfigurationError(
            "stops.compat = skmob takes coordinates for degrees, and these are planar",
            "Name the reference system of the coordinates (input.crs: EPSG:n) or leave compat out",
        )
    return partial(
        skmob_stream,
        config.radius_m / 1000.0,
        config.min_minutes,
        NO_DATA_MINUTES if config.max_gap_minutes is None else config.max_gap_minutes,
        Space(
            EARTH_RADIUS_KM,
            degrees=False,
            to_lonlat=space.to_lonlat or (None if crs.is_geographic else crs.to_lonlat),
        ),
        compress_km=None if config.compress_m is None else config.compress_m / 1000.0,
    )


def _pass(
    make_stream: Callable[[], StopStream], by_position: bool, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    stream, runs, merger = make_stream(), PersonRuns(), Merger(by_position=by_position)
    rejected = np.zeros(128, dtype=np.int64)
    uid_type = None
    for batch in batches:
        if batch.num_rows == 0:
            continue
        uid_type = batch.schema.field("uid").type
        if batch.column("uid").null_count:
            rejected += counts_of(batch)
            batch = batch.filter(pc.is_valid(batch.column("uid")))
        for start in range(0, batch.num_rows, STRIPS_AT_ONCE):
            part = batch.slice(start, STRIPS_AT_ONCE)
            stops = stream.push(merger.push(*read_strips(part, runs.number(part.column("uid")))))
            if stops.n:
                yield stop_rows(stops, runs)
    if uid_type is None:
        return
    for stops in (stream.push(merger.finish()), stream.finish()):
        if stops.n:
            yield stop_rows(stops, runs)
    yield count_rows(_counts(stream, rejected), uid_type)


def _counts(stream: StopStream, rejected: np.ndarray) -> dict[str, int]:
    rejects = {REASONS[int(code)]: int(rejected[code]) for code in np.flatnonzero(rejected[1:]) + 1}
    decided = stream.counts
    aside = sum(rejects.values())
    counts = {
        READ: stream.rows + aside,
        KEPT: stream.rows - sum(decided.values()),
        **decided,
        LARGEST_WINDOW: stream.largest_window,
    }
    for name, rows in rejects.items():
        counts[name] = counts.get(name, 0) + rows
    return counts
