"""The multinomial statistic: exact values, two classes, bounds, maxima, SaTScan."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels.worlds import class_codes, label_words
from movfair_spark.models import bernoulli, multinomial
from movfair_spark.models.multinomial import Multinomial, statistic
from movfair_spark.models.significance import exceeds
from tests.kernels.subsets import brute_force, cellset_lists, packed, rows


def by_decimals(counts, totals):
    with localcontext() as context:
        context.prec = 60

        def xlogx(x):
            return Decimal(int(x)) * Decimal(int(x)).ln() if x else Decimal(0)

        outside = [c - i for c, i in zip(totals, counts, strict=True)]
        likelihoods = sum(map(xlogx, [*counts, *outside, sum(totals)]))
        return float(likelihoods - sum(map(xlogx, [*totals, sum(counts), sum(outside)])))


@st.composite
def tables(draw, largest=2**27):
    totals = draw(st.lists(st.integers(0, largest), min_size=2, max_size=6).filter(lambda c: sum(c) > 0))
    return [draw(st.integers(0, c)) for c in totals], totals


@settings(max_examples=40)
@given(tables())
def test_relative_error_is_below_1e_13(table):
    exact = by_decimals(*table)
    assert abs(statistic(*table) - exact) <= 1e-13 * max(exact, 1e-30)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.data())
def test_two_classes_give_the_bernoulli_value_bit_for_bit(positives, negatives, data):
    p, q = data.draw(st.integers(0, positives)), data.draw(st.integers(0, negatives))
    other = bernoulli.statistic(p + q, p, positives + negatives, positives)
    assert statistic([q, p], [negatives, positives]) == other


@pytest.mark.parametrize(
    ("counts", "totals"), [([0, 0], [3, 4]), ([3, 4], [3, 4]), ([2, 0], [5, 0]), ([1, 2], [2, 4])]
)
def test_nothing_to_see_is_zero(counts, totals):
    assert statistic(counts, totals) == 0.0


def test_rarest_class_first_is_not_the_bound():
    totals = [3, 5, 92]
    assert statistic([3, 2, 0], totals) == pytest.approx(16.49, abs=0.005)
    assert multinomial.bound(5, totals) == pytest.approx(19.85, abs=0.005)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=4).filter(lambda c: sum(c) > 1), st.data())
def test_bound_is_the_largest_statistic_of_its_support(totals, data):
    n = data.draw(st.integers(1, sum(totals)))
    possible = [c for c in product(*(range(total + 1) for total in totals)) if sum(c) == n]
    largest = max(statistic(c, totals) for c in possible)
    assert multinomial.bound(n, totals) == pytest.approx(largest, rel=1e-12, abs=1e-12)


@settings(max_examples=40)
@given(cellset_lists, st.integers(2, 4), st.integers(0, 99), st.sampled_from([1, 70]))
def test_maxima_are_those_of_all_candidates_bit_for_bit(cellsets, classes, seed, n_worlds):
    codes = np.random.default_rng(seed).integers(0, classes, len(cellsets))
    model = Multinomial(codes, classes)
    counter = model.counter(model.worlds(3, range(n_worlds), observed=True), n_worlds + 1)
    counter.walk(packed(cellsets), 2)
    counter.walk(packed(cellsets), 1, 2)
    candidates = [list(who) for who in brute_force(cellsets).values()]
    worlds = [*(class_codes(3, b, codes) for b in range(n_worlds)), codes]
    truth = [
        max(
            (statistic(np.bincount(world[who], minlength=classes), model.totals) for who in candidates),
            default=0.0,
        )
        for world in worlds
    ]
    assert counter.maxima().tolist() == truth
    assert counter.n_candidates == len(candidates)


def test_more_than_1024_worlds():
    cellsets = [{i % 3, 3 + i % 5} for i in range(30)]
    model = Multinomial(np.arange(30) % 4, 4)
    counter = model.counter(model.worlds(3, range(1030)), 1030)
    counter.walk(packed(cellsets), 1)
    later = model.counter(model.worlds(3, range(1020, 1030)), 10)
    later.walk(packed(cellsets), 1)
    assert counter.maxima()[1020:].tolist() == later.maxima().tolist()


def test_two_classes_have_the_bernoulli_null():
    cellsets = [{i % 3, 3 + i % 5} for i in range(30)]
    labels = (np.arange(30) % 4 == 0).astype(np.uint8)
    two, binary = Multinomial(labels.astype(np.int64), 2), bernoulli.Bernoulli(labels)
    counters = [model.counter(model.worlds(5, range(50)), 50) for model in (two, binary)]
    for counter in counters:
        counter.walk(packed(cellsets), 1)
    assert counters[0].maxima().tolist() == counters[1].maxima().tolist()
    assert np.array_equal(two.worlds(5, range(50))[:, 16], label_words(5, range(50), labels)[:, 0])


@settings(max_examples=40)
@given(cellset_lists, st.integers(0, 99), st.sampled_from([0.0, 1.0, 3.0]))
def test_evidence_is_every_candidate_above_the_threshold(cellsets, seed, threshold):
    codes = np.random.default_rng(seed).integers(0, 3, len(cellsets))
    model = Multinomial(codes, 3)
    found = {}
    for part in model.evidence(packed(cellsets), threshold, 1, distinct=False):
        for (cells, who, _), value, counts in zip(
            rows(part.candidates), part.statistic, part.detail["observed"], strict=True
        ):
            found[cells] = (who, float(value), counts.tolist())
    truth = {}
    for cells, who in brute_force(cellsets).items():
        counts = np.bincount(codes[list(who)], minlength=3)
        value = statistic(counts, model.totals)
        if exceeds(value, threshold):
            truth[cells] = (who, value, counts.tolist())
    assert found == truth


def test_support_bound_never_decreases_and_starts_at_nothing():
    model = Multinomial(np.repeat([0, 1, 2], [3, 5, 92]), 3)
    values = [model.support_bound(s) for s in range(1, 12)]
    assert values[0] == -math.inf
    assert values == sorted(values)
    assert not model.nothing_to_test
    assert Multinomial(np.zeros(4, dtype=np.int64), 3).nothing_to_test


def test_too_many_classes():
    with pytest.raises(ConfigurationError, match="13 classes"):
        Multinomial(np.arange(13), 13)


def test_perfect_split_is_finite():
    """SaTScan degenerate m3: 16 ln 2."""
    assert statistic([8, 0, 0], [8, 4, 4]) == pytest.approx(16 * math.log(2), rel=1e-15)
