"""Monte Carlo significance: ties, p-values and the critical value, for every model the same rule.

T_b >= T means T_b >= T - 1e-9·max(1, |T|), and +inf equals +inf. This file is the only place where that is decided.
"""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Decimal

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels._jit import njit

#: Statistics nearer than this, relative to max(1, |T|), are tied.
TOLERANCE = 1e-9


@njit
def tie_limit(statistic: float) -> float:
    """Give the smallest value that counts as reaching the statistic: T - 1e-9·max(1, |T|), +inf for +inf."""
    if math.isinf(statistic):
        return statistic
    return statistic - TOLERANCE * max(1.0, abs(statistic))


def reaches(simulated: float, statistic: float) -> bool:
    """Tell whether a simulated maximum is at least as extreme as the statistic."""
    return simulated >= tie_limit(statistic)


def exceeds(value: float, statistic: float) -> bool:
    """Tell whether a value is larger than the statistic and not tied with it."""
    return not reaches(statistic, value)


@njit
def exceeding(values, statistic):
    """Mark the values that are larger than the statistic and not tied with it: `exceeds` for each, bool[k]."""
    found = np.zeros(len(values), dtype=np.bool_)
    for i in range(len(values)):
        found[i] = tie_limit(values[i]) > statistic
    return found


def n_reaching(null: npt.NDArray[np.float64], statistic: float) -> int:
    """Count the simulated maxima at least as extreme as the statistic."""
    return int(np.count_nonzero(np.asarray(null) >= tie_limit(statistic)))


def p_value(statistic: float, null: npt.NDArray[np.float64]) -> float:
    """Monte Carlo p-value (1 + #{T_b >= T}) / (n + 1) (paper 4.5, stage 8).

    Parameters
    ----------
    statistic : float
        Statistic of a candidate, or the observed maximum.
    null : float64 array of shape (n,)
        Simulated maxima, one per world.
    """
    return (1 + n_reaching(null, statistic)) / (len(null) + 1)


def p_values(statistics: npt.NDArray[np.float64], null: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """`p_value` for many statistics, the same bits."""
    limits = np.array([tie_limit(float(t)) for t in statistics], dtype=np.float64)
    below = np.searchsorted(np.sort(np.asarray(null, dtype=np.float64)), limits, side="left")
    return (1 + len(null) - below) / (len(null) + 1)


def critical_rank(n_simulations: int, alpha: float | str | Decimal) -> int:
    """Rank k = floor(alpha·(n + 1)) of the critical value among the simulated maxima, largest first.

    Decimal arithmetic on the shortest form of alpha: floor(0.043·5000) is 215, not 214.

    Raises
    ------
    ConfigurationError
        alpha is not between 0 and 1, or k is 0: no p-value could reach alpha.
    """
    level = Decimal(str(alpha))
    if not 0 < level < 1:
        raise ConfigurationError(f"alpha is {alpha}, it must lie between 0 and 1")
    rank = int((level * (n_simulations + 1)).to_integral_value(ROUND_FLOOR))
    if rank < 1:
        smallest = math.ceil(1 / level) - 1
        raise ConfigurationError(
            f"With {n_simulations} simulations no p-value can reach alpha = {alpha}",
            f"Set n_simulations to at least {smallest}",
        )
    return rank


def critical_value(null: npt.NDArray[np.float64], alpha: float | str | Decimal) -> float:
    """Take the k-th largest simulated maximum, k = floor(alpha·(n + 1)): a statistic above it has p <= alpha.

    Above is meant as in `exceeds`.

    Raises
    ------
    ConfigurationError
        As `critical_rank`.
    """
    rank = critical_rank(len(null), alpha)
    return float(np.sort(np.asarray(null, dtype=np.float64))[len(null) - rank])


def randomised_p_value(statistic: float, null: npt.NDArray[np.float64], u: float) -> float:
    """Randomised p-value (#{T_b > T} + U·(1 + #{T_b = T})) / (n + 1), exactly uniform under the null.

    Ties are those of the tolerance rule. For checks of calibration, never for a verdict: the plain p-value is
    conservative because the null is discrete.

    Parameters
    ----------
    statistic : float
        Observed maximum.
    null : float64 array of shape (n,)
        Simulated maxima.
    u : float
        A uniform number of [0, 1), drawn for this data set alone.
    """
    null = np.asarray(null, dtype=np.float64)
    reaching = n_reaching(null, statistic)
    above = int(sum(exceeds(float(value), statistic) for value in null[null >= tie_limit(statistic)]))
    return (above + u * (1 + reaching - above)) / (len(null) + 1)
