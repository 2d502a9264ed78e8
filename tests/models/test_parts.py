"""Equal odds and strata: statistics against textbook forms, worlds within groups, bounds, degenerate cases."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.errors import ConfigurationError, LimitError
from movfair_spark.kernels.worlds import permutation
from movfair_spark.models import bernoulli, multinomial
from movfair_spark.models.base import MIXED
from movfair_spark.models.parts import Parts
from movfair_spark.models.significance import exceeds
from tests.kernels.subsets import brute_force, cellset_lists, packed
from tests.oracle.conditional import over_parts

NAMES = {1: "high", -1: "low", 0: "none", MIXED: "mixed"}


def observed(model: Parts, cellsets, distinct=False):
    """Statistic, direction and details of every candidate, by members."""
    found = {}
    for part in model.evidence(packed(cellsets), -1.0, 1, distinct=distinct):
        batch = part.candidates
        for j in range(len(batch.supports)):
            who = frozenset(batch.members[batch.starts[j] : batch.starts[j + 1]].tolist())
            detail = {name: column[j] for name, column in part.detail.items()}
            found[who] = (float(part.statistic[j]), NAMES[int(part.direction[j])], detail)
    return found


def of(members, codes, n_classes=2, direction="both", part=None, strata=None) -> float:
    """Statistic of one set of members."""
    cellsets = [{0} if i in members else {1} for i in range(len(codes))]
    model = Parts(np.array(codes), n_classes, direction, part, strata, name_of(n_classes))
    return observed(model, cellsets)[frozenset(members)][0]


def name_of(classes: int) -> str:
    return "bernoulli" if classes == 2 else "multinomial"


@settings(max_examples=60, deadline=None)
@given(
    cellset_lists,
    st.integers(0, 999),
    st.integers(2, 4),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from(["both", "high", "low"]),
)
def test_every_statistic_is_the_textbook_one(cellsets, seed, classes, n_parts, n_strata, direction):
    direction = direction if classes == 2 else "both"
    rng = np.random.default_rng(seed)
    codes, part, strata = (rng.integers(0, k, len(cellsets)) for k in (classes, n_parts, n_strata))
    model = Parts(codes, classes, direction, part, strata, name_of(classes))
    for who, (value, side, _) in observed(model, cellsets).items():
        expected, expected_side = over_parts(who, codes.tolist(), part.tolist(), strata.tolist(), direction)
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert side == (expected_side if classes == 2 else "none") or value < 1e-12


@settings(max_examples=40, deadline=None)
@given(
    cellset_lists,
    st.integers(0, 999),
    st.integers(2, 4),
    st.integers(1, 2),
    st.integers(1, 3),
    st.sampled_from([1, 70]),
)
def test_maxima_are_those_of_all_candidates_bit_for_bit(cellsets, seed, classes, n_parts, n_strata, n_worlds):
    rng = np.random.default_rng(seed)
    codes, part, strata = (rng.integers(0, k, len(cellsets)) for k in (classes, n_parts, n_strata))
    model = Parts(codes, classes, "both", part, strata, name_of(classes))
    counter = model.counter(model.worlds(3, range(n_worlds), observed=True), n_worlds + 1)
    counter.walk(packed(cellsets), 2)
    counter.walk(packed(cellsets), 1, 2)
    assert counter.n_candidates == len(brute_force(cellsets))
    for b, ours in enumerate(counter.maxima().tolist()):
        source = permutation(3, b, codes, 10 * part + strata) if b < n_worlds else np.arange(len(codes))
        world = Parts(codes[source], classes, "both", part, strata, name_of(classes))
        assert ours == max((value for value, _, _ in observed(world, cellsets).values()), default=0.0)


def test_more_than_1024_worlds():
    cellsets = [{i % 3, 3 + i % 5} for i in range(30)]
    model = Parts(np.arange(30) % 2, 2, strata=np.arange(30) // 10)
    counter = model.counter(model.worlds(3, range(1030)), 1030)
    counter.walk(packed(cellsets), 1)
    later = model.counter(model.worlds(3, range(1020, 1030)), 10)
    later.walk(packed(cellsets), 1)
    assert counter.maxima()[1020:].tolist() == later.maxima().tolist()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), min_size=2, max_size=8),
    st.integers(2, 3),
    st.sampled_from(["both", "high", "low"]),
)
def test_bound_covers_every_small_candidate(people, classes, direction):
    codes, part, strata = (np.array(column, dtype=np.int64) for column in zip(*people, strict=True))
    codes, direction = np.minimum(codes, classes - 1), direction if classes == 2 else "both"
    model = Parts(codes, classes, direction, part, strata, name_of(classes))
    for m in range(1, len(people) + 1):
        bound = model.support_bound(m + 1, m)
        for who in combinations(range(len(people)), m):
            value, _ = over_parts(frozenset(who), codes.tolist(), part.tolist(), strata.tolist(), direction)
            assert not exceeds(value, bound)


def test_bound_of_two_classes_in_strata_is_reached():
    codes, strata = np.array([1, 0, 0, 1, 1, 0, 1, 0, 0]), np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    model = Parts(codes, 2, strata=strata)
    for m in (1, 2, 3, 4):
        best = max(of(who, codes, strata=strata) for who in combinations(range(9), m))
        assert model.support_bound(m + 1, m) == pytest.approx(best, rel=1e-6)


def test_one_part_and_one_stratum_is_the_bernoulli_value_bit_for_bit():
    codes = np.arange(40) % 3 % 2
    for members in ([0, 3, 4], range(30), [1]):
        p = int(codes[list(members)].sum())
        assert of(set(members), codes) == bernoulli.statistic(len(members), p, 40, int(codes.sum()))


def test_bounds_of_parts_are_spread_sums():
    """Notes, section 3: the largest over m_0 + m_1 = m of bound_0(m_0) + bound_1(m_1)."""
    codes = np.repeat([1, 0, 1, 0], [3, 17, 10, 20])
    model = Parts(codes, 2, part=np.repeat([0, 1], [20, 30]))
    for m in (1, 4, 9):
        best = max(bernoulli.bound(a, 20, 3) + bernoulli.bound(m - a, 30, 10) for a in range(m + 1))
        assert model.support_bound(m + 1, m) == pytest.approx(best, rel=1e-12)
    classes = Parts(np.arange(50) % 3, 3, part=np.repeat([0, 1], [20, 30]), name="multinomial")
    best = max(multinomial.bound(a, [7, 7, 6]) + multinomial.bound(4 - a, [10, 10, 10]) for a in range(5))
    assert classes.support_bound(5, 4) == pytest.approx(best, rel=1e-12)


def test_extremes_by_total_would_be_wrong():
    """Notes, section 3: two strata of 20 with 10 positives each as parts of a sum, n = (4, 4): p = (4, 0) gives 6.56."""
    codes = np.tile([1, 0], 20)
    part = np.repeat([0, 1], 20)
    assert of({0, 2, 4, 6, 21, 23, 25, 27}, codes, part=part) == pytest.approx(6.56, abs=0.005)
    assert of({0, 2, 1, 3, 20, 22, 21, 23}, codes, part=part) == 0.0


def test_parts_of_opposite_sign_are_mixed_and_a_direction_takes_one_side():
    codes, part = np.tile([1, 0], 20), np.repeat([0, 1], 20)
    cellsets = [{0} if i in {0, 2, 4, 6, 21, 23, 25, 27} else {1} for i in range(40)]
    who = frozenset({0, 2, 4, 6, 21, 23, 25, 27})
    both, side, detail = observed(Parts(codes, 2, part=part), cellsets)[who]
    assert side == "mixed"
    assert detail["observed"].tolist() == [4, 0]
    assert detail["expected"].tolist() == [2.0, 2.0]
    assert detail["part_n"].tolist() == [4, 4]
    assert detail["rate_in"].tolist() == [1.0, 0.0]
    assert detail["rate_out"].tolist() == [6 / 16, 10 / 16]
    assert sum(detail["part_statistic"]) == pytest.approx(both)
    high, side, _ = observed(Parts(codes, 2, "high", part), cellsets)[who]
    assert (high, side) == (pytest.approx(both / 2), "high")


def test_strata_explain_a_difference_away():
    """A candidate of rate 3/4 against 1/4 outside, all of it between two strata of these rates."""
    codes, strata = np.array([1, 1, 1, 0, 1, 0, 0, 0]), np.repeat([0, 1], 4)
    assert of({0, 1, 2, 3}, codes) == pytest.approx(bernoulli.statistic(4, 3, 8, 4))
    assert of({0, 1, 2, 3}, codes, strata=strata) == 0.0


def test_groups_of_one_class_leave_nothing_to_test():
    model = Parts(np.array([1, 1, 0, 0]), 2, strata=np.array([0, 0, 1, 1]))
    assert model.nothing_to_test
    assert not Parts(np.array([1, 1, 0, 0]), 2, part=np.array([0, 1, 0, 1])).nothing_to_test
    assert model.support_bound(1) == -math.inf


def test_names_of_strata_change_nothing():
    codes = np.arange(20) % 2
    assert of({0, 2, 5}, codes, strata=np.arange(20) % 3) == of(
        {0, 2, 5}, codes, strata=np.array([7, 100, 31])[np.arange(20) % 3]
    )


def test_what_cannot_be_is_refused():
    with pytest.raises(ConfigurationError, match="no direction"):
        Parts(np.array([0, 1, 2]), 3, "high", name="multinomial")
    with pytest.raises(ConfigurationError, match="13 classes"):
        Parts(np.arange(13), 13, name="multinomial")
    with pytest.raises(LimitError, match="10001 strata"):
        Parts(np.arange(10_001) % 2, 2, strata=np.arange(10_001))


def test_two_classes_have_the_bernoulli_statistic_but_neither_direction_nor_rates():
    codes, strata = np.tile([1, 0, 0], 8), np.repeat([0, 1], 12)
    cellsets = [{0} if i in {0, 3, 4, 15} else {1} for i in range(24)]
    pair = [Parts(codes, 2, strata=strata, name=name) for name in ("bernoulli", "multinomial")]
    binary, classes = (observed(model, cellsets)[frozenset({0, 3, 4, 15})] for model in pair)
    assert binary[0] == classes[0] > 0
    assert (binary[1], classes[1]) == ("high", "none")
    assert classes[2]["observed"].tolist() == [1, 3]
    assert pair[1].detail_columns == ("observed", "expected")
