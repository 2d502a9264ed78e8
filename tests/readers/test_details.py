"""The second scan: an example of every reject, and never a person's place."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq

from tests.readers.helpers import examples, from_frame, ingest, write

HEADER = "uid,time,lon,lat"
GOOD = ["a,2024-01-01,12.5,41.9"] * 5


def test_lines_of_text_are_numbered_with_header_and_blank_lines(spark, tmp_path):
    path = write(
        tmp_path / "p.csv",
        HEADER,
        *GOOD,
        "",
        "a,soon,12.5,41.9",
        *GOOD,
        "a,later,12.5,41.9",
        "a,2024-01-01,200.123,41.9",
    )
    found = examples(ingest(spark, path))
    assert found["bad_time"] == (2, f"{path} line 8: 'soon'")
    assert found["coordinate_out_of_range"] == (
        1,
        f"{path} line 15: not in longitude -180..180, latitude -90..90 (EPSG:4326)",
    )


def test_lines_are_numbered_across_the_blocks_of_a_file(spark, tmp_path):
    path = write(tmp_path / "p.csv", HEADER, *GOOD * 2_000, "a,soon,12.5,41.9", *GOOD * 100)
    before = spark.conf.get("spark.sql.files.maxPartitionBytes")
    spark.conf.set("spark.sql.files.maxPartitionBytes", "65536")
    try:
        result = ingest(spark, path)
        assert result.frame.rdd.getNumPartitions() > 2
        assert examples(result)["bad_time"] == (1, f"{path} line 10002: 'soon'")
    finally:
        spark.conf.set("spark.sql.files.maxPartitionBytes", before)


def test_rows_of_parquet_are_numbered_within_their_file(spark, tmp_path):
    for name, bad in (("a", None), ("b", 7)):
        uid = pa.array([None if i == bad else i for i in range(10)], pa.int64())
        (tmp_path / "in").mkdir(exist_ok=True)
        pq.write_table(
            pa.table({"uid": uid, "time": ["2024-01-01"] * 10, "lon": [1.0] * 10, "lat": [1.0] * 10}),
            tmp_path / "in" / f"{name}.parquet",
            row_group_size=3,
        )
    assert examples(ingest(spark, tmp_path / "in")) == {"null_id": (1, f"{tmp_path}/in/b.parquet row 8")}


def test_the_first_file_gives_the_example(spark, tmp_path):
    for name in ("a", "b"):
        write(tmp_path / "in" / f"{name}.csv", HEADER, *GOOD, f"a,{name},12.5,41.9")
    assert examples(ingest(spark, tmp_path / "in")) == {"bad_time": (2, f"{tmp_path}/in/a.csv line 7: 'a'")}


def test_a_dataframe_has_values_and_no_row_numbers(spark):
    rows = [(1, "2024-01-01", 12.5, 41.9), (2, "soon", 12.5, 41.9), (3, "2024-01-01", 12.5, 95.0)]
    found = examples(
        from_frame(spark, spark.createDataFrame(rows, "uid int, time string, lon double, lat double"))
    )
    assert found["bad_time"] == (1, "'soon'")
    assert found["coordinate_out_of_range"][1].startswith("not in longitude")


def test_long_values_are_cut(spark, tmp_path):
    path = write(tmp_path / "p.csv", HEADER, *GOOD, f"a,{'x' * 500},12.5,41.9")
    assert examples(ingest(spark, path))["bad_time"][1].endswith(f"'{'x' * 60}'")
