"""The table ``zonings`` and the guideline that no cell holds more than half of the people (paper 4.2)."""

from __future__ import annotations

import logging

import pytest

from movfair_spark.config.cellsets import CellsetsConfig
from movfair_spark.config.zonings import SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import ConfigurationError
from movfair_spark.stages.cell_shares import apply_share_limit, zonings_table
from movfair_spark.stages.cellsets import cellsets
from movfair_spark.stages.zonings import build
from tests.stages.stops_frame import HOUR, stops_frame

PLANAR = CoordinateSystem.parse("planar")


@pytest.fixture(scope="module")
def measured(spark):
    """Hundred people: 29 in one 100 m cell (twice each), the others each alone; all in one 100 km cell."""
    rows = [(uid, k, k * HOUR, (k + 1) * HOUR, 50.0, 50.0) for uid in range(29) for k in range(2)]
    rows += [(uid, 0, 0, HOUR, 50.0 + 200 * uid, 50.0) for uid in range(29, 100)]
    stops = stops_frame(spark, rows)
    config = ZoningsConfig(layers=[SquareZonings(size_m=[100.0, 100_000.0], shifts=1)])
    zonings = build(config, stops, PLANAR)
    assigned = cellsets(stops, zonings, CellsetsConfig(top_cells=1), "UTC", PLANAR, partitions=3).cache()
    return assigned, zonings, zonings_table(assigned, zonings).cache()


def limit(share, rule):
    return ZoningsConfig(max_cell_share=share, over_max_cell_share=rule)


def test_figures_count_people_not_stops(measured):
    rows = measured[2].collect()
    assert [(row.zoning_id, row.kind, row.size_m, row.shift_m, row.cells) for row in rows] == [
        (0, "square", 100.0, 0.0, 72),
        (1, "square", 100_000.0, 0.0, 1),
    ]
    assert [row.max_cell_share for row in rows] == [0.29, 1.0]


def test_exactly_the_share_is_not_over_it(measured):
    """rasbt/mlxtend #1191: 0.29 * 100 = 28.999999999999996, yet 29 of 100 is at most 29 %."""
    table = measured[2].where("zoning_id = 0")
    assert apply_share_limit(table, limit(0.29, "fail")) == [0]
    with pytest.raises(ConfigurationError, match="more than 0.28 of the people"):
        apply_share_limit(table, limit(0.28, "fail"))


def test_warn_drop_fail(measured, caplog):
    table = measured[2]
    with caplog.at_level(logging.WARNING):
        assert apply_share_limit(table, limit(0.5, "warn")) == [0, 1]
    assert "1 of 2 zonings" in caplog.text and "100000 m" in caplog.text
    assert apply_share_limit(table, limit(0.5, "drop")) == [0]
    with pytest.raises(ConfigurationError, match="1 of 2 zonings"):
        apply_share_limit(table, limit(0.5, "fail"))
    with pytest.raises(ConfigurationError, match="Every zoning would be dropped"):
        apply_share_limit(table, limit(0.2, "drop"))
