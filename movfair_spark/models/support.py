"""Lowering the support: which candidates may be left out without changing any result.

A candidate of support below s cannot exceed B(s). Once every simulated maximum and the observed one, taken over the
candidates of support s and more, exceed B(s), no candidate below s can change any of them: every T_b, p-value and
verdict is exact. Maxima only grow when further supports are admitted, so the certificate that the first round's
maxima ask for is enough: two rounds do. Nulls per zoning have their own s, B and certificate each.

Where a ceiling stops the lowering earlier, maxima above B(s) stay exact and the others are censored: known only to be
at most B(s).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from movfair_spark.models.significance import critical_value, exceeds, n_reaching

#: B(s) of a model: the largest statistic of a candidate whose support lies in min_support..s-1, -inf if there is none.
SupportBound = Callable[[int], float]


@dataclass(frozen=True)
class Statement:
    """What may be said about an observed statistic.

    Attributes
    ----------
    p_value : float
        The p-value; with ``exact`` false a lower bound of it.
    exact : bool
        Whether the statistic and its rank among the simulated maxima are known.
    """

    p_value: float
    exact: bool


def starting_support(bound: SupportBound, n_objects: int, min_support: int) -> int:
    """Guess the support of the first round.

    The smallest of many simulated maxima lies near ln N (10.8 to 11.2 at the paper's size, ln 100,000 = 11.5). The guess
    decides the time that is spent, never a result: one support too low costs a tenth more memberships, one too high
    a second walk over the candidates. So it is made 1 below.

    Parameters
    ----------
    bound : callable
        B(s).
    n_objects : int
        N.
    min_support : int
        Smallest support of a candidate.

    Returns
    -------
    int
        The largest s with B(s) below ln N - 1, at least min_support.
    """
    return largest_support(bound, math.log(max(2, n_objects)) - 1.0, min_support, n_objects)


def largest_support(bound: SupportBound, value: float, min_support: int, n_objects: int) -> int:
    """Largest s in min_support..N + 1 for which the value exceeds B(s) (B never decreases in s)."""
    low, high = min_support, min_support + 1
    # Doubling steps first: evaluating B(s) costs s bounds, and s is small against N.
    while high <= n_objects + 1 and exceeds(value, bound(high)):
        low, high = high, 2 * high
    high = min(high, n_objects + 2)
    while high - low > 1:
        middle = (low + high) // 2
        if exceeds(value, bound(middle)):
            low = middle
        else:
            high = middle
    return low


def certified(bound: float, maxima: npt.NDArray[np.float64], observed: float | None = None) -> bool:
    """Tell whether every simulated maximum and the observed one exceed B(s), by the rule of ties.

    Parameters
    ----------
    bound : float
        B(s).
    maxima : float64 array of shape (n,)
        Maxima over the candidates of support s and more.
    observed : float, optional
        The observed maximum over the same candidates; left out where only the null is drawn.
    """
    return exceeds(_smallest(maxima, observed), bound)


def next_support(
    support: int,
    bound: SupportBound,
    maxima: npt.NDArray[np.float64],
    observed: float | None,
    min_support: int,
) -> int:
    """Support of the next round; the same as `support` when nothing is left to do.

    Parameters
    ----------
    support : int
        s of the rounds done.
    bound : callable
        B(s).
    maxima, observed
        As in `certified`, over support s and more.
    min_support : int
        Smallest support of a candidate.

    Returns
    -------
    int
        The largest s' <= s whose B(s') all these maxima exceed; at min_support B is -inf and always exceeded.
    """
    if support <= min_support or certified(bound(support), maxima, observed):
        return support
    return min(support, largest_support(bound, _smallest(maxima, observed), min_support, support))


def censored(bound: float, maxima: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Mark the simulated maxima that are known only to be at most B(s): those that do not exceed it."""
    return np.array([not exceeds(float(value), bound) for value in maxima], dtype=np.bool_)


def statement(statistic: float, bound: float, maxima: npt.NDArray[np.float64]) -> Statement:
    """Say what is known of the p-value of a statistic when candidates below s were left out.

    Above B(s) the statistic and its rank are exact. At or below, the observed maximum itself is uncertain, and the
    p-value is at least (1 + #{T_b > B}) / (n + 1).
    """
    if exceeds(statistic, bound):
        return Statement((1 + n_reaching(maxima, statistic)) / (len(maxima) + 1), True)
    return Statement((1 + int(np.count_nonzero(~censored(bound, maxima)))) / (len(maxima) + 1), False)


def verdict_possible(bound: float, maxima: npt.NDArray[np.float64], alpha: float | str | Decimal) -> bool:
    """Tell whether a verdict may be given at this alpha: only when the critical value exceeds B(s)."""
    return exceeds(critical_value(maxima, alpha), bound)


def _smallest(maxima: npt.NDArray[np.float64], observed: float | None) -> float:
    smallest = float(maxima.min()) if len(maxima) else math.inf
    return smallest if observed is None else min(smallest, float(observed))
