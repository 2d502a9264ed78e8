"""One series of errors: its distinct values and how often each occurs in each group.

This is all that the tests need to know, whatever the order and number of the rows. ``rows`` series are permuted row
by row, ``counts`` series value by value (`draws_of_counts`): the latter is for many rows on few distinct values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from movfair_spark.kernels.parity.moments import weighted_moments


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of one group in the unit of the errors; None where not defined."""

    n: int
    mean: float
    variance: float
    sd: float
    skewness: float | None
    kurtosis: float | None


@dataclass(frozen=True, eq=False)
class Pair:
    """Two groups of a series: distinct values in pooled-sd units, with the counts of both groups."""

    z: np.ndarray  # float64[K], ascending
    counts: np.ndarray  # int64[K, 2]
    center: float  # pooled mean, from the series' offset
    scale: float  # pooled sd (ddof 0); 1 when all errors are equal

    @property
    def sizes(self) -> tuple[int, int]:
        """Members of the two groups."""
        return int(self.counts[:, 0].sum()), int(self.counts[:, 1].sum())

    @property
    def constant(self) -> bool:
        """Whether all errors of both groups are equal."""
        return self.z.size < 2


@dataclass(frozen=True, eq=False)
class Series:
    """Errors of one model, by one metric, in the groups of one sensitive column.

    Parameters
    ----------
    values : float64[K] or int64[K]
        Distinct errors, ascending. Integers stay integers until a nearby one was subtracted: none is lost
        beyond 2^53.
    level, group, count : int32, int16, int64 arrays of equal length
        ``count`` members of ``group`` have the value ``values[level]``; ordered by level, then group.
    n_groups : int
    by_counts : bool
        Permute value by value instead of row by row.
    rounding : float
        Errors were moved by at most this share of their distance from the pooled mean (0: exact).
    """

    values: np.ndarray
    level: np.ndarray
    group: np.ndarray
    count: np.ndarray
    n_groups: int
    by_counts: bool = False
    rounding: float = 0.0

    @property
    def sizes(self) -> np.ndarray:
        """int64[n_groups]: members of each group."""
        sizes = np.zeros(self.n_groups, dtype=np.int64)
        np.add.at(sizes, self.group, self.count)
        return sizes

    @property
    def multiplicities(self) -> np.ndarray:
        """int64[K]: members on each value."""
        result = np.zeros(self.values.size, dtype=np.int64)
        np.add.at(result, self.level, self.count)
        return result

    def table(self, groups: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Values that occur in these groups, and their counts (int64[K', len(groups)])."""
        counts = np.zeros((self.values.size, len(groups)), dtype=np.int64)
        for column, group in enumerate(groups):
            mine = self.group == group
            counts[self.level[mine], column] = self.count[mine]
        used = counts.any(axis=1)
        return self.values[used], counts[used]

    def first_groups(self, n: int) -> Series:
        """Give the same series without the groups from number ``n`` on."""
        mine = self.group < n
        used, level = np.unique(self.level[mine], return_inverse=True)
        return replace(
            self,
            values=self.values[used],
            level=level.astype(np.int32),
            group=self.group[mine],
            count=self.count[mine],
            n_groups=n,
        )

    def labels(self) -> np.ndarray:
        """int16[N]: group of each row, rows ascending by value."""
        return np.repeat(self.group, self.count)

    def moments(self, group: int | None) -> Moments:
        """Moments of one group, or of all together (None), in the unit of the errors."""
        if group is None:
            values, counts = self.values, self.multiplicities
        else:
            values, table = self.table((group,))
            counts = table[:, 0]
        start, factor, inside = _near_one(values, counts)
        n, mean, variance, skewness, kurtosis = weighted_moments(inside, counts)
        sd = math.sqrt(variance) * factor
        return Moments(
            n=int(n),
            mean=float(start + mean * factor),
            variance=sd * sd,
            sd=sd,
            skewness=None if math.isnan(skewness) else float(skewness),
            kurtosis=None if math.isnan(kurtosis) else float(kurtosis),
        )

    def pair(self, a: int, b: int) -> Pair:
        """Two groups in units of their pooled standard deviation, about their pooled mean."""
        values, counts = self.table((a, b))
        z, center, scale = standardise(values, counts.sum(axis=1))
        return Pair(z, counts, center, scale)


def _near_one(values: np.ndarray, counts: np.ndarray) -> tuple[int | float, float, np.ndarray]:
    # Distance from the weighted median, divided by a power of two: neither an offset nor a scale costs digits.
    if values.size == 0:
        return 0, 1.0, values
    start = values[np.searchsorted(np.cumsum(counts), (counts.sum() + 1) // 2)].item()
    if isinstance(start, int):
        gaps = np.array([float(value - start) for value in values.tolist()])
    else:
        gaps = values - start
    largest = float(np.abs(gaps).max())
    factor = math.ldexp(1.0, math.frexp(largest)[1]) if largest > 0.0 else 1.0
    return start, factor, gaps / factor


def standardise(values: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Shift distinct values by their mean and scale them by their sd, for the arithmetic only.

    Returns
    -------
    z : float64[K]
    center, scale : float
        ``values = center + scale * z``; scale 1 when there is one value only.
    """
    start, factor, inside = _near_one(values, counts)
    _, mean, variance, _, _ = weighted_moments(inside, counts)
    sd = math.sqrt(variance) if variance > 0.0 else 1.0
    return (inside - mean) / sd, start + mean * factor, sd * factor


def series_of(
    values: np.ndarray,
    groups: np.ndarray,
    counts: np.ndarray,
    n_groups: int,
    *,
    by_counts: bool = False,
    rounding: float = 0.0,
) -> Series:
    """Build a series from long form: one entry per value and group, in any order.

    Parameters
    ----------
    values : float64[m] or int64[m]
        Errors; integers stay exact.
    groups : integer[m]
        Group numbers below ``n_groups``.
    counts : integer[m]
        Rows of each entry; entries of the same value and group are added.
    """
    distinct, level = np.unique(values, return_inverse=True)
    key = level.astype(np.int64) * n_groups + groups.astype(np.int64)
    keys, where = np.unique(key, return_inverse=True)
    total = np.zeros(keys.size, dtype=np.int64)
    np.add.at(total, where, counts.astype(np.int64))
    return Series(
        values=distinct.astype(np.int64 if np.issubdtype(distinct.dtype, np.integer) else np.float64),
        level=(keys // n_groups).astype(np.int32),
        group=(keys % n_groups).astype(np.int16),
        count=total,
        n_groups=n_groups,
        by_counts=by_counts,
        rounding=rounding,
    )
