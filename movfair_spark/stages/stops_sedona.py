"""The ``sedona`` engine: the default stop rule as Spark SQL with ``ST_DistanceSphere``, without a Python worker.

An independent check of the compiled kernel: the same stops wherever no distance lies within 1e-6 m of the radius,
medians within 1e-9 degrees. A person's fixes stand in one array, so it is bounded by ``sedona_max_fixes``.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from movfair_spark.config.stops import StopsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import LimitError
from movfair_spark.kernels.geo import Space
from movfair_spark.kernels.stops import NEVER, microseconds
from movfair_spark.tables.rejects import REASONS
from movfair_spark.tables.stops import COUNT, DUPLICATE, KEPT, MERGED, READ, STOP, detected_schema

_WINDOW = "struct<begin:int, end:int, arrive:bigint, leave:bigint>"


def detect_with_sedona(
    points: DataFrame,
    config: StopsConfig,
    crs: CoordinateSystem,
    space: Space,
    *,
    partitions: int,
    same_time_radius_m: float,
) -> DataFrame:
    """Find stops by the default rule; see :func:`movfair_spark.stages.stops.detect_stops`.

    Raises
    ------
    LimitError
        A person has more fixes than ``sedona_max_fixes``.
    """
    fine = points.where(F.col("reason") == 0)
    most = fine.groupBy("uid").count().agg(F.max("count")).first()
    if most is not None and (most[0] or 0) > config.sedona_max_fixes:
        raise LimitError(
            f"a person has {most[0]} fixes, more than stops.sedona_max_fixes = {config.sedona_max_fixes}: "
            "the sedona engine holds all fixes of a person in one array",
            "Use stops.engine: kernel, which streams them, or raise the limit with the executors' memory",
        )
    moments = _moments(fine.repartition(partitions, "uid"), space, crs, same_time_radius_m)
    persons = (
        moments.where("near")
        .groupBy("uid")
        .agg(F.array_sort(F.collect_list(F.struct("ts", "x", "y", "lon", "lat"))).alias("fixes"))
    )
    stops = (
        persons.select("uid", "fixes", F.expr(_windows(config, space)).alias("windows"))
        .select("uid", F.expr(_located(space)).alias("stops"))
        .select("uid", F.posexplode("stops").alias("stop_id", "stop"))
        .select(F.lit(STOP).alias("kind"), "uid", "stop_id", "stop.*")
    )
    uid_type = points.schema["uid"].dataType.simpleString()
    empty = points.sparkSession.createDataFrame([], detected_schema(uid_type))
    frames = [stops, _decided_counts(moments), _reject_counts(points)]
    for frame in frames:
        empty = empty.unionByName(frame, allowMissingColumns=True)
    return empty


def _moments(fine: DataFrame, space: Space, crs: CoordinateSystem, radius_m: float) -> DataFrame:
    # One row per person and time: its places, their median, and whether all places lie near it.
    places = fine.groupBy("uid", "ts").agg(
        F.count("*").alias("rows"),
        F.sort_array(F.collect_set(F.expr("struct(x + 0D AS x, y + 0D AS y)"))).alias("places"),
    )
    medians = places.select(
        "uid",
        "ts",
        "rows",
        "places",
        F.expr(_median("places", "x", "places[0].x" if space.degrees else None)).alias("x"),
        F.expr(_median("places", "y", None)).alias("y"),
    )
    medians = medians.withColumn("at", F.expr(_measured("x", "y", space, crs)))
    far = f"exists(transform(places, p -> {_measured('p.x', 'p.y', space, crs)}), p -> {_distance('at', 'p', space)} > {radius_m!r}D)"
    return medians.select(
        "uid",
        "ts",
        "rows",
        F.size("places").alias("n"),
        "x",
        "y",
        F.col("at.lon").alias("lon"),
        F.col("at.lat").alias("lat"),
        F.expr(f"size(places) = 1 OR NOT {far}").alias("near"),
    )


def _measured(x: str, y: str, space: Space, crs: CoordinateSystem) -> str:
    # Coordinates between which distances are taken, as struct<lon, lat>.
    if space.to_lonlat is None:
        return f"struct({x} AS lon, {y} AS lat)"
    source = crs.definition if crs.srid else crs.crs.to_wkt("WKT1_GDAL")
    place = f"ST_Transform(ST_Point({x}, {y}), '{source}', 'EPSG:4326')"
    return f"struct(ST_X({place}) AS lon, ST_Y({place}) AS lat)"


def _distance(a: str, b: str, space: Space) -> str:
    places = f"ST_Point({a}.lon, {a}.lat), ST_Point({b}.lon, {b}.lat)"
    return f"ST_DistanceSphere({places}, {space.sphere!r}D)" if space.sphere else f"ST_Distance({places})"


def _windows(config: StopsConfig, space: Space) -> str:
    # Fold over the fixes in order. State: windows found, number of fixes seen, first fix of the open window (its
    # position, place and time), time of the last fix.
    gap = NEVER if config.max_gap_minutes is None else microseconds(config.max_gap_minutes)
    shortest = max(microseconds(config.min_minutes), 1)
    leave = "f.ts" if config.leave == "first_outside" else "s.seen"

    def closed(end: str) -> str:
        window = f"named_struct('begin', s.begin, 'end', s.i, 'arrive', s.arrive, 'leave', {end})"
        enough = f"{end} - s.arrive >= {shortest}L AND s.i - s.begin >= {config.min_points}"
        return f"IF({enough}, concat(s.found, array({window})), s.found)"

    def opened(found: str) -> str:
        return (
            f"named_struct('found', {found}, 'i', s.i + 1, 'begin', s.i, 'lon', f.lon, 'lat', f.lat, "
            "'arrive', f.ts, 'seen', f.ts)"
        )

    kept = (
        "named_struct('found', s.found, 'i', s.i + 1, 'begin', s.begin, 'lon', s.lon, 'lat', s.lat, "
        "'arrive', s.arrive, 'seen', f.ts)"
    )
    start = (
        f"named_struct('found', CAST(array() AS array<{_WINDOW}>), 'i', 0, 'begin', 0, 'lon', 0D, 'lat', 0D, "
        "'arrive', 0L, 'seen', 0L)"
    )
    return (
        f"aggregate(fixes, {start}, (s, f) -> CASE WHEN s.i = 0 THEN {opened('s.found')} "
        f"WHEN f.ts - s.seen > {gap}L THEN {opened(closed('s.seen'))} "
        f"WHEN {_distance('s', 'f', space)} > {config.radius_m!r}D THEN {opened(closed(leave))} "
        f"ELSE {kept} END, s -> {closed('s.seen')})"
    )


def _located(space: Space) -> str:
    inside = "slice(fixes, w.begin + 1, w.end - w.begin)"
    x = _median(inside, "x", "fixes[w.begin].x" if space.degrees else None)
    return (
        "transform(windows, w -> named_struct('arrive', w.arrive, 'leave', w.leave, "
        f"'x', {x}, 'y', {_median(inside, 'y', None)}, 'n_points', w.end - w.begin))"
    )


def _median(array: str, field: str, about: str | None) -> str:
    # Of a field of an array of structs; longitudes are unwrapped about one of them and wrapped again.
    value = f"v.{field}"
    if about is not None:
        value = (
            f"CASE WHEN v.{field} - {about} > 180D THEN v.{field} - 360D "
            f"WHEN v.{field} - {about} < -180D THEN v.{field} + 360D ELSE v.{field} END"
        )
    wrapped = (
        "m" if about is None else "CASE WHEN m >= 180D THEN m - 360D WHEN m < -180D THEN m + 360D ELSE m END"
    )
    # transform over an array of one element names a value, which would be computed once per mention otherwise.
    low, high = (
        "element_at(o, CAST((size(o) + 1) DIV 2 AS int))",
        "element_at(o, CAST(size(o) DIV 2 + 1 AS int))",
    )
    middle = f"transform(array(sort_array(transform({array}, v -> {value}))), o -> ({low} + {high}) / 2D)"
    return f"transform({middle}, m -> {wrapped})[0]"


def _decided_counts(moments: DataFrame) -> DataFrame:
    sums = moments.agg(
        F.expr("sum(IF(near, 1L, 0L))").alias(KEPT),
        F.expr("sum(rows - n)").alias(DUPLICATE),
        F.expr("sum(IF(near, n - 1L, 0L))").alias(MERGED),
        F.expr("sum(IF(near, 0L, CAST(n AS bigint)))").alias("conflicting_position"),
    )
    names = [KEPT, DUPLICATE, MERGED, "conflicting_position"]
    pairs = ", ".join(f"struct('{name}' AS reason, coalesce({name}, 0L) AS rows)" for name in names)
    return sums.select(F.expr(f"inline(array({pairs}))")).withColumn("kind", F.lit(COUNT))


def _reject_counts(points: DataFrame) -> DataFrame:
    names = ", ".join(f"{code}, '{name}'" for code, name in REASONS.items())
    by_reason = points.groupBy("reason").agg(F.count("*").alias("rows"))
    rejects = by_reason.where("reason <> 0").select(
        F.expr(f"element_at(map({names}), CAST(reason AS int))").alias("reason"), "rows"
    )
    read = by_reason.agg(F.expr("coalesce(sum(rows), 0L)").alias("rows")).withColumn("reason", F.lit(READ))
    return rejects.unionByName(read).withColumn("kind", F.lit(COUNT))
