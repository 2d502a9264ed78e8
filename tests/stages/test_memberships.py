"""Packed memberships are those of the cellsets, however the cellsets are spread."""

from __future__ import annotations

import pyarrow as pa
import pytest

from movfair_spark.kernels.memberships import from_bytes
from movfair_spark.stages import memberships as stage
from tests.stages.frames import cellsets_frame


def unpacked(frame):
    return {
        row["zoning_id"]: {
            int(o): sorted(m.cells[m.items[a:b]].tolist())
            for m in [from_bytes(bytes(row["packed"]))]
            for o, a, b in zip(m.objects, m.starts[:-1], m.starts[1:], strict=True)
        }
        for row in frame.collect()
    }


CELLSETS = {0: {9: [4, 2], 10: [2], 3: [8]}, 2: {9: [5], 4: [5, 6]}, 5: {3: [1]}, 7: {10: []}}


@pytest.mark.parametrize("partitions", [1, 3])
def test_tested_objects_only_by_number(spark, partitions):
    frame = cellsets_frame(spark, CELLSETS).repartition(partitions)
    with stage.packed_memberships(frame, pa.array([4, 9, 10]), partitions=partitions) as packed:
        assert unpacked(packed) == {0: {1: [2, 4], 2: [2]}, 2: {0: [5, 6], 1: [5]}}


def test_sizes_are_told(spark):
    with stage.packed_memberships(
        cellsets_frame(spark, CELLSETS), pa.array([3, 4, 9, 10]), partitions=2
    ) as packed:
        rows = {
            r["zoning_id"]: (r["objects"], r["cells"], r["best_support"], r["memberships"])
            for r in packed.collect()
        }
    assert rows == {0: (3, 3, 2, 5), 2: (2, 2, 2, 4), 5: (1, 1, 1, 1)}


def test_many_small_chunks(spark, monkeypatch):
    frame = cellsets_frame(spark, {0: {i: [i % 3, 7] for i in range(40)}}).repartition(3)
    with stage.packed_memberships(frame, pa.array(range(40)), partitions=1) as packed:
        assert unpacked(packed) == {0: {i: sorted([i % 3, 7]) for i in range(40)}}


def test_string_ids(spark):
    frame = cellsets_frame(spark, {0: {"b": [1], "a": [2], "x": [1]}}, "string")
    with stage.packed_memberships(frame, pa.array(["a", "b"]), partitions=1) as packed:
        assert unpacked(packed) == {0: {0: [2], 1: [1]}}


def test_nothing_in(spark):
    """SPARK-38833: empty partitions and empty inputs give empty tables with their schema."""
    frame = cellsets_frame(spark, {}).repartition(3)
    with stage.packed_memberships(frame, pa.array([1]), partitions=2) as packed:
        assert packed.collect() == []
        assert packed.columns == ["zoning_id", "objects", "cells", "best_support", "memberships", "packed"]
