"""Bounds of a sum of statistics: how best to spread the members of a candidate over parts."""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit


@njit
def combine(one, other):
    """Best sum of one entry of each array, by the sum of their positions; as long as the first."""
    out = np.full(len(one), -math.inf)
    for i in range(len(one)):
        if one[i] > -math.inf:
            for j in range(min(len(other), len(one) - i)):
                out[i + j] = max(out[i + j], one[i] + other[j])
    return out
