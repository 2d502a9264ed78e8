"""Deviance of a count: the building block of the Bernoulli and the multinomial statistic."""

from __future__ import annotations

import math

from movfair_spark.kernels._jit import njit

#: Below this relative difference the logarithm is replaced by its series.
SERIES = 0.1


@njit
def deviance(x, m, difference):
    """Deviance x ln(x/m) - (x - m) of a count x with expectation m > 0, given difference = x - m exactly.

    Both terms are of the size of the difference, the deviance of its square: near x = m they cancel, so there the
    series of (1+r) ln(1+r) - r in r = difference/m is summed. Relative error near 1e-15 everywhere.
    """
    if x == 0:
        return m
    r = difference / m
    if abs(r) >= SERIES:
        return x * math.log(x / m) - difference
    # r²/2 - r³/6 + r⁴/12 - ... = sum of (-r)^k / (k (k-1)), k >= 2; 18 terms reach 1e-17 at |r| = 0.1.
    total = 0.0
    for k in range(18, 1, -1):
        total = total * -r + 1.0 / (k * (k - 1))
    return m * (r * r * total)
