"""Rules that look at one row, and the checks of the first rows."""

from __future__ import annotations

from decimal import Decimal

import pytest

from movfair_spark.errors import CoordinatesError, EmptyTableError, InputError
from tests.readers.helpers import examples, from_frame, ingest, kept, reasons, rows, write

SCHEMA = "uid bigint, time string, lon double, lat double"
NAN = float("nan")


def points(spark, *values, schema=SCHEMA):
    return spark.createDataFrame(list(values), schema)


def test_nan_null_and_range_are_three_reasons(any_session):
    """apache/sedona #1874: lat = [NaN, 45.0, NULL, 91] keeps one row and counts three rejects."""
    frame = points(any_session, *((1, "2024-01-01", 12.5, lat) for lat in (NAN, 45.0, None, 91.0)))
    result = from_frame(any_session, frame)
    assert [row[3] for row in kept(result)] == [45.0]
    assert reasons(result) == ["coordinate_out_of_range", "nan_coordinate", "null_coordinate"]


def test_text_that_is_no_number_is_the_same_reject_in_every_mode(any_session):
    """apache/spark #56615, ANSI: '12.3x' and '12.3d' are rejected, on Spark 3.5 and 4 alike."""
    texts = ["12.3x", "12.3d", "0x1p3", "1,5", "12.5", "+1.25e1", " 12.5 ", ".5"]
    frame = points(
        any_session,
        *((1, "2024-01-01", t, "41.9") for t in texts),
        schema="uid int, time string, lon string, lat string",
    )
    result = from_frame(any_session, frame)
    assert sorted(row[2] for row in kept(result)) == [0.5, 12.5, 12.5, 12.5]
    assert reasons(result) == ["bad_coordinate"] * 4


def test_a_null_time_is_counted(spark):
    """databrickslabs/tempo #103: the row of a NULL time is in a report, never silently gone."""
    result = from_frame(spark, points(spark, (1, "2024-01-01 10:30", 12.5, 41.9), (1, None, 12.5, 41.9)))
    assert (len(rows(result)), reasons(result)) == (2, ["null_time"])


def test_null_island(spark):
    """trackintel #467, darktable #14550: empty coordinates read as 0 put fixes at (0, 0)."""
    frame = points(
        spark, (1, "2024-01-01", 0.0, 0.0), (1, "2024-01-01", 0.0, 51.5), (1, "2024-01-02", -0.0, 0.0)
    )
    assert reasons(from_frame(spark, frame)) == ["null_island", "null_island"]
    assert reasons(from_frame(spark, frame, null_island="keep")) == []
    assert reasons(from_frame(spark, frame, crs="planar")) == []


def test_both_ends_of_the_range_are_inside(spark):
    frame = points(spark, (1, "2024-01-01", 180.0, 90.0), (1, "2024-01-01", -180.0, -90.0))
    assert len(kept(from_frame(spark, frame))) == 2


def test_coordinates_of_other_types_are_exact(spark):
    frame = points(
        spark,
        (1, "2024-01-01", Decimal("12.500001"), 41),
        schema="uid int, time string, lon decimal(9,6), lat int",
    )
    assert [row[2:] for row in kept(from_frame(spark, frame))] == [(12.500001, 41.0)]


def test_the_first_fault_of_a_row_is_its_reason(spark):
    frame = points(
        spark,
        (None, None, NAN, 91.0),
        (1, None, NAN, 91.0),
        (1, "2024-01-01", NAN, 91.0),
        (1, "2024-01-01", 1.0, 2.0),
    )
    assert reasons(from_frame(spark, frame)) == ["nan_coordinate", "null_id", "null_time"]


def test_bad_rows_hold_nothing_but_their_reason(spark):
    frame = points(spark, (7, "2024-01-01", 12.5, 91.0), (7, "2024-01-01", 12.5, 41.0))
    assert (None, None, None, None, 8) in rows(from_frame(spark, frame))


@pytest.mark.parametrize("kind", ["points", "stops", "checkins"])
def test_an_empty_table_is_an_error_that_says_so(spark, kind):
    """trackintel #551, movingpandas #101, #120: no IndexError, no KeyError."""
    frame = spark.createDataFrame(
        [], "uid bigint, time timestamp, arrive timestamp, leave timestamp, lon double, lat double"
    )
    with pytest.raises(EmptyTableError, match="no rows"):
        from_frame(spark, frame, kind=kind)


