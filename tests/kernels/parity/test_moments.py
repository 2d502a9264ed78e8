from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from movfair_spark.kernels.parity.moments import compare, floor_of, weighted_moments
from tests.kernels.parity.samples import series


def moments(values: list[float]) -> tuple[float, float, float | None, float | None]:
    found = series([values]).moments(0)
    return found.mean, found.variance, found.skewness, found.kurtosis


@given(st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 4)), min_size=4, max_size=40))
def test_moments_equal_scipys(values: list[float]) -> None:
    assume(np.std(values) > 1e-3)
    mean, variance, skewness, kurtosis = moments(values)
    centred = np.array(values) - np.mean(values)
    assert mean == pytest.approx(np.mean(values), rel=1e-9, abs=1e-9)
    assert variance == pytest.approx(np.var(centred), rel=1e-9)
    assert skewness == pytest.approx(stats.skew(centred), rel=1e-9, abs=1e-9)
    assert kurtosis == pytest.approx(stats.kurtosis(centred), rel=1e-9, abs=1e-9)


def test_integers_whose_squares_leave_float_precision() -> None:
    """scipy #7759 (b): -1024 from power sums in float64."""
    mean, variance, skewness, kurtosis = moments([3000000000, 3000000007, 3000000014])
    assert (mean, variance) == (3000000007.0, pytest.approx(98 / 3, rel=1e-12))
    assert (skewness, kurtosis) == (pytest.approx(0.0, abs=1e-12), pytest.approx(-1.5, abs=1e-12))


def test_integers_whose_fourth_powers_leave_64_bits() -> None:
    """OnlineStatsBase.jl #43, numpy #20634 (c): the sum of fourth powers, 1.3e23, wraps round."""
    _, _, skewness, kurtosis = moments([0, 60000, 120000, 180000, 600000])
    assert round(float(skewness or 0), 6) == 1.209900
    assert round(float(kurtosis or 0), 6) == -0.124001


def test_integers_beyond_2_to_the_53_are_told_apart() -> None:
    top = 2**62
    assert moments([top, top + 1, top + 7])[1] == pytest.approx(np.var([0, 1, 7]), rel=1e-12)


def test_a_constant_has_no_skewness_and_no_kurtosis() -> None:
    """scipy #11086 and #13245 (a): the mean of seven 0.7 is 0.7000000000000001; -1 and -2 come out."""
    assert moments([0.7] * 7) == (0.7, 0.0, None, None)


def test_an_offset_costs_no_digits() -> None:
    """pandas #11974 and #12121 (b): -13.1 and 2.0e7 from power sums about 0."""
    _, _, skewness, kurtosis = moments([1000000.0, 1000001.0, 1000002.0, 1000007.0])
    assert (round(float(skewness or 0), 6), round(float(kurtosis or 0), 6)) == (0.922073, -0.839477)
    shifted = moments([1e9 + x for x in (0.0, 1.0, 2.0, 7.0)])
    assert shifted[2:] == pytest.approx(moments([0.0, 1.0, 2.0, 7.0])[2:], abs=1e-12)


@pytest.mark.parametrize("scale", [1e-140, 1.0, 1e140])
def test_scale_changes_neither_skewness_nor_kurtosis(scale: float) -> None:
    assert moments([x * scale for x in (0.0, 1.0, 2.0, 7.0)])[2:] == pytest.approx(
        moments([0.0, 1.0, 2.0, 7.0])[2:]
    )


def test_counts_weigh_values() -> None:
    weighted = weighted_moments(np.array([1.0, 4.0, 5.0]), np.array([3, 0, 2]))
    assert weighted == pytest.approx(weighted_moments(np.array([1.0, 5.0]), np.array([3, 2])))
    assert weighted[1] == pytest.approx(np.mean([1, 1, 1, 5, 5]))


def test_the_studentised_mean_is_welchs() -> None:
    a, b = np.array([1.0, 2.0, 4.0, 8.0]), np.array([2.0, 3.0, 9.0])
    ones = (np.ones(4, dtype=np.int64), np.ones(3, dtype=np.int64))
    found = compare(*weighted_moments(a, ones[0]), *weighted_moments(b, ones[1]))
    assert found[4] == pytest.approx(stats.ttest_ind(a, b, equal_var=False).statistic)


def test_what_is_not_defined_is_nan() -> None:
    one = np.ones(3, dtype=np.int64)
    constant = weighted_moments(np.array([5.0]), np.array([4]))
    found = compare(*weighted_moments(np.array([1.0, 2.0, 4.0]), one), *constant)
    assert [math.isnan(value) for value in found] == [False, False, True, True, False, True]


def test_ties_are_within_a_billionth() -> None:
    assert floor_of(-2.0) == 2.0 - 2e-9
    assert floor_of(0.5) == 0.5 - 1e-9
