"""The Normal statistic within strata: against least squares, bounds, worlds, splits without rest."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels.worlds import permutation
from movfair_spark.models.normal import Normal
from movfair_spark.models.significance import exceeds
from tests.kernels.subsets import brute_force, cellset_lists, packed


def by_least_squares(values, strata, members):
    """Half N times the log of the ratio of residual squares, without and with the candidate as a regressor."""
    dummies = (strata[:, None] == np.unique(strata)[None, :]).astype(float)
    inside = np.isin(np.arange(len(values)), members).astype(float)
    squares = []
    for design in (dummies, np.column_stack([dummies, inside])):
        fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
        squares.append(float(((values - fitted) ** 2).sum()))
    return len(values) / 2 * math.log(squares[0] / squares[1])


@pytest.mark.parametrize("n_strata", [1, 2, 5])
def test_statistic_is_that_of_a_regression_on_strata_and_membership(n_strata):
    rng = np.random.default_rng(n_strata)
    strata = np.arange(40) % n_strata
    values = rng.normal(size=40) + 3.0 * strata
    model = Normal(values, strata=strata)
    for _ in range(20):
        members = np.flatnonzero(rng.random(40) < 0.3)
        assert model.statistic(members) == pytest.approx(
            by_least_squares(values, strata, members), rel=1e-9, abs=1e-9
        )


def test_one_stratum_gives_the_plain_value_bit_for_bit():
    values = np.random.default_rng(2).normal(size=30)
    one = Normal(values, strata=np.zeros(30, dtype=np.int64))
    for members in ([3], [0, 5, 7], range(20)):
        assert one.statistic(members) == Normal(values).statistic(members)


@settings(max_examples=40)
@given(cellset_lists, st.integers(0, 99), st.sampled_from(["both", "high", "low"]), st.integers(1, 4))
def test_maxima_are_those_of_all_candidates_bit_for_bit(cellsets, seed, direction, n_strata):
    rng = np.random.default_rng(seed)
    values, strata = rng.normal(size=len(cellsets)).round(1), rng.integers(0, n_strata, len(cellsets))
    model = Normal(values, direction, strata=strata)
    counter = model.counter(model.worlds(3, range(20), observed=True), 21)
    counter.walk(packed(cellsets), 2)
    counter.walk(packed(cellsets), 1, 2)
    candidates = list(brute_force(cellsets).values())
    for b, ours in enumerate(counter.maxima().tolist()):
        source = permutation(3, b, values, strata) if b < 20 else np.arange(len(values))
        world = Normal(values[source], direction, strata=strata)
        assert ours == max((world.statistic(who) for who in candidates), default=0.0)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=2, max_size=8),
    st.sampled_from(["both", "high", "low"]),
)
def test_bound_covers_every_small_candidate(people, direction):
    values, strata = (np.array(column, dtype=np.int64) for column in zip(*people, strict=True))
    model = Normal(values.astype(float), direction, strata=strata)
    for m in range(1, len(people) + 1):
        bound = model.support_bound(m + 1, m)
        for members in combinations(range(len(people)), m):
            value = model.statistic(members)
            assert value == 0.0 or not exceeds(value, bound)


def test_a_split_without_rest_is_infinite_and_nothing_else_is():
    # Two strata, a step of 1 in both, and a third without a difference.
    values = np.array([0.0, 1.0, 1.0, 7.0, 8.0, 8.0, 4.0, 4.0])
    strata = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    model = Normal(values, strata=strata)
    assert model.statistic([1, 2, 4, 5]) == math.inf
    assert model.statistic([0, 3]) == math.inf
    assert model.statistic([0, 3, 6, 7]) == math.inf
    assert model.statistic([0, 3, 6]) < 100
    assert model.statistic([0, 4, 5]) < 100


def test_steps_of_different_size_leave_a_rest():
    model = Normal(np.array([0.0, 1.0, 0.0, 3.0]), strata=np.array([0, 0, 1, 1]))
    assert model.statistic([1, 3]) == pytest.approx(2 * math.log(5.0), rel=1e-12)


def test_equal_values_in_every_stratum_leave_nothing_to_test():
    model = Normal(np.array([1.0, 1.0, 2.0, 2.0]), strata=np.array([0, 0, 1, 1]))
    assert model.nothing_to_test
    assert model.statistic([0, 2]) == 0.0


def test_weights_and_strata_exclude_each_other():
    with pytest.raises(ConfigurationError, match="not both"):
        Normal(np.array([1.0, 2.0]), weights=np.ones(2), strata=np.zeros(2, dtype=np.int64))
