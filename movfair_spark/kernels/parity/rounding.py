"""Rounding to significant digits, so that equal decimals are equal floats: float noise is no signal.

0.3 − 0.2 and 0.9 − 0.8 are different floats; as errors they are the same 0.1. A difference is rounded to 14
significant digits of the larger of its two inputs, and every computed error to 12 significant digits of its own.
The result is the float nearest to that decimal (exact for magnitudes of 1e-10 to 1e34; deterministic everywhere).
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit

DIFFERENCE_DIGITS = 14
ERROR_DIGITS = 12

_POWERS = np.array([float(f"1e{p}") for p in range(-330, 309)])


@njit
def _power(exponent):  # type: ignore[no-untyped-def]
    # 10**exponent from a table of correctly rounded values (powers below 1e-323 are 0).
    return _POWERS[min(max(exponent + 330, 0), 638)]


@njit
def _exponent(value):  # type: ignore[no-untyped-def]
    # floor(log10(value)) for value > 0, right also beside powers of ten.
    guess = int(math.floor(math.log10(value)))
    if guess < 308 and value >= _power(guess + 1):
        return guess + 1
    return guess - 1 if value < _power(guess) else guess


@njit
def _scaled(value, shift):  # type: ignore[no-untyped-def]
    # value * 10**shift with one rounding where the power is exact, and without overflow on the way.
    if shift > 300:
        return value * 1e300 * _power(shift - 300)
    if shift >= 0:
        return value * _power(shift)
    return value / _power(-shift) if shift >= -300 else value / 1e300 / _power(-shift - 300)


@njit
def round_error(value):  # type: ignore[no-untyped-def]
    """Return ``value`` at 12 significant digits (half to even); 0, NaN and infinities stay."""
    if value == 0.0 or not math.isfinite(value):
        return value + 0.0  # -0.0 becomes 0.0
    size = abs(value)
    exponent = _exponent(size)
    digits = float(np.rint(_scaled(size, ERROR_DIGITS - 1 - exponent)))
    return math.copysign(_scaled(digits, exponent - (ERROR_DIGITS - 1)), value)


@njit
def round_difference(difference, larger):  # type: ignore[no-untyped-def]
    """Return a difference at 14 significant digits of the larger input, then 12 of its own.

    Parameters
    ----------
    difference : float
        prediction − truth.
    larger : float
        max(abs(prediction), abs(truth)), > 0 where the difference is not 0.
    """
    if difference == 0.0 or not math.isfinite(difference) or not math.isfinite(larger):
        return difference + 0.0
    unit = _exponent(larger) - (DIFFERENCE_DIGITS - 1)
    digits = float(np.rint(_scaled(abs(difference), -unit)))
    return round_error(math.copysign(_scaled(digits, unit), difference))


@njit
def round_errors(values):  # type: ignore[no-untyped-def]
    """Apply `round_error` to each element of float64[n]."""
    result = np.empty(values.size)
    for i in range(values.size):
        result[i] = round_error(values[i])
    return result


@njit
def round_differences(prediction, truth):  # type: ignore[no-untyped-def]
    """Return prediction − truth of float64[n], rounded by `round_difference`."""
    result = np.empty(prediction.size)
    for i in range(prediction.size):
        larger = max(abs(prediction[i]), abs(truth[i]))
        result[i] = round_difference(prediction[i] - truth[i], larger)
    return result
