"""Worlds: the same for everybody, each order equally likely, outcomes dealt out as stated."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.worlds import (
    bits_of,
    class_codes,
    label_words,
    order,
    pack_labels,
    permutation,
)


def test_known_orders():
    # Held fast: a change of any of these numbers is a change of the draw version.
    assert order(7, 0, 10).tolist() == [1, 0, 9, 8, 3, 5, 2, 7, 6, 4]
    assert order(7, 1, 10).tolist() == [1, 3, 2, 9, 8, 6, 4, 7, 5, 0]


@given(st.integers(0, 2**40), st.integers(0, 10**6), st.integers(0, 200))
def test_an_order_is_a_permutation(seed, b, n):
    assert sorted(order(seed, b, n).tolist()) == list(range(n))


def test_every_order_is_equally_likely():
    n = 24_000
    counts = Counter(tuple(order(1, b, 4).tolist()) for b in range(n))
    assert len(counts) == 24
    # 23 degrees of freedom: 49.7 is passed once in a thousand.
    assert sum((count - n / 24) ** 2 for count in counts.values()) / (n / 24) < 49.7


def test_worlds_differ_and_seeds_differ():
    """CellphoneDB #231, RNAlysis #218, squidpy #1233: no two workers draw the same shuffles."""
    labels = np.repeat([1, 0], 15)
    worlds = bits_of(label_words(5, range(999), labels), range(999))
    assert len({tuple(column) for column in worlds.T.tolist()}) == 999
    other = bits_of(label_words(6, range(999), labels), range(999))
    assert len({tuple(column) for column in np.hstack([worlds, other]).T.tolist()}) == 1998


@pytest.mark.parametrize("cuts", [[0, 130], [0, 64, 128, 130], [0, 1, 17, 100, 130]])
def test_any_split_of_the_worlds_gives_the_same(cuts):
    labels = np.arange(50) % 3 == 0
    whole = bits_of(label_words(3, range(130), labels), range(130))
    parts = [bits_of(label_words(3, range(a, b), labels), range(b - a)) for a, b in pairwise(cuts)]
    assert np.array_equal(np.hstack(parts), whole)


@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 1000))
def test_the_first_p_of_the_order_are_positive(n, p, b):
    p = min(n, p)
    world = bits_of(label_words(9, range(b, b + 1), np.arange(n) < p), 0)
    assert set(np.flatnonzero(world).tolist()) == set(order(9, b, n)[:p].tolist())


def test_only_the_number_of_positives_matters():
    one, other = np.arange(30) < 11, np.arange(30) >= 19
    assert np.array_equal(label_words(2, range(70), one), label_words(2, range(70), other))


def test_unused_bits_are_zero():
    assert int(label_words(2, range(3), np.ones(5, dtype=int)).max()) == 0b111


def test_labels_stay_within_strata():
    """mobr #168: shuffling across strata invents evidence; here only one labeling exists."""
    labels, strata = np.repeat([1, 0], 4), np.repeat([0, 1], 4)
    worlds = bits_of(label_words(4, range(50), labels, strata), range(50))
    assert all(column == labels.tolist() for column in worlds.T.tolist())


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=30), st.integers(0, 99))
def test_in_each_stratum_the_first_met_are_positive(people, b):
    strata, labels = (np.array(column) for column in zip(*people, strict=True))
    left = Counter(strata[labels == 1].tolist())
    expected = np.zeros(len(people), dtype=int)
    for i in order(8, b, len(people)):
        if left[int(strata[i])] > 0:
            left[int(strata[i])] -= 1
            expected[i] = 1
    assert bits_of(label_words(8, range(b, b + 1), labels, strata), 0).tolist() == expected.tolist()


@given(st.lists(st.integers(0, 1), min_size=1, max_size=30), st.integers(0, 99), st.booleans())
def test_two_classes_are_dealt_like_labels(labels, b, with_strata):
    labels = np.array(labels)
    strata = np.arange(len(labels)) % 2 if with_strata else None
    codes = class_codes(8, b, labels, strata)
    assert codes.tolist() == bits_of(label_words(8, range(b, b + 1), labels, strata), 0).tolist()


def test_values_go_out_in_descending_order_with_their_weights():
    values, weights = np.array([0.5, 2.0, -1.0, 2.0]), np.array([1.0, 2.0, 3.0, 4.0])
    source = permutation(3, 5, values)
    first, second, third, fourth = order(3, 5, 4)
    assert values[source][[first, second, third, fourth]].tolist() == [2.0, 2.0, 0.5, -1.0]
    assert weights[source][[first, second, third, fourth]].tolist() == [2.0, 4.0, 1.0, 3.0]


@given(st.integers(1, 130), st.integers(1, 20), st.integers(0, 1000))
def test_packed_label_sets_come_back(k, n, seed):
    sets = np.random.default_rng(seed).integers(0, 2, size=(k, n))
    assert np.array_equal(bits_of(pack_labels(sets), range(k)).T, sets)