def test_one_row_has_the_whole_schema(spark):
    frame = points(spark, (7, "2024-01-01", 12.5, 41.9))
    assert from_frame(spark, frame).frame.dtypes == [
        ("uid", "bigint"),
        ("ts", "bigint"),
        ("x", "double"),
        ("y", "double"),
        ("reason", "tinyint"),
    ]


def test_points_of_a_column_of_sedonas_own_type(spark):
    frame = spark.range(3).selectExpr(
        "id AS uid", "'2024-01-01' AS time", "ST_Point(12.5D + id, 41.9D) AS geometry"
    )
    assert [row[2] for row in kept(from_frame(spark, frame))] == [12.5, 13.5, 14.5]


def test_stops_as_the_input(spark, shared_data):
    """mobility.md section 4: 19,375 stays of 177 people, blank separated, with commas between date and time."""
    result = ingest(spark, shared_data / "geolife_stays" / "data.tsv.gz", kind="stops")
    found = kept(result)
    minutes = [(row[2] - row[1]) / 60e6 for row in found]
    inside = [row for row in found if 115.9 <= row[3] <= 116.9 and 39.6 <= row[4] <= 40.3]
    assert (len(found), len({row[0] for row in found}), reasons(result)) == (19_375, 177, [])
    assert (min(minutes), round(max(minutes))) == (0.5, 1587)
    assert (len(inside), len({row[0] for row in inside})) == (16_210, 168)


def test_garden_city_text_rows_equal_the_parquet_rows(spark, shared_data):
    """mobility.md section 4: the text file is the first local day, with -04:00 in its times."""
    folder = shared_data / "garden_city"
    text = kept(ingest(spark, folder / "partitioned_csv_2024-01-01_part-0.csv"))
    parquet = kept(ingest(spark, folder / "single_parquet_part-0.parquet", time_unit="s"))
    first, after = 1_704_081_600_000_000, 1_704_168_000_000_000  # 2024-01-01 and 02, 00:00 at UTC-4
    assert len(text) == 5_564
    assert text == [row for row in parquet if first <= row[1] < after]


def test_garden_city_in_web_mercator_is_the_same_points(spark, shared_data):
    folder = shared_data / "garden_city"
    settings = {"columns": {"uid": "gc_identifier"}, "crs": "EPSG:3857", "time_unit": "s"}
    result = ingest(spark, folder / "gc_data_long_*.parquet", **settings)
    found = kept(result)
    assert (len(found), len({row[0] for row in found})) == (7_474, 37)
    limited = ingest(spark, folder / "gc_data_long_*.parquet", max_accuracy_m=50, **settings)
    assert examples(limited)["accuracy_over_limit"][0] == 146


def test_planar_coordinates(spark, shared_data):
    path = shared_data / "garden_city" / "gc_3_stops.csv"
    naive = ingest(spark, path, crs="planar", columns={"time": "local_timestamp"})
    numbers = ingest(spark, path, crs="planar", columns={"time": "unix_timestamp"}, time_unit="s")
    assert kept(naive) == kept(numbers)
    assert len(kept(naive)) == 301


def test_few_bad_rows_never_refuse_a_file(spark, tmp_path):
    lines = [
        "uid,time,lon,lat",
        *["a,2024-01-01,12.5,41.9"] * 2,
        "a,2024-01-01,1250000,41",
        "b,2024-13-01,12.5,41.9",
    ]
    assert reasons(ingest(spark, write(tmp_path / "p.csv", *lines))) == [
        "bad_time",
        "coordinate_out_of_range",
    ]


def test_a_column_cannot_serve_twice(spark):
    with pytest.raises(InputError, match="taken for time and x"):
        from_frame(
            spark,
            points(spark, (1, "2024-01-01", 1.0, 1.0)),
            columns={"time": "lon", "x": "lon"},
            time_unit="s",
        )


def test_a_projected_system_without_the_place_on_earth_is_refused(spark):
    frame = points(spark, (1, "2024-01-01", 3.0e7, 3.0e7), (1, "2024-01-01", 3.1e7, 3.0e7))
    with pytest.raises(CoordinatesError, match="no place on Earth"):
        from_frame(spark, frame, crs="EPSG:32633")
