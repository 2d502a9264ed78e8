"""The Normal statistic: exact values, perfect splits, bounds, weights, maxima."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.errors import ConfigurationError, InputError
from movfair_spark.kernels.worlds import permutation
from movfair_spark.models.normal import Normal, normal_scores
from movfair_spark.models.significance import exceeds, p_value, reaches
from tests.kernels.subsets import brute_force, cellset_lists, packed, rows


def by_fractions(values, weights, members):
    """(N/2) ln(SST/(SST - B)) with exact SST and B."""
    x, w = ([Fraction(float(v)) for v in column] for column in (values, weights))
    total = sum(w)
    mean = sum(a * b for a, b in zip(x, w, strict=True)) / total
    squares = sum(b * (a - mean) ** 2 for a, b in zip(x, w, strict=True))
    inside = sum(w[i] for i in members)
    s = sum(w[i] * (x[i] - mean) for i in members)
    if squares == 0 or len(members) == len(x):
        return 0.0
    share = s * s * total / (inside * (total - inside)) / squares
    return math.inf if share == 1 else -len(x) / 2 * math.log1p(-float(share))


@st.composite
def samples(draw):
    n = draw(st.integers(2, 12))
    values = draw(st.lists(st.integers(-40, 40).map(lambda v: v / 4), min_size=n, max_size=n))
    weights = (
        draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n))
        if draw(st.booleans())
        else None
    )
    members = draw(st.sets(st.integers(0, n - 1), min_size=1))
    return np.array(values), None if weights is None else np.array(weights), sorted(members)


@given(samples(), st.sampled_from([0.0, 1e9, -3e6]))
def test_statistic_agrees_with_exact_arithmetic(sample, shift):
    values, weights, members = sample
    ours = Normal(values + shift, "both", weights).statistic(members)
    truth = by_fractions(values, np.ones(len(values)) if weights is None else weights, members)
    assert ours == truth if math.isinf(truth) else ours == pytest.approx(truth, rel=1e-9, abs=1e-12)


@given(samples())
def test_directions_split_both(sample):
    values, weights, members = sample
    high, low, both = (Normal(values, d, weights).statistic(members) for d in ("high", "low", "both"))
    assert max(high, low) == both
    assert min(high, low) <= 1e-12


def test_perfect_split_of_two_values_is_infinite_and_ties():
    """SpatialEpi #41 (notes, report 16b): 2 of 70 labelings reach it."""
    values = np.array([1.0] * 4 + [0.0] * 4)
    model = Normal(values)
    assert model.statistic([0, 1, 2, 3]) == math.inf
    reached = 0
    for ones in combinations(range(8), 4):
        world = Normal(np.array([float(i in ones) for i in range(8)]))
        reached += reaches(max(world.statistic([0, 1, 2, 3]), world.statistic([4, 5, 6, 7])), math.inf)
    assert reached / 70 == pytest.approx(0.028571, abs=1e-6)
    counter = model.counter(model.worlds(1, range(999), observed=True), 1000)
    counter.walk(packed([{1}] * 4 + [{2}] * 4), 1)
    maxima = counter.maxima()
    p = p_value(maxima[-1], maxima[:-1])
    assert abs(p - 2 / 70) <= 4 * math.sqrt(2 / 70 * 68 / 70 / 999) + 1e-3


@pytest.mark.parametrize("values", [[0.1, 0.7], [1e9, 1e9 + 1], [0.3, 0.1 + 0.2]])
def test_two_values_split_perfectly_whatever_they_are(values):
    low, high = sorted(values)
    if low == high:
        pytest.skip("one value")
    model = Normal(np.array([high] * 3 + [low] * 5))
    assert model.statistic([0, 1, 2]) == model.statistic([3, 4, 5, 6, 7]) == math.inf
    assert math.isfinite(model.statistic([0, 1]))
    assert math.isfinite(model.statistic([0, 1, 2, 3]))


def test_three_values_never_split_infinitely():
    model = Normal(np.array([1.0, 1.0, 0.0, 0.0, 1e-9]))
    assert math.isfinite(model.statistic([0, 1]))


@pytest.mark.parametrize("values", [[2.0] * 6, [0.7] * 7, [1e300] * 3])
def test_equal_values_give_zero(values):
    model = Normal(np.array(values))
    assert model.nothing_to_test
    assert model.statistic([0, 1]) == 0.0
    counter = model.counter(model.worlds(1, range(9)), 9)
    counter.walk(packed([{1}] * 2 + [{2}] * (len(values) - 2)), 1)
    assert counter.maxima().tolist() == [0.0] * 9


