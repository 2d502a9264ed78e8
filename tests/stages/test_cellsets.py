"""Cellsets of all zonings in one pass: against plain Python, whatever the partitions and the session's zone."""

from __future__ import annotations

import random
from datetime import timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from pyspark.sql import functions as F

from movfair_spark.config.cellsets import CellsetsConfig
from movfair_spark.config.zonings import SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.cells import pack, unpack
from movfair_spark.stages.cell_shares import zonings_table
from movfair_spark.stages.cellset_parts import split_cellsets
from movfair_spark.stages.cellsets import cellsets
from movfair_spark.stages.zonings import build
from tests.stages.stops_frame import EPOCH, HOUR, micros, stops_frame

PLANAR = CoordinateSystem.parse("planar")
WGS84 = CoordinateSystem.parse("EPSG:4326")


def squares(sizes, shifts=1, origin=(0.0, 0.0)):
    return ZoningsConfig(layers=[SquareZonings(size_m=sizes, shifts=shifts, origin=origin)])


def run(stops, config=None, *, crs=PLANAR, top=8, zone="UTC", partitions=3, zonings=None):
    zonings = zonings or build(config or squares([100.0]), stops, crs)
    assigned = cellsets(stops, zonings, CellsetsConfig(top_cells=top), zone, crs, partitions=partitions)
    table = split_cellsets(assigned, [z.zoning_id for z in zonings])
    return {(row.zoning_id, row.uid): (row.cells, row.days) for row in table.collect()}


def random_stops(seed: int, people: int = 12) -> list[tuple]:
    rng = random.Random(seed)
    start = micros("2024-10-25T00:00:00")
    rows = []
    for uid in range(people):
        for stop_id in range(rng.randint(1, 14)):
            arrive = start + rng.randint(0, 5 * 24) * HOUR // 2
            leave = arrive + rng.choice([0, 1, 2, 30, 60]) * HOUR // 2
            rows.append(
                (uid, stop_id, arrive, leave, rng.uniform(-150, 150), float(rng.choice([-50, 0, 50, 99.9])))
            )
    return rows


