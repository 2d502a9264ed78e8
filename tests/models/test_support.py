"""Lowering the support changes nothing, and says what it left open when it is stopped."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.worlds import bits_of
from movfair_spark.models import support
from movfair_spark.models.bernoulli import DIRECTIONS, Bernoulli, statistic, support_bound
from movfair_spark.models.significance import exceeds, p_value
from tests.kernels.subsets import brute_force, cellset_lists, packed

N_WORLDS = 39


def scan(model, words, m, ranges):
    counter = model.counter(words, N_WORLDS + 1)
    for low, high in ranges:
        counter.walk(m, low, high)
    maxima = counter.maxima()
    return maxima[:N_WORLDS], float(maxima[N_WORLDS])


@settings(max_examples=50)
@given(cellset_lists, st.integers(0, 25), st.sampled_from(sorted(DIRECTIONS)), st.integers(1, 2))
def test_with_and_without_the_bound_bit_for_bit(cellsets, positives, direction, min_support):
    m = packed(cellsets)
    model = Bernoulli((np.arange(len(cellsets)) < positives).astype(np.uint8), direction)
    words = model.worlds(5, range(N_WORLDS), observed=True)

    def bound(s):
        return model.support_bound(s, min_support)

    s = support.starting_support(bound, model.n_objects, min_support) + 2
    ranges = [(s, None)]
    maxima, observed = scan(model, words, m, ranges)
    lower = support.next_support(s, bound, maxima, observed, min_support)
    if lower < s:
        ranges.append((lower, s))
        maxima, observed = scan(model, words, m, ranges)
    assert support.certified(bound(lower), maxima, observed)
    whole, whole_observed = scan(model, words, m, [(min_support, None)])
    assert maxima.tolist() == whole.tolist()
    assert observed == whole_observed


@settings(max_examples=50)
@given(cellset_lists, st.integers(0, 25), st.integers(2, 8))
def test_what_a_ceiling_leaves_open_is_never_wrong(cellsets, positives, ceiling):
    m = packed(cellsets)
    model = Bernoulli((np.arange(len(cellsets)) < positives).astype(np.uint8))
    words = model.worlds(6, range(N_WORLDS), observed=True)
    maxima, observed = scan(model, words, m, [(ceiling, None)])
    whole, whole_observed = scan(model, words, m, [(1, None)])
    bound = model.support_bound(ceiling)
    open_worlds = support.censored(bound, maxima)
    assert np.array_equal(maxima[~open_worlds], whole[~open_worlds])
    assert all(not exceeds(value, bound) for value in whole[open_worlds])
    said = support.statement(observed, bound, maxima)
    truth = p_value(whole_observed, whole)
    assert said.p_value == truth if said.exact else said.p_value <= truth


@settings(max_examples=50)
@given(cellset_lists, st.integers(1, 24))
def test_no_candidate_below_s_exceeds_b(cellsets, positives):
    n_objects = len(cellsets)
    positives = min(positives, n_objects)
    bits = bits_of(
        Bernoulli((np.arange(n_objects) < positives).astype(np.uint8)).worlds(1, range(20)), range(20)
    )
    for s in (2, 3, 5):
        bound = support_bound(s, n_objects, positives)
        for who in brute_force(cellsets, 1, s).values():
            for p in bits[list(who)].sum(axis=0, dtype=int):
                assert not exceeds(statistic(len(who), int(p), n_objects, positives), bound)


def test_support_at_the_size_of_the_paper():
    def bound(s):
        return support_bound(s, 100_000, 60_000)

    maxima = np.array([13.3, 11.2, 15.7])
    assert support.next_support(19, bound, maxima, 25.0, 1) == 13
    assert support.certified(bound(13), maxima, 25.0)
    assert not support.certified(bound(14), maxima, 25.0)
    assert support.next_support(13, bound, maxima, 25.0, 1) == 13
    # The observed maximum counts too.
    assert support.next_support(13, bound, maxima, 9.0, 1) == 10
    assert bound(10) < 9.0 < bound(11)


@pytest.mark.parametrize(("rate", "expected"), [(0.6, 19), (0.5, 25), (0.1, 8), (0.01, 4)])
def test_support_that_a_critical_value_asks_for(rate, expected):
    positives = round(100_000 * rate)
    assert (
        support.largest_support(lambda s: support_bound(s, 100_000, positives), 17.1, 1, 100_000) == expected
    )


@given(st.integers(2, 60), st.data(), st.floats(0, 20))
def test_largest_support_is_the_last_certified_one(n_objects, data, value):
    positives = data.draw(st.integers(0, n_objects))

    def bound(s):
        return support_bound(s, n_objects, positives, "both", 2)

    s = support.largest_support(bound, value, 2, n_objects)
    assert s == max((each for each in range(2, n_objects + 2) if exceeds(value, bound(each))), default=2)


def test_nothing_lies_below_the_smallest_support():
    assert support.next_support(1, lambda s: -math.inf, np.zeros(3), 0.0, 1) == 1
    assert support.certified(-math.inf, np.zeros(3), 0.0)


def test_statements_about_a_statistic():
    maxima = np.array([3.0, 5.0, 6.0, 9.0])
    assert support.statement(5.5, 4.0, maxima) == support.Statement(3 / 5, True)
    assert support.statement(4.0, 4.0, maxima) == support.Statement(4 / 5, False)
    assert support.censored(4.0, maxima).tolist() == [True, False, False, False]


def test_no_verdict_below_the_bound():
    maxima = np.arange(1.0, 100.0)
    assert support.verdict_possible(94.0, maxima, "0.05")
    assert not support.verdict_possible(95.0, maxima, "0.05")
