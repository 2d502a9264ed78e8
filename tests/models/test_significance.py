"""Ties, p-values and critical values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.errors import ConfigurationError
from movfair_spark.models import significance as s

values = st.one_of(st.floats(0, 50), st.sampled_from([0.0, 4.158883083359672, math.inf]))


def test_ties_count():
    """fieldtrip #2608, freesurfer #1460, mlxtend #718 and #838, permute #108, scanstatistics #5: >= and + 1."""
    assert s.p_value(2.0, np.array([1.0, 2.0, 2.0, 3.0])) == 4 / 5
    assert s.p_value(9.0, np.array([1.0, 2.0])) == 1 / 3


@pytest.mark.parametrize(
    ("distance", "reached"), [(0.0, True), (0.9e-9, True), (1.1e-9, False), (-1.0, True)]
)
def test_the_tolerance_is_relative_above_one(distance, reached):
    for size in (1.0, 1000.0):
        assert s.reaches(size - distance * size, size) is reached
    assert s.reaches(0.25 - distance, 0.25) is reached


def test_infinite_statistics_tie_with_each_other_only():
    """SpatialEpi #41 (notes, report 16b): inf - 1e-9·inf is NaN, and NaN never reaches anything."""
    null = np.array([math.inf, 3.0, 1e300])
    assert s.p_value(math.inf, null) == 2 / 4
    assert s.p_value(3.0, null) == 1.0
    assert not s.exceeds(math.inf, math.inf)
    assert s.exceeds(math.inf, 1e308)


@given(st.lists(values, min_size=1, max_size=30), st.lists(values, min_size=1, max_size=10))
def test_many_p_values_are_the_single_ones(null, statistics):
    null = np.array(null)
    assert s.p_values(np.array(statistics), null).tolist() == [s.p_value(t, null) for t in statistics]


@given(st.lists(values, min_size=19, max_size=60), values, st.sampled_from(["0.05", "0.1", "0.5"]))
def test_significant_means_above_the_critical_value(null, statistic, alpha):
    null = np.array(null)
    assert (s.p_value(statistic, null) <= float(alpha)) == s.exceeds(statistic, s.critical_value(null, alpha))


@pytest.mark.parametrize(
    ("n", "alpha", "rank"),
    [
        (4999, 0.043, 215),
        (999, 0.01, 10),
        (99, 0.01, 1),
        (999, 0.05, 50),
        (9999, "0.07", 700),
        (99, 0.29, 29),
    ],
)
def test_rank_in_decimal_arithmetic(n, alpha, rank):
    assert s.critical_rank(n, alpha) == rank


def test_too_few_simulations_are_refused_with_the_number_needed():
    with pytest.raises(ConfigurationError, match=r"98 simulations.*alpha = 0.01.*at least 99"):
        s.critical_rank(98, 0.01)
    assert s.critical_rank(99, 0.01) == 1


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5])
def test_impossible_alpha(alpha):
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        s.critical_rank(999, alpha)


def test_randomised_p_value():
    null = np.array([1.0, 2.0, 2.0, 3.0])
    assert s.randomised_p_value(2.0, null, 0.0) == 1 / 5
    assert s.randomised_p_value(2.0, null, 0.5) == (1 + 0.5 * 3) / 5
    assert s.randomised_p_value(5.0, null, 0.5) == 0.5 / 5


def test_randomised_p_value_is_uniform_over_exchangeable_maxima():
    # Each of the n + 1 equally likely maxima plays the observed one once: over U the p-values cover (0, 1) evenly.
    maxima = np.array([0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 5.0, 5.0, 5.0, 5.0])
    grid = (np.arange(1000) + 0.5) / 1000
    shares = [
        np.mean([s.randomised_p_value(maxima[i], np.delete(maxima, i), u) <= 0.35 for u in grid])
        for i in range(len(maxima))
    ]
    assert np.mean(shares) == pytest.approx(0.35, abs=0.001)
