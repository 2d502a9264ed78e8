"""Broadcasts, job descriptions and Arrow collection on a live session."""

from __future__ import annotations

import pyarrow as pa
import pytest

from movfair_spark.fanout.broadcast import broadcast, slots
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.describe import KEY, described


def test_a_broadcast_ends_with_its_block(spark):
    with broadcast(spark, [3, 4]) as shared:
        assert shared.value == [3, 4]
    with pytest.raises(Exception, match=r"destroyed|Destroyed"):
        spark.range(2).rdd.map(lambda _: shared.value).collect()


def test_description_is_set_and_put_back(spark):
    context = spark.sparkContext
    with described(spark, "outer"), described(spark, "inner"):
        assert context.getLocalProperty(KEY) == "inner"
    assert context.getLocalProperty(KEY) is None


def test_slots_are_positive(spark):
    assert slots(spark) >= 1


def test_nullable_ids_stay_integers(spark):
    """SPARK-54962: a bigint beside a null became a float."""
    frame = spark.createDataFrame([(2**53 + 1,), (None,)], "uid bigint")
    table = to_arrow(frame)
    assert table.schema.field("uid").type == pa.int64()
    assert table["uid"].to_pylist() == [2**53 + 1, None]


def test_empty_frames_keep_their_schema(spark):
    table = to_arrow(spark.createDataFrame([], "uid string, outcome double"))
    assert (table.num_rows, table.column_names) == (0, ["uid", "outcome"])