def oracle(rows, sizes, shifts, top, zone):
    """The paper's section 4.3 in plain Python."""
    answer = {}
    grids = [(size, i * size / shifts) for size in sizes for i in range(shifts)]
    for zoning_id, (size, shift) in enumerate(grids):
        table: dict = {}
        for uid, _, arrive, leave, x, y in rows:
            cell = (int(np.floor((x - shift) / size)), int(np.floor((y - shift) / size)))
            days, dwell, stops = table.setdefault((uid, cell), [set(), 0, 0])
            moment = arrive
            while True:
                days.add((EPOCH + timedelta(microseconds=moment)).astimezone(ZoneInfo(zone)).date())
                if moment >= leave - 1:
                    break
                moment = min(moment + HOUR // 4, leave - 1)
            table[(uid, cell)] = [days, dwell + leave - arrive, stops + 1]
        for uid in {row[0] for row in rows}:
            mine = {cell: value for (who, cell), value in table.items() if who == uid}
            order = sorted(mine, key=lambda c: (-len(mine[c][0]), -mine[c][1], -mine[c][2], c))[:top]
            ids = [int(pack(np.array([c]), np.array([r]))[0]) for c, r in order]
            answer[(zoning_id, uid)] = (ids, [len(mine[cell][0]) for cell in order])
    return answer


@pytest.mark.parametrize("partitions", [1, 3, 8])
def test_equal_to_plain_python_for_any_number_of_partitions(spark, partitions):
    rows = random_stops(1)
    shuffled = random.Random(2).sample(rows, len(rows))
    answer = run(
        stops_frame(spark, shuffled),
        squares([50.0, 120.0], 2),
        top=3,
        zone="Europe/Rome",
        partitions=partitions,
    )
    assert answer == oracle(rows, [50.0, 120.0], 2, 3, "Europe/Rome")


def test_small_arrow_batches_change_nothing(spark):
    rows = random_stops(3)
    key = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = spark.conf.get(key)
    spark.conf.set(key, "4")
    try:
        assert run(stops_frame(spark, rows), partitions=2) == oracle(rows, [100.0], 1, 8, "UTC")
    finally:
        spark.conf.set(key, before)


@pytest.mark.parametrize("session_zone", ["America/New_York", "Asia/Tokyo"])
def test_session_time_zone_does_not_matter(spark, session_zone):
    """SPARK-22395, SPARK-32123: days are those of time_zone, not of the session."""
    rows = random_stops(4)
    stops = stops_frame(spark, rows)
    spark.conf.set("spark.sql.session.timeZone", session_zone)
    try:
        assert run(stops, zone="Europe/Rome") == oracle(rows, [100.0], 1, 8, "Europe/Rome")
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_local_zone_changes_the_days(spark):
    """scikit-mobility #275, #15: 23:30-00:30 local is two local days, one UTC day."""
    rows = [(1, 0, micros("2024-06-10T21:30:00"), micros("2024-06-10T22:30:00"), 5.0, 5.0)]
    assert [days for _, days in run(stops_frame(spark, rows), zone="Europe/Rome").values()] == [[2]]
    assert [days for _, days in run(stops_frame(spark, rows), zone="UTC").values()] == [[1]]


@pytest.mark.parametrize("uid_type", ["bigint", "string"])
def test_ids_keep_type_and_value(spark, uid_type):
    """SPARK-54962: 2^53 + 1 stays itself; trackintel #70: '007' and '7' are two people."""
    ids = [2**53 + 1, 2**53, 7] if uid_type == "bigint" else ["007", "7", "zoë"]
    stops = stops_frame(spark, [(uid, 0, 0, HOUR, 1.0, 1.0) for uid in ids], uid_type)
    assert {uid for _, uid in run(stops)} == set(ids)


def test_no_stops_give_an_empty_typed_table(spark):
    """SPARK-38833: empty partitions and an empty table keep the schema."""
    one = stops_frame(spark, [("a", 0, 0, HOUR, 1.0, 1.0)], "string")
    zonings = build(squares([100.0]), one, PLANAR)
    assigned = cellsets(one.where("false"), zonings, CellsetsConfig(), "UTC", PLANAR, partitions=2)
    table = split_cellsets(assigned, [0])
    assert (
        table.schema.simpleString() == "struct<zoning_id:int,uid:string,cells:array<bigint>,days:array<int>>"
    )
    assert table.count() == 0
    assert zonings_table(assigned, zonings).collect()[0].cells == 0


def test_lonlat_stops_are_projected_by_pyproj(spark):
    lon, lat = -84.370163, 33.754902
    stops = stops_frame(spark, [(1, 0, 0, HOUR, lon, lat)])
    zonings = build(squares([100.0]), stops, WGS84)
    assert zonings[0].crs.definition == "EPSG:32616"
    ((cells, _),) = run(stops, crs=WGS84, zonings=zonings).values()
    x, y = WGS84.transform([lon], [lat], CoordinateSystem.parse("EPSG:32616"))
    assert [int(part[0]) for part in unpack(np.array(cells))] == [int(x[0] // 100), int(y[0] // 100)]


def test_cells_on_both_sides_of_the_antimeridian_are_adjacent(spark):
    """movingpandas #274, #299: 179.9999 and -179.9999 lie 22 m apart."""
    stops = stops_frame(spark, [(1, 0, 0, HOUR, 179.9999, 10.0), (2, 0, 0, HOUR, -179.9999, 10.0)])
    zonings = build(squares([10.0]), stops, WGS84)
    answer = run(stops, crs=WGS84, zonings=zonings)
    columns = [int(unpack(np.array(answer[(0, uid)][0]))[0][0]) for uid in (1, 2)]
    assert 1 <= columns[1] - columns[0] <= 3


def test_square_grid_equals_sedonas_join_on_the_same_grid(spark):
    """Away from the edges Sedona's join on the same squares gives the same cells as arithmetic."""
    rng = random.Random(5)
    rows = [(uid, 0, 0, HOUR, rng.uniform(-300, 300), rng.uniform(-300, 300)) for uid in range(300)]
    stops = stops_frame(spark, rows)
    ours = {uid: cells[0] for (_, uid), (cells, _) in run(stops, squares([60.0])).items()}
    grid = (
        spark.range(-6, 6)
        .crossJoin(spark.range(-6, 6).withColumnRenamed("id", "row"))
        .selectExpr(
            "id AS col",
            "row",
            "ST_PolygonFromEnvelope(id * 60.0D, row * 60.0D, (id + 1) * 60.0D, (row + 1) * 60.0D) AS g",
        )
    )
    joined = stops.join(F.broadcast(grid), F.expr("ST_Contains(g, ST_Point(x, y))")).select(
        "uid", "col", "row"
    )
    sedona = {row.uid: int(pack(np.array([row.col]), np.array([row.row]))[0]) for row in joined.collect()}
    assert ours == sedona


def test_one_shuffle_for_all_zonings(spark):
    stops = stops_frame(spark, random_stops(6))
    zonings = build(squares([50.0, 100.0, 200.0], 5), stops, PLANAR)
    plan = (
        cellsets(stops, zonings, CellsetsConfig(), "UTC", PLANAR, partitions=3)
        ._jdf.queryExecution()
        .toString()
    )
    physical = plan[plan.index("== Physical Plan ==") :]
    assert physical.count("Exchange") == 1


def test_one_record_holds_the_cellsets_of_many_people(spark):
    """Not a row per person and zoning: one per zoning and part of a task's people, until the table is written."""
    stops = stops_frame(spark, random_stops(8, people=40))
    zonings = build(squares([50.0, 100.0], 2), stops, PLANAR)
    assigned = cellsets(stops, zonings, CellsetsConfig(), "UTC", PLANAR, partitions=2)
    # A task gives its people in two parts: the last person of a batch is complete only when the task ends.
    assert assigned.where("kind = 'cellset'").count() <= 2 * 2 * 4
    assert split_cellsets(assigned, [0, 3]).groupBy("zoning_id").count().orderBy("zoning_id").collect() == [
        (0, 40),
        (3, 40),
    ]
