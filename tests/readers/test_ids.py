"""Ids keep type and value."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import types as T

from movfair_spark.errors import IdTypeError
from movfair_spark.readers import ids
from movfair_spark.readers.source import Field
from tests.readers.helpers import from_frame, ingest, kept, reasons, rows, write

STAMP = 1_704_100_000
BIG = 9_007_199_254_740_993


def parquet(path, uids, **columns):
    n = len(uids)
    pq.write_table(
        pa.table({"uid": uids, "time": [STAMP] * n, "lon": [12.5] * n, "lat": [41.9] * n, **columns}), path
    )
    return path


def uids(result) -> list:
    return [row[0] for row in kept(result)]


def test_ids_above_2_to_the_53_and_beside_a_null_stay_exact(spark, tmp_path):
    """SPARK-54962, SPARK-21766: [9007199254740993, NULL] keeps its id; the row without one is rejected."""
    path = parquet(tmp_path / "p.parquet", pa.array([BIG, None], pa.int64()))
    result = ingest(spark, path, time_unit="s")
    assert (result.uid_type, uids(result), reasons(result)) == ("int", [BIG], ["null_id"])


def test_leading_zeros_are_kept(spark, tmp_path):
    """trackintel #70, #131, #473: '007' and '7' are two people."""
    path = write(
        tmp_path / "p.csv",
        "uid,time,lon,lat",
        *(f"{u},2024-01-01,12.5,41.9" for u in ("007", "7", "NA", "None")),
    )
    result = ingest(spark, path)
    assert (result.uid_type, uids(result)) == ("string", ["007", "7", "NA", "None"])


def test_a_null_text_is_null_and_not_the_word_nan(spark):
    """SPARK-56310: [a, NULL] never becomes 'nan'."""
    frame = spark.createDataFrame(
        [("a", "2024-01-01", 12.5, 41.9), (None, "2024-01-01", 12.5, 41.9)],
        "uid string, time string, lon double, lat double",
    )
    result = from_frame(spark, frame)
    assert (uids(result), reasons(result)) == (["a"], ["null_id"])


@pytest.mark.parametrize(
    ("values", "uid_type", "expected"),
    [
        (pa.array([4_000_000_000], pa.uint32()), "int", [4_000_000_000]),
        (pa.array([18_446_744_073_709_551_615], pa.uint64()), "string", ["18446744073709551615"]),
        (pa.array([Decimal(BIG)], pa.decimal128(20, 0)), "string", [str(BIG)]),
        (pa.array(["07"]).dictionary_encode(), "string", ["07"]),
    ],
)
def test_types_of_parquet(spark, tmp_path, values, uid_type, expected):
    """trackintel #473, scikit-mobility 1.1: uint32, decimal and category ids keep their values."""
    result = ingest(spark, parquet(tmp_path / "p.parquet", values), time_unit="s")
    assert (result.uid_type, uids(result)) == (uid_type, expected)


def test_folder_names_are_not_retyped(spark, tmp_path):
    """A folder uid=012 is read back as 12 by Spark's own inference."""
    table = pa.table({"time": [STAMP], "lon": [12.5], "lat": [41.9]})
    for name in ("uid=012", "uid=9"):
        (tmp_path / "in" / name).mkdir(parents=True)
        pq.write_table(table, tmp_path / "in" / name / "part.parquet")
    assert uids(ingest(spark, tmp_path / "in", time_unit="s")) == ["012", "9"]


def test_folder_names_of_text_files_are_not_retyped(spark, tmp_path):
    write(tmp_path / "in" / "uid=012" / "a.csv", "time,lon,lat", "2024-01-01,12.5,41.9")
    assert uids(ingest(spark, tmp_path / "in")) == ["012"]


@pytest.mark.parametrize(
    ("kind", "wanted", "found"),
    [
        (T.IntegerType(), None, "int"),
        (T.IntegerType(), "string", "string"),
        (T.StringType(), None, "string"),
        (T.StringType(), "int", "int"),
        (T.DecimalType(18, 0), None, "int"),
        (T.DecimalType(20, 0), None, "string"),
        (T.DoubleType(), "int", "int"),
    ],
)
def test_the_type_of_the_ids(kind, wanted, found):
    assert ids.resolve(Field("uid", None, kind), wanted, "points") == found


@pytest.mark.parametrize(
    "kind", [T.DoubleType(), T.BooleanType(), T.DateType(), T.DecimalType(10, 2), T.BinaryType()]
)
def test_types_that_name_nobody_exactly_are_refused(kind):
    with pytest.raises(IdTypeError):
        ids.resolve(Field("uid", None, kind), None, "points")


def test_whole_floating_point_ids_are_taken_when_declared(spark, tmp_path):
    path = parquet(tmp_path / "p.parquet", pa.array([7.0, 7.5, 2.0**60, None, 8.0, 9.0, 10.0]))
    result = ingest(spark, path, time_unit="s", uid_type="int")
    assert (sorted(uids(result)), reasons(result)) == ([7, 8, 9, 10], ["bad_id", "bad_id", "null_id"])


def test_an_input_without_ids_is_one_person_when_declared(spark, tmp_path):
    """scikit-mobility #20, #23, #19: the same columns as with many people."""
    path = write(tmp_path / "p.csv", "time,lon,lat", "2024-01-01,12.5,41.9", "2024-01-02,12.5,41.9")
    result = ingest(spark, path, one_person="me")
    assert result.frame.columns == ["uid", "ts", "x", "y", "reason"]
    assert [row[0] for row in rows(result)] == ["me", "me"]
