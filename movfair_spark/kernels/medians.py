"""Medians of slices: coordinate-wise, exact, without sorting more than needed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.geo import Floats, unwrap, wrap

_SHORT = 16


@njit
def _insertion_sort(values: Floats, low: int, high: int) -> None:
    for i in range(low + 1, high + 1):
        value = values[i]
        j = i - 1
        while j >= low and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value


@njit
def _select(values: Floats, n: int, k: int) -> None:
    # Quickselect with a median of three; equal values are swapped, so that constant slices split in halves.
    low = 0
    high = n - 1
    while high - low > _SHORT:
        middle = (low + high) // 2
        a, b, c = values[low], values[middle], values[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i = low
        j = high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            return
    _insertion_sort(values, low, high)


@njit
def median_inplace(values: Floats, n: int) -> float:
    """Median of ``values[:n]`` (n >= 1, no NaN), which are reordered; mean of the middle two for even n."""
    k = n // 2
    _select(values, n, k)
    upper = values[k]
    if n % 2 == 1:
        return upper
    lower = values[0]
    for i in range(1, k):
        if values[i] > lower:
            lower = values[i]
    return (lower + upper) / 2.0


@njit
def _of_slice(
    values: Floats, weights: NDArray[np.int64], begin: int, end: int, degrees: bool, scratch: Floats
) -> float:
    about = values[begin]
    n = 0
    for i in range(begin, end):
        value = values[i]
        if value != value:
            return np.nan
        if degrees:
            value = unwrap(value, about)
        for _ in range(weights[i] if len(weights) > 0 else 1):
            scratch[n] = value
            n += 1
    median = median_inplace(scratch, n)
    return wrap(median) if degrees else median


@njit
def _room(weights: NDArray[np.int64], begin: NDArray[np.int64], end: NDArray[np.int64]) -> int:
    # Values of the longest slice, each repeated as often as its weight says.
    longest = 0
    for k in range(len(begin)):
        if begin[k] >= 0:
            size = int(np.sum(weights[begin[k] : end[k]]) if len(weights) > 0 else end[k] - begin[k])
            longest = max(longest, size)
    return longest


@njit
def medians(
    values: Floats,
    weights: NDArray[np.int64],
    begin: NDArray[np.int64],
    end: NDArray[np.int64],
    degrees: bool,
) -> Floats:
    """Medians of the slices [begin, end) of one coordinate.

    Parameters
    ----------
    values : float64[n]
        A NaN makes the median of its slice NaN.
    weights : int64[n] or int64[0]
        How many fixes each value stands for; empty: one each.
    begin, end : int64[k]
        Bounds; slices with begin < 0 are left out (NaN).
    degrees : bool
        Whether values are longitudes: unwrapped about the slice's first one, returned in [-180, 180).

    Returns
    -------
    float64[k]
        The mean of the middle two for slices of an even number of fixes.
    """
    scratch = np.empty(_room(weights, begin, end))
    result = np.full(len(begin), np.nan)
    for k in range(len(begin)):
        if begin[k] >= 0:
            result[k] = _of_slice(values, weights, begin[k], end[k], degrees, scratch)
    return result
