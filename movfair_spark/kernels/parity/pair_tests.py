"""Which groups differ, and in what? Permutation within each pair of groups (paper, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from movfair_spark.kernels.parity.enumeration import enumerate_pair, splits_exceed
from movfair_spark.kernels.parity.family import Family, Runner, Settings
from movfair_spark.kernels.parity.moments import STATISTICS, compare, floors, weighted_moments
from movfair_spark.kernels.parity.p_values import p_value
from movfair_spark.kernels.parity.tasks import PairTask

#: Series that share one draw in one task: their sorted values together stay below this many numbers.
_TASK_VALUES = 4_000_000


@dataclass(frozen=True, eq=False)
class PairCount:
    """Observed statistics of a pair and their p-values, in the order of `moments.STATISTICS`."""

    statistics: np.ndarray  # float64[6], pooled-sd units; NaN where not defined
    scale: float
    p_values: tuple[Fraction | None, ...]
    repetitions: int
    exact: bool


def pairs_of(family: Family) -> list[tuple[int, int]]:
    """All pairs of groups, in the order of the groups."""
    return list(combinations(range(len(family.groups)), 2))


def observed(family: Family, pair: tuple[int, int]) -> tuple[np.ndarray, float]:
    """Compute the six statistics of a pair, a minus b, in units of the pooled sd, and that sd."""
    data = family.series.pair(*pair)
    n_a, mean_a, var_a, skew_a, kurt_a = weighted_moments(data.z, data.counts[:, 0])
    n_b, mean_b, var_b, skew_b, kurt_b = weighted_moments(data.z, data.counts[:, 1])
    statistics = compare(n_a, mean_a, var_a, skew_a, kurt_a, n_b, mean_b, var_b, skew_b, kurt_b)
    return np.array(statistics), data.scale


def pair_counts(
    families: Sequence[Family], settings: Settings, run: Runner
) -> dict[tuple[int, tuple[int, int]], PairCount]:
    """Permute every pair of every family.

    Pairs of the same two groups in the same sizes (other models, other metrics) share their draws; each of the
    tests is valid by itself, and the p-values of one table move together.

    Returns
    -------
    dict
        Keyed by (number of the family, pair).
    """
    seen = {
        (i, pair): observed(family, pair) for i, family in enumerate(families) for pair in pairs_of(family)
    }
    result: dict[tuple[int, tuple[int, int]], PairCount] = {}
    shared: dict[tuple[object, ...], list[tuple[int, tuple[int, int]]]] = {}
    for key, (statistics, scale) in seen.items():
        i, (a, b) = key
        family = families[i]
        data = family.series.pair(a, b)
        n_a, n_b = data.sizes
        if data.constant:
            # Every split gives the same: no difference, whatever the labels.
            result[key] = PairCount(
                statistics, scale, (Fraction(1), Fraction(1), None, None, None, None), 0, True
            )
        elif not splits_exceed(n_a, n_b, settings.pair_permutations):
            z = np.repeat(data.z, data.counts.sum(axis=1))[None, :]
            counts, splits = enumerate_pair(z, n_a, floors(statistics)[None, :])
            result[key] = _count(statistics, scale, counts[0], int(splits), exact=True)
        else:
            alone = i if family.series.by_counts else None
            names = (family.sensitive, family.groups[a], family.groups[b])
            shared.setdefault((*names, n_a, n_b, alone), []).append(key)
    tasks: list[PairTask] = []
    owners: list[list[tuple[int, tuple[int, int]]]] = []
    for stream, keys in shared.items():
        i, (a, b) = keys[0]
        sizes = families[i].series.sizes
        step = max(1, _TASK_VALUES // int(sizes[a] + sizes[b]))
        for start in range(0, len(keys), step):
            some = keys[start : start + step]
            tasks.append(
                PairTask(
                    series=tuple(families[i].series for i, _ in some),
                    groups=tuple(pair for _, pair in some),
                    floors=np.stack([floors(seen[key][0]) for key in some]),
                    seed=settings.seed,
                    stream=stream[:3],
                    repetitions=settings.pair_permutations,
                )
            )
            owners.append(some)
    for some, counts in zip(owners, run(list(tasks)), strict=True):
        for key, row in zip(some, counts, strict=True):
            result[key] = _count(*seen[key], row, settings.pair_permutations, exact=False)
    return result


def _count(
    statistics: np.ndarray, scale: float, reached: np.ndarray, repetitions: int, *, exact: bool
) -> PairCount:
    p_values = tuple(
        None if np.isnan(statistics[s]) else p_value(int(reached[s]), repetitions, exact=exact)
        for s in range(len(STATISTICS))
    )
    return PairCount(statistics, scale, p_values, repetitions, exact)
