"""Extremes in bit planes against counting one world and one candidate at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels import extremes, planes
from movfair_spark.kernels.eclat import prefix_classes
from movfair_spark.kernels.worlds import bits_of, label_words
from tests.kernels.subsets import brute_force, cellset_lists, packed


def brute_extremes(cellsets, bits, min_support, max_support=None):
    members = list(brute_force(cellsets, min_support, max_support).values())
    supports = sorted({len(who) for who in members})
    counts = {
        n: np.array([bits[list(w)].sum(axis=0, dtype=int) for w in members if len(w) == n]) for n in supports
    }
    return (
        supports,
        [counts[n].min(axis=0).tolist() for n in supports],
        [counts[n].max(axis=0).tolist() for n in supports],
        len(members),
        sum(map(len, members)),
    )


def as_lists(found, n_worlds):
    low, high = found.low[:, :n_worlds].tolist(), found.high[:, :n_worlds].tolist()
    return found.supports.tolist(), low, high, found.n_candidates, found.n_memberships


@given(cellset_lists, st.integers(1, 3), st.sampled_from([1, 64, 99]))
def test_extremes_are_those_of_all_candidates(cellsets, min_support, n_worlds):
    labels = np.arange(len(cellsets)) % 2
    words = label_words(1, range(n_worlds), labels)
    found = extremes.scan(packed(cellsets), words, min_support)
    assert as_lists(found, n_worlds) == brute_extremes(cellsets, bits_of(words, range(n_worlds)), min_support)


def test_more_than_one_lane_of_worlds():
    cellsets = [{i % 3, 3 + i % 5, 8} for i in range(40)]
    words = label_words(2, range(1100), np.arange(40) < 17)
    found = extremes.scan(packed(cellsets), words, 2)
    assert as_lists(found, 1100) == brute_extremes(cellsets, bits_of(words, range(1100)), 2)
    low, high = found.low, found.high
    later = extremes.scan(packed(cellsets), words[:, 16:], 2)
    assert np.array_equal(later.low, low[:, 1024:]) and np.array_equal(later.high, high[:, 1024:])


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 300])
def test_candidates_of_any_size(n):
    cellsets = [{1} if i < n else {2} for i in range(310)]
    words = label_words(3, range(70), np.arange(310) % 3 == 0)
    found = extremes.scan(packed(cellsets), words, 1)
    assert as_lists(found, 70) == brute_extremes(cellsets, bits_of(words, range(70)), 1)


@given(cellset_lists, st.integers(2, 5), st.integers(1, 4))
def test_rounds_and_prefix_classes_merge_to_the_whole(cellsets, middle, n_classes):
    m = packed(cellsets)
    words = label_words(4, range(64), np.arange(len(cellsets)) % 3 == 0)
    whole = extremes.scan(m, words, 1)
    rounds = [(middle, None), (1, middle)]
    parts = [
        extremes.scan(m, words, low, high, items)
        for low, high in rounds
        for items in prefix_classes(m, low, n_classes)
    ]
    assert as_lists(extremes.merge(parts), 64) == as_lists(whole, 64) if parts else len(whole.supports) == 0
    counter = extremes.Counter(words)
    for low, high in rounds:
        counter.walk(m, low, high)
    assert as_lists(counter.result(), 64) == as_lists(whole, 64)


def test_no_candidates():
    found = extremes.scan(packed([{1}, {2}]), label_words(1, range(64), np.array([0, 1])), 2)
    assert (len(found.supports), found.n_candidates, found.n_memberships) == (0, 0, 0)


@given(st.lists(st.integers(0, 2**20), min_size=1, max_size=1024))
def test_numbers_survive_their_planes(numbers):
    digits = planes.n_digits(2**20)
    packed_planes = np.full(16 * digits, 99, dtype=np.uint64)
    planes.pack(np.array(numbers), packed_planes, 0, digits)
    out = np.empty(1024, dtype=np.int32)
    planes.unpack(packed_planes, 0, digits, out)
    assert out.tolist() == numbers + [0] * (1024 - len(numbers))
