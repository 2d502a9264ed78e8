"""Bernoulli scan statistic for outcomes of 0 and 1 (Kulldorff 1997; paper appendix G).

N objects in the test, P of them positive; a candidate has n members, p of them positive. The log-likelihood ratio is the
sum of four deviances, x ln(x/m) - (x - m) over the four counts x with expectation m under the null. The differences
x - m are +-(pN - nP)/N with exact integers, so that nothing cancels: relative errors stay near 1e-15 for every N below
2^31, where the direct form loses ties from N = 1e7 on.

Degenerate cases: 0 for n = 0, n = N, P = 0 and P = N; a perfect split is finite.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.extremes import Extremes

#: Directions and their codes: evidence of a rate above, below, or on either side of everybody else's.
DIRECTIONS = {"both": 0, "high": 1, "low": -1}

_SERIES = 0.1


@njit
def _deviance(x, m, difference):
    """Deviance x ln(x/m) - (x - m) of a count x with expectation m > 0, given difference = x - m exactly."""
    if x == 0:
        return m
    r = difference / m
    if abs(r) >= _SERIES:
        return x * math.log(x / m) - difference
    # (1+r) ln(1+r) - r = r²/2 - r³/6 + r⁴/12 - ... = sum of (-r)^k / (k (k-1)), k >= 2.
    total = 0.0
    for k in range(18, 1, -1):
        total = total * -r + 1.0 / (k * (k - 1))
    return m * (r * r * total)


@njit
def _statistic(n, p, n_objects, positives, direction):
    if n <= 0 or n >= n_objects or positives <= 0 or positives >= n_objects:
        return 0.0
    excess = p * n_objects - n * positives
    if excess == 0 or excess * direction < 0:
        return 0.0
    size = float(n_objects)
    difference = excess / size
    rest = n_objects - n
    negatives = n_objects - positives
    # In pairs, so that exchanging the two outcomes, or inside and outside, gives the same bits.
    inside = _deviance(p, n * positives / size, difference) + _deviance(
        n - p, n * negatives / size, -difference
    )
    p = positives - p
    outside = _deviance(p, rest * positives / size, -difference) + _deviance(
        rest - p, rest * negatives / size, difference
    )
    return inside + outside


@njit
def _statistics(n, p, n_objects, positives, direction, out):
    for i in range(len(n)):
        out[i] = _statistic(n[i], p[i], n_objects, positives, direction)


@njit
def _bound(n, n_objects, positives, direction):
    most = _statistic(n, min(n, positives), n_objects, positives, direction)
    least = _statistic(n, max(0, n - (n_objects - positives)), n_objects, positives, direction)
    return max(most, least)


@njit
def _largest_bound(first, end, n_objects, positives, direction):
    best = -math.inf
    for n in range(first, end):
        best = max(best, _bound(n, n_objects, positives, direction))
    return best


@njit
def _fold(counts, support, n_objects, positives, direction, best):
    # Few distinct counts occur at one support: each is evaluated once.
    smallest = counts.min()
    values = np.full(counts.max() - smallest + 1, -1.0)
    for world in range(len(counts)):
        at = counts[world] - smallest
        if values[at] < 0.0:
            values[at] = _statistic(support, np.int64(counts[world]), n_objects, positives, direction)
        if values[at] > best[world]:
            best[world] = values[at]


@njit
def _maxima(supports, low, high, n_objects, positives, direction, best):
    for i in range(len(supports)):
        if direction <= 0:
            _fold(low[i], supports[i], n_objects, positives, direction, best)
        if direction >= 0:
            _fold(high[i], supports[i], n_objects, positives, direction, best)


def direction_code(direction: str) -> int:
    """0 for ``both``, 1 for ``high``, -1 for ``low``.

    Raises
    ------
    ConfigurationError
        Any other name.
    """
    if direction not in DIRECTIONS:
        raise ConfigurationError(f"direction is {direction!r}, allowed are both, high and low")
    return DIRECTIONS[direction]


def statistic(n: int, p: int, n_objects: int, positives: int, direction: str = "both") -> float:
    """Log-likelihood ratio of one candidate.

    Parameters
    ----------
    n, p : int
        Members of the candidate and positives among them.
    n_objects, positives : int
        N and P, N below 2^31.
    direction : {"both", "high", "low"}
        With ``high`` (``low``) a candidate whose rate is not above (below) the overall rate gets 0.

    Returns
    -------
    float
        Natural logarithm, 0 or more.
    """
    return float(_statistic(int(n), int(p), int(n_objects), int(positives), direction_code(direction)))


def statistics(
    n: npt.NDArray[np.integer],
    p: npt.NDArray[np.integer],
    n_objects: int,
    positives: int,
    direction: str = "both",
) -> npt.NDArray[np.float64]:
    """Log-likelihood ratios of many candidates, the same bits as `statistic` for each."""
    out = np.empty(len(n), dtype=np.float64)
    _statistics(
        np.asarray(n, dtype=np.int64),
        np.asarray(p, dtype=np.int64),
        int(n_objects),
        int(positives),
        direction_code(direction),
        out,
    )
    return out


def bound(n: int, n_objects: int, positives: int, direction: str = "both") -> float:
    """Largest statistic that a candidate of support n can take in this direction.

    The statistic is convex in p, so it is taken at p = min(n, P) or at p = max(0, n - (N - P)). Not always increasing
    in n: N = 20, P = 3 gives 8.45 for n = 3 and 6.20 for n = 4.
    """
    return float(_bound(int(n), int(n_objects), int(positives), direction_code(direction)))


def support_bound(
    support: int, n_objects: int, positives: int, direction: str = "both", min_support: int = 1
) -> float:
    """B(s): the largest statistic of any candidate of support min_support to s - 1; -inf when there is none."""
    end = min(int(support), int(n_objects) + 1)
    return float(
        _largest_bound(int(min_support), end, int(n_objects), int(positives), direction_code(direction))
    )


def maxima(
    extremes: Extremes, n_objects: int, positives: int, direction: str = "both"
) -> npt.NDArray[np.float64]:
    """Largest statistic per world over the candidates counted.

    Parameters
    ----------
    extremes : Extremes
        Smallest and largest counts per support and world.
    n_objects, positives : int
        N and P.
    direction : {"both", "high", "low"}
        As in `statistic`.

    Returns
    -------
    float64 array of shape (worlds,)
        The same bits as the maximum of `statistic` over all candidates; 0 without candidates.
    """
    best = np.zeros(extremes.low.shape[1], dtype=np.float64)
    _maxima(
        extremes.supports,
        extremes.low,
        extremes.high,
        int(n_objects),
        int(positives),
        direction_code(direction),
        best,
    )
    return best
