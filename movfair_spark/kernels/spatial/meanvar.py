"""MeanVar of Xie et al. (2022), as the spatial fairness paper describes it (section 2.2).

var_j is the mean, over the occupied cells of partitioning j, of (rate - mean rate of those cells)²; MeanVar is the mean of
var_j. A cell contributes (rate - mean)²/(cells_j·partitionings). Sparse cells with extreme rates rank first: that is what
the paper criticises.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: Contributions that agree to this many significant digits are equal: (0.3 - 0.5)² and (0.7 - 0.5)² differ by rounding alone.
DIGITS = 12


@dataclass(frozen=True)
class MeanVar:
    """MeanVar and its cells.

    Attributes
    ----------
    value : float
    variances : tuple of float
        var_j.
    contributions : float64 array of shape (cells,)
        Of the cells in the order given, partitioning after partitioning; they add up to the value.
    ranking : int64 array of shape (cells,)
        Positions of the cells by contribution, then larger n, then partitioning, then cell.
    """

    value: float
    variances: tuple[float, ...]
    contributions: npt.NDArray[np.float64]
    ranking: npt.NDArray[np.int64]


def meanvar(counts: Sequence[tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]]) -> MeanVar:
    """Compute MeanVar over partitionings.

    Parameters
    ----------
    counts : sequence of (n, p)
        Of each partitioning the occupied cells in order: people and positives, integer arrays of equal length, n > 0.
    """
    contributions, variances = [], []
    for n, p in counts:
        rates = np.asarray(p, dtype=np.float64) / np.asarray(n, dtype=np.float64)
        mean = math.fsum(rates) / len(rates)
        squares = (rates - mean) * (rates - mean)
        variances.append(math.fsum(squares) / len(rates))
        contributions.append(squares / (len(rates) * len(counts)))
    together = np.concatenate(contributions)
    sizes = np.concatenate([np.asarray(n, dtype=np.int64) for n, _ in counts])
    rounded = np.array([float(f"{value:.{DIGITS - 1}e}") for value in together])
    # Positions already stand by partitioning and cell; lexsort keeps them where the rest is equal.
    ranking = np.lexsort((-sizes, -rounded))
    return MeanVar(math.fsum(variances) / len(variances), tuple(variances), together, ranking)