@settings(max_examples=40)
@given(cellset_lists, st.integers(0, 99), st.sampled_from(["both", "high", "low"]), st.booleans())
def test_maxima_are_those_of_all_candidates_bit_for_bit(cellsets, seed, direction, weighted):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=len(cellsets)).round(1)
    weights = rng.uniform(0.5, 3, len(cellsets)) if weighted else None
    model = Normal(values, direction, weights)
    counter = model.counter(model.worlds(3, range(20), observed=True), 21)
    counter.walk(packed(cellsets), 2)
    counter.walk(packed(cellsets), 1, 2)
    candidates = list(brute_force(cellsets).values())
    ours = counter.maxima().tolist()
    for b in range(21):
        source = permutation(3, b, values) if b < 20 else np.arange(len(values))
        world = Normal(values[source], direction, None if weights is None else weights[source])
        truth = max((world.statistic(who) for who in candidates), default=0.0)
        assert ours[b] == truth


@settings(max_examples=40)
@given(cellset_lists, st.integers(0, 99), st.sampled_from(["both", "high", "low"]))
def test_bound_covers_every_small_candidate(cellsets, seed, direction):
    values = np.random.default_rng(seed).integers(0, 4, len(cellsets)).astype(float)
    model = Normal(values, direction)
    for s in (1, 2, 4):
        counter = model.counter(model.worlds(3, range(20), observed=True), 21)
        counter.walk(packed(cellsets), 1, s)
        assert not any(
            exceeds(float(value), model.support_bound(s)) for value in counter.maxima() if value > 0
        )


@pytest.mark.parametrize("direction", ["both", "high", "low"])
def test_bound_is_reached_by_the_largest_or_the_smallest_values(direction):
    values = np.array([0.0, 1.0, 1.5, 4.0, 9.0, 2.0, 2.5])
    model = Normal(values, direction)
    best = max(model.statistic(who) for m in (1, 2, 3) for who in combinations(range(7), m))
    assert model.support_bound(4) == pytest.approx(best, rel=1e-12)
    assert model.support_bound(1) == -math.inf


def test_weights_have_no_bound():
    model = Normal(np.array([1.0, 2.0, 3.0]), weights=np.array([1.0, 2.0, 1.0]))
    assert model.support_bound(2) == math.inf
    assert model.support_bound(1) == -math.inf


@settings(max_examples=40)
@given(cellset_lists, st.integers(0, 99), st.sampled_from([0.0, 0.5, 2.0]))
def test_evidence_is_every_candidate_above_the_threshold(cellsets, seed, threshold):
    values = np.random.default_rng(seed).normal(size=len(cellsets)).round(1)
    model = Normal(values)
    found = {}
    for part in model.evidence(packed(cellsets), threshold, 1, distinct=False):
        for (cells, who, _), value, mean in zip(
            rows(part.candidates), part.statistic, part.detail["mean_in"], strict=True
        ):
            found[cells] = (who, float(value))
            assert mean == pytest.approx(values[list(who)].mean(), abs=1e-12)
    truth = {cells: (who, model.statistic(who)) for cells, who in brute_force(cellsets).items()}
    assert found == {cells: row for cells, row in truth.items() if exceeds(row[1], threshold)}


def test_outliers_are_named_and_normal_scores_tame_them():
    values = np.random.default_rng(1).standard_t(2, 2000)
    plain, scored = Normal(values), Normal(normal_scores(values))
    assert plain.largest_single == pytest.approx(max(plain.statistic([i]) for i in range(2000)), rel=1e-15)
    assert plain.largest_single > 100 > 10 > scored.largest_single


def test_normal_scores_keep_order_and_ties():
    scores = normal_scores([3.0, 1.0, 3.0, 2.0])
    assert scores[0] == scores[2] == pytest.approx(0.674490, abs=1e-6)
    assert scores[1] == pytest.approx(-1.150349, abs=1e-6)
    assert scores[3] == pytest.approx(-0.318639, abs=1e-6)


def test_bad_values_are_refused():
    with pytest.raises(InputError, match="finite"):
        Normal(np.array([1.0, math.nan]))
    with pytest.raises(InputError, match="positive"):
        Normal(np.array([1.0, 2.0]), weights=np.array([1.0, 0.0]))
    with pytest.raises(ConfigurationError):
        Normal(np.array([1.0, 2.0]), "sideways")
