"""Stops and check-ins as the input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from movfair_spark.stages.given_stops import _pass, given_stops
from movfair_spark.stages.stops import split_stops

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = pa.schema(
    [
        ("uid", pa.int64()),
        ("arrive", pa.int64()),
        ("leave", pa.int64()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("reason", pa.int8()),
    ]
)
BAD = (None, None, None, None, None, 3)
ROWS = [
    (1, 10, 10, 0.0, 0.0, 0),
    (1, 10, 10, 0.0, 0.0, 0),
    (1, 10, 10, 5.0, 0.0, 0),
    (1, 20, 30, 0.0, 0.0, 0),
    (2, 20, 30, 0.0, 0.0, 0),
    (2, 20, 30, 0.0, 0.0, 0),
    (2**53 + 1, 0, 0, 1.0, 1.0, 0),
]


def _batches(rows: list, size: int) -> list[pa.RecordBatch]:
    parts = [rows[i : i + size] for i in range(0, len(rows), size)]
    return [
        pa.RecordBatch.from_pylist([dict(zip(SCHEMA.names, r, strict=True)) for r in part], schema=SCHEMA)
        for part in parts
    ]


def _run(rows: list, size: int) -> tuple[list[tuple], dict[str, int]]:
    found = [row for batch in _pass(iter(_batches(rows, size))) for row in batch.to_pylist()]
    stops = [(r["uid"], r["stop_id"], r["arrive"], r["x"]) for r in found if r["kind"] == "stop"]
    return stops, {r["reason"]: r["rows"] for r in found if r["kind"] == "count"}


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_stops_are_numbered_per_person_over_the_borders_of_batches(size: int) -> None:
    stops, _ = _run(ROWS, size)
    assert stops == [
        (1, 0, 10, 0.0),
        (1, 1, 10, 5.0),
        (1, 2, 20, 0.0),
        (2, 0, 20, 0.0),
        (2**53 + 1, 0, 0, 1.0),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_rows_read_are_kept_duplicate_or_rejected(size: int) -> None:
    _, counts = _run([BAD, BAD, *ROWS], size)
    assert counts == {"read": 9, "kept": 5, "duplicate": 2, "null_time": 2}


def test_an_empty_partition_gives_nothing() -> None:
    assert list(_pass(iter([]))) == []
    assert list(_pass(iter(_batches([], 1)))) == []


@pytest.mark.parametrize("partitions", [1, 3])
def test_the_table_is_that_of_detected_stops(spark: SparkSession, partitions: int) -> None:
    rows = [("007", *ROWS[0][1:]), ("7", *ROWS[3][1:]), ("007", *ROWS[1][1:]), BAD]
    frame = spark.createDataFrame(
        rows, "uid string, arrive long, leave long, x double, y double, reason byte"
    )
    stops, counts = split_stops(given_stops(frame, partitions=partitions))
    assert stops.columns == ["uid", "stop_id", "arrive", "leave", "x", "y", "n_points"]
    assert sorted((r.uid, r.stop_id, r.n_points) for r in stops.collect()) == [("007", 0, 1), ("7", 0, 1)]
    found = {r.reason: r["rows"] for r in counts.collect() if r["rows"]}
    assert found == {"read": 4, "kept": 2, "duplicate": 1, "null_time": 1}
