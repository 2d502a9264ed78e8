"""Support bound of the Normal model: the largest score that any candidate of each support can have."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.models.bounds import combine
from movfair_spark.models.normal_kernels import score, weighted_scale
from movfair_spark.models.normal_moments import Moments, members_of


def scores_of_supports(m: Moments, end: int, direction: int) -> npt.NDArray[np.float64]:
    """Largest score of candidates of support 0 to end - 1, without weights.

    One stratum: the m largest or the m smallest values. With strata, (sum of S_s)²/(sum of V_s) is at most the sum of
    S_s²/V_s, so the best way to spread the members over strata bounds it; a perfect split is +inf.

    Parameters
    ----------
    m : Moments
    end : int
        At most N + 1.
    direction : {-1, 0, 1}

    Returns
    -------
    float64 array of shape (end,)
    """
    if len(m.sizes) == 1:
        return _of_one(np.sort(m.centred)[::-1].copy(), end, m.perfect, direction, float(m.n))
    best = np.full(end, -math.inf)
    best[0] = 0.0
    for members in members_of(m.strata, len(m.sizes)):
        own = _of_one(
            np.sort(m.centred[members])[::-1].copy(),
            min(end, len(members) + 1),
            math.inf,
            direction,
            float(len(members)),
        )
        best = combine(best, own)
    if m.perfect < math.inf:
        fewest = min(np.count_nonzero(m.centred > 0), np.count_nonzero(m.centred < 0))
        best[min(fewest, end) :] = math.inf
    return best


@njit
def _of_one(descending, end, perfect, direction, size):
    out = np.zeros(end, dtype=np.float64)
    n = len(descending)
    top = 0.0
    bottom = 0.0
    for m in range(1, min(end, n)):
        top += descending[m - 1]
        bottom += descending[n - m]
        scale = weighted_scale(float(m), size)
        out[m] = max(
            score(top, scale, perfect, 0.0, direction), score(bottom, scale, perfect, 0.0, direction)
        )
    return out
