"""Parts hold the same cellsets as rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

from movfair_spark.config.cellsets import CellsetsConfig
from movfair_spark.config.zonings import SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.stages.cellset_parts import in_parts, opened, packed, parts, split_cellsets
from movfair_spark.stages.cellsets import cellsets
from movfair_spark.stages.memberships import packed_memberships
from movfair_spark.stages.zonings import build
from tests.stages.frames import cellsets_frame
from tests.stages.stops_frame import HOUR, stops_frame

PLANAR = CoordinateSystem.parse("planar")


def plain(frame):
    return {
        (row["zoning_id"], uid): cells
        for row in frame.collect()
        for batch in opened(bytes(row["packed"]))
        for uid, cells in zip(batch["uid"].to_pylist(), batch["cells"].to_pylist(), strict=True)
    }


@pytest.fixture
def assigned(spark):
    rows = [(uid, k, k * HOUR, (k + 1) * HOUR, 60.0 * uid + k, 5.0) for uid in range(5) for k in range(3)]
    stops = stops_frame(spark, rows)
    layers = ZoningsConfig(layers=[SquareZonings(size_m=[50.0, 100.0], shifts=1, origin=(0.0, 0.0))])
    return cellsets(
        stops, build(layers, stops, PLANAR), CellsetsConfig(top_cells=2), "UTC", PLANAR, partitions=2
    )


def test_parts_and_table_agree(assigned):
    rows = {
        (row["zoning_id"], row["uid"]): row["cells"] for row in split_cellsets(assigned, [0, 1]).collect()
    }
    assert plain(in_parts(parts(assigned, [0, 1]))) == rows
    assert len(rows) == 10


def test_parts_of_the_kept_zonings_only(assigned):
    assert {zoning for zoning, _ in plain(in_parts(parts(assigned, [1])))} == {1}


def test_rows_become_parts(spark):
    frame = cellsets_frame(spark, {0: {9: [4, 2], 3: [8]}, 2: {9: [5], 7: []}})
    assert plain(in_parts(frame)) == {(0, 9): [4, 2], (0, 3): [8], (2, 9): [5]}


def test_memberships_of_parts_are_those_of_the_table(assigned):
    tested = pa.array([0, 2, 3])

    def of(frame):
        with packed_memberships(frame, tested, partitions=2) as found:
            return {row["zoning_id"]: bytes(row["packed"]) for row in found.collect()}

    assert of(parts(assigned, [0, 1])) == of(split_cellsets(assigned, [0, 1]))


def test_a_part_is_compressed():
    uids, cells = pa.array(range(1000)), pa.array([[7, 7, 7, 7]] * 1000, pa.list_(pa.int64()))
    assert len(packed(uids, cells)) < 16 * 1000  # 44 bytes a row as they are
