"""The Bernoulli statistic: exact values, symmetry, bounds, limits, maxima."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels import extremes
from movfair_spark.kernels.worlds import bits_of, label_words
from movfair_spark.models import bernoulli
from movfair_spark.models.bernoulli import DIRECTIONS, Bernoulli, statistic
from movfair_spark.models.significance import exceeds
from tests.kernels.subsets import brute_force, cellset_lists, packed, rows

directions = st.sampled_from(sorted(DIRECTIONS))


def by_decimals(n: int, p: int, n_objects: int, positives: int) -> float:
    """The formula of the paper's appendix G with 60 digits."""
    with localcontext() as context:
        context.prec = 60

        def xlogx(x: int, total: int) -> Decimal:
            return Decimal(x) * (Decimal(x) / Decimal(total)).ln() if x else Decimal(0)

        def likelihood(successes: int, trials: int) -> Decimal:
            return xlogx(successes, trials) + xlogx(trials - successes, trials) if trials else Decimal(0)

        return float(
            likelihood(p, n) + likelihood(positives - p, n_objects - n) - likelihood(positives, n_objects)
        )


@st.composite
def tables(draw, largest=2**31 - 1):
    n_objects = draw(st.integers(2, largest))
    positives = draw(st.integers(1, n_objects - 1))
    n = draw(st.integers(1, n_objects))
    least, most = max(0, n - (n_objects - positives)), min(n, positives)
    near = min(max(n * positives // n_objects + draw(st.integers(-50, 50)), least), most)
    return n, draw(st.sampled_from([near, draw(st.integers(least, most))])), n_objects, positives


@given(tables())
def test_relative_error_is_below_1e_13(table):
    exact = by_decimals(*table)
    assert abs(statistic(*table) - exact) <= 1e-13 * max(exact, 1e-30)


@given(tables())
def test_exchanging_outcomes_or_sides_changes_no_bit(table):
    n, p, n_objects, positives = table
    value = statistic(*table)
    assert statistic(n, n - p, n_objects, n_objects - positives) == value
    if n < n_objects:
        assert statistic(n_objects - n, positives - p, n_objects, positives) == value


@given(tables())
def test_directions_split_both(table):
    n, p, n_objects, positives = table
    high, low = (statistic(*table, direction) for direction in ("high", "low"))
    assert statistic(*table) == max(high, low)
    assert min(high, low) == 0.0
    assert (high > 0) <= (p * n_objects > n * positives)


def test_products_beyond_32_bits():
    """scipy #7759, OnlineStatsBase.jl #43, numpy #20634 (notes, report 3a): n·P = 4,587,520,000."""
    assert statistic(65_536, 40_000, 131_072, 70_000) == pytest.approx(1539.139317, abs=5e-7)


@pytest.mark.parametrize(
    ("n", "p", "value"),
    [(1, 1, 1.001489), (1, 0, 0.547462), (4, 4, 6.730117), (6, 0, 6.730117), (9, 4, 0.547462), (10, 4, 0.0)],
)
def test_extreme_tables_are_finite(n, p, value):
    """SpatialEpi #41 (notes, report 16a): no NaN from 0·ln 0 or 0/0."""
    assert statistic(n, p, 10, 4) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize(
    "table", [(0, 0, 10, 4), (10, 4, 10, 4), (3, 0, 10, 0), (3, 3, 10, 10), (5, 2, 10, 4)]
)
def test_nothing_to_see_is_exactly_zero(table):
    assert statistic(*table) == 0.0


def test_perfect_split():
    assert statistic(6, 6, 12, 6) == pytest.approx(12 * math.log(2), rel=1e-15)


def test_equal_values_at_p_and_n_minus_p():
    # P = N/2: mirrored tables must tie whatever the size.
    for n_objects in (100, 10**7, 2 * 10**9):
        n = n_objects // 5
        assert statistic(n, n // 2 + 7, n_objects, n_objects // 2) == statistic(
            n, n - n // 2 - 7, n_objects, n_objects // 2
        )


@pytest.mark.parametrize(
    ("m", "value"),
    [
        (5, 4.58),
        (10, 9.16),
        (12, 11.0),
        (14, 12.83),
        (15, 13.75),
        (16, 14.66),
        (18, 16.50),
        (19, 17.41),
        (20, 18.33),
    ],
)
def test_bounds_at_the_size_of_the_paper(m, value):
    assert bernoulli.bound(m, 100_000, 60_000) == pytest.approx(value, abs=0.005)


def test_bound_is_not_always_increasing():
    assert bernoulli.bound(3, 20, 3) == pytest.approx(8.45, abs=0.005)
    assert bernoulli.bound(4, 20, 3) == pytest.approx(6.20, abs=0.005)
    assert bernoulli.support_bound(5, 20, 3) == bernoulli.bound(3, 20, 3)


@given(tables(largest=40), directions)
def test_bound_is_the_largest_statistic_of_its_support(table, direction):
    n, _, n_objects, positives = table
    possible = range(max(0, n - (n_objects - positives)), min(n, positives) + 1)
    values = [statistic(n, p, n_objects, positives, direction) for p in possible]
    assert bernoulli.bound(n, n_objects, positives, direction) == max(values)
    smaller = [bernoulli.bound(m, n_objects, positives, direction) for m in range(2, n)]
    assert bernoulli.support_bound(n, n_objects, positives, direction, 2) == max(smaller, default=-math.inf)


@settings(max_examples=40)
@given(tables(largest=40), directions, st.sampled_from([-1.0, 0.0, 0.3, 2.0, 8.0]))
def test_limits_say_what_exceeds_a_threshold(table, direction, threshold):
    n, _, n_objects, positives = table
    low, high = bernoulli.limits(n, threshold, n_objects, positives, direction)
    assert 0 <= low <= n and 0 <= high <= n
    for p in range(max(0, n - (n_objects - positives)), min(n, positives) + 1):
        assert (p < low or p > high) == exceeds(statistic(n, p, n_objects, positives, direction), threshold)


@settings(max_examples=40)
@given(cellset_lists, st.integers(0, 25), directions)
def test_maxima_are_those_of_all_candidates_bit_for_bit(cellsets, positives, direction):
    n_objects = len(cellsets)
    positives = min(positives, n_objects)
    words = label_words(1, range(70), np.arange(n_objects) < positives)
    bits = bits_of(words, range(70))
    found = extremes.scan(packed(cellsets), words, 1)
    ours = bernoulli.maxima(found, n_objects, positives, direction)[:70]
    candidates = [list(who) for who in brute_force(cellsets).values()]
    truth = [
        max(
            (statistic(len(w), int(bits[w, b].sum()), n_objects, positives, direction) for w in candidates),
            default=0.0,
        )
        for b in range(70)
    ]
    assert ours.tolist() == truth


@settings(max_examples=40)
@given(
    cellset_lists, st.integers(0, 2**25 - 1), directions, st.sampled_from([0.0, 0.5, 1.5, 3.0]), st.booleans()
)
def test_evidence_is_every_candidate_above_the_threshold(cellsets, labels, direction, threshold, distinct):
    model = Bernoulli(np.array([labels >> i & 1 for i in range(len(cellsets))], dtype=np.uint8), direction)
    truth = {}
    for cells, who in brute_force(cellsets).items():
        p = int(model.labels[list(who)].sum())
        value = statistic(len(who), p, model.n_objects, model.positives, direction)
        if exceeds(value, threshold):
            truth[cells] = (who, value, p)
    found = {}
    for part in model.evidence(packed(cellsets), threshold, 1, distinct=distinct):
        for (cells, who, _), value, p in zip(
            rows(part.candidates), part.statistic, part.detail["observed"], strict=True
        ):
            found[cells] = (who, float(value), int(p))
    if distinct:
        assert {value for value in found.values()} == {value for value in truth.values()}
    else:
        assert found == truth


def test_detail_of_evidence():
    model = Bernoulli(np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8))
    (part,) = model.evidence(packed([{1}, {1}, {1}, {2}, {2}, {2}]), 1.0, 1)
    assert part.direction.tolist() == [1, -1]
    assert {name: column.tolist() for name, column in part.detail.items()} == {
        "observed": [3, 0],
        "expected": [1.5, 1.5],
        "rate_in": [1.0, 0.0],
        "rate_out": [0.0, 1.0],
    }


def test_everybody_is_a_candidate_without_an_outside():
    model = Bernoulli(np.array([1, 0], dtype=np.uint8))
    (part,) = model.evidence(packed([{1}, {1}]), -1.0, 1)
    assert part.statistic.tolist() == [0.0]
    assert math.isnan(part.detail["rate_out"][0])


@pytest.mark.parametrize("n_worlds", [1, 63, 64, 65, 1024])
def test_observed_labels_are_one_more_world(n_worlds):
    labels = (np.arange(20) % 7 == 0).astype(np.uint8)
    model = Bernoulli(labels)
    words = model.worlds(3, range(n_worlds), observed=True)
    assert bits_of(words, n_worlds).tolist() == labels.tolist()
    assert np.array_equal(
        bits_of(words, range(n_worlds)), bits_of(model.worlds(3, range(n_worlds)), range(n_worlds))
    )


def test_unknown_direction():
    with pytest.raises(ConfigurationError, match="both, high and low"):
        Bernoulli(np.array([1, 0], dtype=np.uint8), "up")
