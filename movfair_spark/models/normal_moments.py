"""What the Normal statistic needs of the tested values: centred values, their squares, the sum of a perfect split."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Moments(NamedTuple):
    """Moments of tested values.

    Attributes
    ----------
    n, total, squares
        N, W, and SST (with strata the sum of SST_s).
    perfect, perfect_scale
        A candidate whose abs(S) reaches `perfect` and whose 1/V reaches `perfect_scale` splits the values without rest;
        +inf when none does.
    mean
        Weighted mean of all values.
    centred, weights, lift
        w(x - mean), of each stratum its own mean; w; mean of the stratum less mean of all. float64[N].
    strata, sizes
        Stratum of each object, int64[N]; objects per stratum, int64[S].
    """

    n: int
    total: float
    squares: float
    perfect: float
    perfect_scale: float
    mean: float
    centred: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    lift: npt.NDArray[np.float64]
    strata: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]


def moments(
    values: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64] | None,
    strata: npt.NDArray[np.int64] | None,
) -> Moments:
    """Compute the moments; sums are exact (`math.fsum`), so that the order of objects changes no bit.

    Parameters
    ----------
    values : float64 array of shape (N,)
    weights : float64 array of shape (N,), optional
    strata : int64 array of shape (N,), optional
        0 or more.
    """
    x = np.asarray(values, dtype=np.float64)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    codes = np.zeros(len(x), dtype=np.int64) if strata is None else np.asarray(strata, dtype=np.int64)
    sizes = np.bincount(codes, minlength=1).astype(np.int64)
    total = math.fsum(w)
    # Centred on a value first: exact for values like 1e9 + 1, whose mean loses their differences' digits.
    origin = float(x.min()) if len(x) else 0.0
    shifted = x - origin
    mean = math.fsum(w * shifted) / total if len(x) else 0.0
    centred, lift = np.zeros(len(x)), np.zeros(len(x))
    squares = []
    for members in members_of(codes, len(sizes)):
        own = shifted[members] - shifted[members].min()
        middle = math.fsum(w[members] * own) / math.fsum(w[members])
        lift[members] = middle + float(shifted[members].min()) - mean
        if own.any():
            centred[members] = w[members] * (own - middle)
            squares.append(math.fsum(centred[members] * (own - middle)))
    perfect, perfect_scale = _perfect(x, centred, codes, sizes)
    return Moments(
        len(x),
        total,
        math.fsum(squares),
        perfect,
        0.0 if strata is None else perfect_scale,
        origin + mean,
        centred,
        w,
        lift,
        codes,
        sizes,
    )


def members_of(codes: npt.NDArray[np.int64], n_strata: int) -> list[npt.NDArray[np.int64]]:
    """Objects of each stratum that has some, ascending."""
    order = np.argsort(codes, kind="stable")
    cuts = np.searchsorted(codes[order], np.arange(1, n_strata))
    return [members for members in np.split(order, cuts) if len(members)]


def _perfect(
    x: npt.NDArray[np.float64],
    centred: npt.NDArray[np.float64],
    codes: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
) -> tuple[float, float]:
    """Least abs(S) and 1/V of a candidate that explains the values wholly; (+inf, 0) when there is none.

    Every stratum must hold one value, or two the same step apart; the candidate then is the holders of the larger (or
    of the smaller) ones, and holds strata of one value whole or not at all.
    """
    steps, v = set(), 0.0
    for members in members_of(codes, len(sizes)):
        distinct = np.unique(x[members])
        if len(distinct) > 2:
            return math.inf, 0.0
        if len(distinct) == 2:
            steps.add(Fraction(float(distinct[1])) - Fraction(float(distinct[0])))
            upper = int(np.count_nonzero(x[members] == distinct[1]))
            v += upper * (len(members) - upper) / len(members)
    if len(steps) != 1:
        return math.inf, 0.0
    # Half a smallest step apart from the next sum that two values allow.
    largest = math.fsum(centred[centred > 0])
    return largest - float(np.abs(centred[centred != 0]).min()) / 2, 1.0 / (v + 0.25)
