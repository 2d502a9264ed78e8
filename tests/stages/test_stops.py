"""The stops stage on Spark: one pass from points to stops and counts."""

from __future__ import annotations

import pytest
from pyspark.sql import functions as F

from movfair_spark.config.load import build
from movfair_spark.config.stops import StopsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels.geo import Space
from movfair_spark.stages.stops import detect_stops, space_for, split_stops
from movfair_spark.stages.strips import strips_by_person
from movfair_spark.tables.stops import stops_schema
from tests.kernels.tracks import LAT, LON, MINUTE, track
from tests.oracle import stops as oracle
from tests.stages.points_frame import PLANAR, WGS84, frame, many_rows, run

BIG = 9_007_199_254_740_993  # 2^53 + 1


@pytest.mark.parametrize("partitions", [1, 3, 8])
def test_equals_the_oracle_for_any_partitions(spark, partitions):
    rows = many_rows()
    expected = [
        tuple(stop) for stop in oracle.stops(rows, 50.0, 10 * MINUTE, max_gap_us=60 * MINUTE, degrees=False)
    ]
    kept, decided = oracle.resolve(rows, 50.0, degrees=False)
    points = frame(spark, [*rows, "null_id", "nan_coordinate", "nan_coordinate"]).repartition(partitions + 1)
    stops, counts = run(points, {"max_gap_minutes": 60}, PLANAR, partitions)
    assert stops == expected
    windows = oracle.stops(rows, 50.0, 0, max_gap_us=60 * MINUTE, degrees=False)
    assert counts.pop("largest_window") == max(window.n_points for window in windows)
    assert counts == {"read": len(rows) + 3, "kept": len(kept), "null_id": 1, "nan_coordinate": 2, **decided}
    assert counts["read"] == sum(rows for reason, rows in counts.items() if reason != "read")


def test_split_stops(spark):
    points = frame(spark, [*track((0, 0), (10, 0)), *track((0, 0), (12, 0), (12, 0), person=2), "null_time"])
    stops, counts = split_stops(detect_stops(points, StopsConfig(), WGS84, partitions=2))
    assert stops.schema == spark.createDataFrame([], stops_schema("bigint")).schema
    assert counts.dtypes == [("reason", "string"), ("rows", "bigint")]
    assert [row[0] for row in stops.select(F.unix_micros("leave")).orderBy("uid").collect()] == [
        10 * MINUTE,
        12 * MINUTE,
    ]
    found = {row.reason: row.rows for row in counts.collect() if row.rows}
    assert found == {"read": 6, "kept": 4, "duplicate": 1, "null_time": 1, "largest_window": 2}


@pytest.mark.parametrize("uid_type", ["bigint", "string"])
def test_no_points_give_a_typed_empty_table(spark, uid_type):
    """trackintel #551, movingpandas #101; SPARK-38833: empty input, empty partitions."""
    detected = detect_stops(frame(spark, [], uid_type), StopsConfig(), WGS84, partitions=4)
    assert detected.collect() == []
    assert split_stops(detected)[0].schema == spark.createDataFrame([], stops_schema(uid_type)).schema


def test_empty_partitions_and_people_without_stops(spark):
    """SPARK-38833 #36120: partitions without a row."""
    points = frame(spark, track((0, 0), person=1) + track((0, 0), (3, 900), person=2))
    assert run(points, partitions=8)[0] == []


def test_rows_that_are_all_set_aside(spark):
    stops, counts = run(frame(spark, ["bad_time"] * 5))
    assert stops == []
    assert (counts["read"], counts["kept"], counts["bad_time"]) == (5, 0, 5)


def test_bad_rows_beside_good_ones_leave_ids_alone(spark):
    """SPARK-54962 #53730, SPARK-21766: a null in the group turned bigint ids to doubles: 2^53 + 1 became 2^53."""
    points = frame(
        spark, [*track((0, 0), (10, 0), person=BIG), *track((0, 0), (12, 0), person=BIG - 1), "null_id"]
    )
    stops, counts = run(points, partitions=1)
    assert [stop[0] for stop in stops] == [BIG - 1, BIG]
    assert counts["null_id"] == 1


def test_text_ids_keep_leading_zeros(spark):
    """trackintel #70, #131, #473: '007' and '7' are two people."""
    rows = [(uid, *row[1:]) for uid in ("007", "7", "é") for row in track((0, 0), (10, 0))]
    assert [stop[0] for stop in run(frame(spark, rows, "string"))[0]] == ["007", "7", "é"]


def test_negative_ids(spark):
    rows = track((0, 0), (10, 0), person=-5) + track((0, 0), (10, 0), person=-(2**63))
    assert [stop[0] for stop in run(frame(spark, rows))[0]] == [-(2**63), -5]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Rome", "America/New_York", "Pacific/Apia"])
def test_instants_hold_in_every_session_time_zone(spark, zone):
    """SPARK-22395, SPARK-32123: 00:30Z to 01:30Z on 2024-10-27 lasts 3,600 s in every zone, Rome's too."""
    start = 1_729_989_000_000_000
    points = frame(spark, [(1, start, LON, LAT), (1, start + 3_600_000_000, LON, LAT)])
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        stops, _ = run(points)
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)
    assert [stop[2:4] for stop in stops] == [(start, start + 3_600_000_000)]


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_both_ansi_modes(spark, ansi):
    """apache/spark #56615: casts and arithmetic that fail or saturate by mode."""
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    try:
        stops, counts = run(frame(spark, [*track((0, 0), (10, 0)), "bad_id"]))
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)
    assert (len(stops), counts["bad_id"]) == (1, 1)


