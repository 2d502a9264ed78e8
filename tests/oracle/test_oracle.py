"""The oracle itself, on values worked out by hand (notes, reports 1, 13 and 16)."""

from __future__ import annotations

import math
from datetime import datetime
from itertools import permutations

import pytest

from tests.oracle.cellsets import Grid, Stop, cellset, local_days
from tests.oracle.scan import bernoulli, candidates, p_value, ranked, scan


def micros(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1_000_000)


@pytest.mark.parametrize(
    ("n", "p", "value"),
    [(1, 1, 1.001489), (1, 0, 0.547462), (4, 4, 6.730117), (6, 0, 6.730117), (9, 4, 0.547462), (10, 4, 0.0)],
)
def test_likelihoods_of_report_16(n, p, value):
    """SpatialEpi #41: 0 ln 0 is 0, never NaN."""
    assert bernoulli(n, p, 10, 4) == pytest.approx(value, abs=5e-7)


def test_ties_count_in_report_1():
    """mlxtend #718: all 20 labelings enumerated, 2 of them reach the observed maximum."""
    everyone = [tuple(order) for order in permutations(range(6))]
    found = scan(
        {0: {i: [0 if i <= 3 else 1] for i in range(1, 7)}},
        {i: int(i <= 3) for i in range(1, 7)},
        lambda seed, b, n: everyone[b],
        n_simulations=len(everyone),
        alpha="0.11",
        seed=0,
    )
    assert [(row.statistic, row.n, row.direction) for row in found.evidence] == [
        (pytest.approx(6 * math.log(2)), 3, "high"),
        (pytest.approx(6 * math.log(2)), 3, "low"),
    ]
    assert found.evidence[0].p_value == pytest.approx((1 + 72) / 721)


def test_candidates_of_report_13():
    """mlxtend #690: no itemset has more support than one of its parts."""
    a, b, c = 1, 2, 3
    found = candidates({0: [a, b], 1: [a, c], 2: [c], 3: [a, b, c], 4: [a, b], 5: [a, a, a]})
    assert {cells: len(who) for cells, who in found.items()} == {
        (a,): 5, (b,): 3, (c,): 3, (a, b): 3, (a, c): 2, (b, c): 1, (a, b, c): 1,
    }  # fmt: skip
    assert len(set(found.values())) == 5


def test_p_value_counts_ties_and_infinities():
    assert p_value(2.0, [1.0, 2.0 - 1e-10, 3.0]) == 3 / 4
    assert p_value(math.inf, [1.0, math.inf]) == 2 / 3


def test_rank_ignores_noise_in_equal_statistics():
    rows = [(5.0, 1, (1,)), (5.0 + 1e-12, 2, (0,)), (7.0, 9, (3,)), (5.0, 1, (0, 4))]
    assert [row[1:] for row in ranked(rows)] == [(9, (3,)), (1, (0, 4)), (1, (1,)), (2, (0,))]


def test_days_are_local_and_half_open():
    night = Stop("a", micros("2024-05-01T22:00+00:00"), micros("2024-05-02T00:00+00:00"), 0, 0)
    assert len(local_days(night, "UTC")) == 1
    assert len(local_days(night, "Europe/Rome")) == 1
    evening = Stop("a", micros("2024-05-01T21:00+00:00"), micros("2024-05-01T23:00+00:00"), 0, 0)
    assert len(local_days(evening, "Europe/Rome")) == 2
    visit = Stop("a", micros("2024-05-02T00:00+00:00"), micros("2024-05-02T00:00+00:00"), 0, 0)
    assert len(local_days(visit, "UTC")) == 1


def test_ranking_by_days_dwell_visits_and_order():
    grid = Grid(10.0, 0, 1)
    hour = 3_600_000_000
    stops = [
        Stop("a", 0, hour, 5, 5),
        Stop("a", 48 * hour, 49 * hour, 5, 5),
        Stop("a", hour, 4 * hour, 15, 5),
        Stop("a", 5 * hour, 6 * hour, -5, 5),
        Stop("a", 6 * hour, 7 * hour, 25, 5),
    ]
    cells = [grid.cell(x, 5) for x in (5, 15, -5, 25)]
    assert cellset(stops, grid, 3, "UTC") == [(cells[0], 2), (cells[1], 1), (cells[2], 1)]


def test_cell_order_is_that_of_column_and_row():
    grid = Grid(10.0, 1, 2)
    cells = [grid.cell(x, y) for x, y in ((-5.1, 99), (-0.1, -5.1), (-0.1, 4.9), (5, -100))]
    assert cells == sorted(set(cells))
    assert grid.cell(4.999, 5) == grid.cell(-4.999, 5) == grid.cell(0, 14)
