from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.parity.rounding import (
    round_difference,
    round_differences,
    round_error,
    round_errors,
)


@given(st.integers(1, 999_999_999_999), st.integers(-10, 20))
def test_an_error_of_twelve_digits_is_the_nearest_float_to_its_decimal(digits: int, exponent: int) -> None:
    value = float(f"{digits}e{exponent}")
    assert round_error(value) == value
    assert round_error(np.nextafter(value, math.inf)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_twice_changes_nothing(value: float) -> None:
    once = round_error(value)
    assert round_error(once) == once


@given(st.integers(-(10**7), 10**7), st.integers(-(10**7), 10**7), st.integers(0, 6))
def test_equal_decimal_differences_are_equal_floats(a: int, b: int, places: int) -> None:
    prediction, truth = (float(Decimal(x).scaleb(-places)) for x in (a, b))
    exact = float(Decimal(a - b).scaleb(-places))
    assert round_difference(prediction - truth, max(abs(prediction), abs(truth))) == exact


def test_differences_of_decimals_that_floats_tell_apart() -> None:
    """scipy #17667 and #26082: 0.3 - 0.2 and 0.9 - 0.8 are other floats."""
    prediction = np.array([0.3, 0.5, 0.6, 0.7, 0.9, 1.0, 0.4, 0.8, 1.1, 1.3, 1.5, 1.6])
    truth = np.array([0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.3, 0.7, 1.0, 1.2, 1.4, 1.5])
    assert len(set(prediction - truth)) > 1
    assert set(round_differences(prediction, truth).tolist()) == {0.1}


@pytest.mark.parametrize("value", [0.0, -0.0])
def test_there_is_one_zero(value: float) -> None:
    assert math.copysign(1.0, round_error(value)) == 1.0


def test_extremes_stay_finite_and_keep_their_order() -> None:
    values = np.array([-1.7e308, -1e22, -2.5, -5e-324, 0.0, 5e-324, 1e-300, 9.99999999999949, 1e15, 1.7e308])
    rounded = round_errors(values)
    assert np.isfinite(rounded).all()
    assert (np.diff(rounded) >= 0).all()


def test_real_differences_survive() -> None:
    """The rule takes noise, not signal: the twelfth digit still counts."""
    assert round_error(1.00000000001) != round_error(1.0)
    assert round_difference(1e9 + 0.001 - 1e9, 1e9 + 0.001) == 0.001