def test_small_arrow_batches_change_nothing(spark):
    rows = many_rows()
    expected = run(frame(spark, rows), crs=PLANAR)
    before = spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "7")
    try:
        found = run(frame(spark, rows), crs=PLANAR)
    finally:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", before)
    assert found == expected


def test_bad_rows_stay_where_they_were_read(spark):
    """A null id would be one giant group (notes on Spark, 2.1): only counts go on, one row per reading task."""
    bad = spark.range(0, 800, 1, 4).selectExpr(
        "CAST(NULL AS bigint) uid",
        "id ts",
        "CAST(NULL AS double) x",
        "CAST(NULL AS double) y",
        "CAST(1 AS tinyint) reason",
    )
    assert strips_by_person(bad, 8).count() == 4
    parts = detect_stops(bad, StopsConfig(), WGS84, partitions=8).where("reason = 'read'").collect()
    assert sum(row.rows for row in parts) == 800


def test_one_shuffle_of_the_points(spark):
    detected = detect_stops(frame(spark, track((0, 0), (10, 0))), StopsConfig(), WGS84, partitions=3)
    plan = detected._jdf.queryExecution().toString()
    assert plan[plan.index("== Physical Plan ==") :].count("Exchange") == 1


def test_strips_are_few_and_hold_all_fixes(spark):
    rows = [(person, t * MINUTE, 0.0, 0.0) for t in range(40) for person in range(5)]
    strips = strips_by_person(frame(spark, rows).coalesce(1), 2).collect()
    assert sorted(len(row.fixes) // 24 for row in strips) == [8] * 5 + [16] * 10
    assert sorted(row.position for row in strips) == list(range(15))


def test_compression_on_the_stage(spark):
    rows = track(
        *((t, 0) for t in range(0, 40, 2)), (42, 500), (44, 1000), *((t, 2000) for t in range(46, 80, 2))
    )
    assert [stop[2:4] for stop in run(frame(spark, rows), {"compress_m": 1})[0]] == [
        (0, 38 * MINUTE),
        (46 * MINUTE, 78 * MINUTE),
    ]


def test_projected_metres_are_euclidean(spark):
    utm = CoordinateSystem.parse("EPSG:26916")
    rows = [(1, t * MINUTE, 743_588.0 + x, 3_738_088.0) for t, x in ((0, 0.0), (10, 50.0), (11, 200.0))]
    assert [stop[4:] for stop in run(frame(spark, rows), crs=utm)[0]] == [(743_613.0, 3_738_088.0, 2)]


@pytest.mark.parametrize(
    ("epsg", "x", "y", "inside"),
    [(3857, -7_910_000.0, 5_210_000.0, 60.0), (2249, 775_000.0, 2_950_000.0, 160.0)],
)
def test_other_projected_systems_are_measured_on_the_ground(spark, epsg, x, y, inside):
    """50 units are 36.9 m in EPSG:3857 and 15.2 m in EPSG:2249 at Boston (design section 2)."""
    crs = CoordinateSystem.parse(f"EPSG:{epsg}")
    rows = [(1, t * MINUTE, x + east, y) for t, east in ((0, 0.0), (10, inside), (11, 900.0))]
    assert [stop[4] for stop in run(frame(spark, rows), crs=crs)[0]] == [x + inside / 2]


def test_the_space_of_each_kind_of_system(spark):
    points = frame(spark, [(1, 0, 500_000.0, 4_000_000.0)])
    assert space_for(points, WGS84) == Space()
    assert space_for(points, PLANAR) == Space(sphere=0.0, degrees=False)
    assert space_for(points, CoordinateSystem.parse("EPSG:32633")).sphere == 0.0
    assert space_for(points, CoordinateSystem.parse("EPSG:3857")).to_lonlat is not None
    assert space_for(points, CoordinateSystem.parse("EPSG:4269")).degrees


def test_skmob_mode_keeps_the_order_of_ties(spark):
    rows = [
        (1, 0, LON, LAT),
        (1, 0, LON + 0.00009, LAT),
        (1, 12 * MINUTE, LON + 1, LAT),
        (1, 13 * MINUTE, LON, LAT),
    ]
    forward = run(frame(spark, rows).coalesce(1), {"compat": "skmob"})
    backward = run(frame(spark, [rows[1], rows[0], *rows[2:]]).coalesce(1), {"compat": "skmob"})
    assert forward[0] == backward[0] == [(1, 0, 0, 12 * MINUTE, pytest.approx(LON + 0.000045), LAT, 2)]
    assert forward[1] == {
        "read": 4,
        "kept": 4,
        "duplicate": 0,
        "merged": 0,
        "conflicting_position": 0,
        "largest_window": 2,
    }


def test_skmob_mode_refuses_planar_coordinates(spark):
    with pytest.raises(ConfigurationError, match="planar"):
        run(frame(spark, []), {"compat": "skmob"}, PLANAR)


@pytest.mark.parametrize(
    "values",
    [
        {"compat": "skmob", "min_points": 2},
        {"engine": "sedona", "compat": "skmob"},
        {"engine": "sedona", "compress_m": 1},
    ],
)
def test_combinations_without_a_meaning_are_refused(values):
    with pytest.raises(ConfigurationError):
        build(StopsConfig, values)
