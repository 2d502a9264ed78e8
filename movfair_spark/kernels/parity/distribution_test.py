"""Do the errors have the same distribution in all groups? (paper, section 3.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from movfair_spark.kernels.parity.ad_approximation import Approximation, approximate
from movfair_spark.kernels.parity.anderson_darling import (
    midrank_of_counts,
    midrank_of_labels,
    midrank_weights,
    standardised,
)
from movfair_spark.kernels.parity.enumeration import enumerate_anderson_darling, labelings_exceed
from movfair_spark.kernels.parity.family import DistributionTest, Family, Runner, Settings
from movfair_spark.kernels.parity.moments import floor_of
from movfair_spark.kernels.parity.p_values import at_most, p_value, smallest_attainable
from movfair_spark.kernels.parity.series import Series
from movfair_spark.kernels.parity.tasks import AndersonDarlingTask

CONSTANT = "all errors are equal: nothing to test"


def statistic_of(series: Series) -> float:
    """A² with midranks; NaN when all errors are equal."""
    if series.values.size < 2:
        return math.nan
    ends, weights = midrank_weights(series.multiplicities)
    if series.by_counts:
        _, table = series.table(tuple(range(series.n_groups)))
        return float(midrank_of_counts(table, weights))
    return float(midrank_of_labels(series.labels(), ends, weights, series.sizes))


def distribution_tests(families: Sequence[Family], settings: Settings, run: Runner) -> list[DistributionTest]:
    """Anderson-Darling tests of all families; the permutation p-value decides.

    All labelings are enumerated when there are no more of them than permutations asked for.
    """
    statistics = [statistic_of(family.series) for family in families]
    counted: dict[int, tuple[int, int, bool]] = {}
    tasks, owners = [], []
    for i, (family, statistic) in enumerate(zip(families, statistics, strict=True)):
        if math.isnan(statistic):
            continue
        sizes = family.series.sizes
        if labelings_exceed(sizes.tolist(), settings.permutations):
            tasks.append(
                AndersonDarlingTask(
                    family.series,
                    floor_of(statistic),
                    settings.seed,
                    (family.sensitive,),
                    settings.permutations,
                )
            )
            owners.append(i)
        else:
            ends, weights = midrank_weights(family.series.multiplicities)
            reached, labelings = enumerate_anderson_darling(ends, weights, sizes, floor_of(statistic))
            counted[i] = (int(reached), int(labelings), True)
    for i, answer in zip(owners, run(list(tasks)), strict=True):
        counted[i] = (int(answer[0]), settings.permutations, False)
    return [
        _test(family.series.sizes, statistic, counted.get(i), settings)
        for i, (family, statistic) in enumerate(zip(families, statistics, strict=True))
    ]


def _test(
    sizes: np.ndarray, statistic: float, counted: tuple[int, int, bool] | None, settings: Settings
) -> DistributionTest:
    reached, repetitions, exact = counted or (1, 1, True)
    p = p_value(reached, repetitions, exact=exact)
    standard = standardised(statistic, sizes)
    near = approximate(standard, int(sizes.size)) if counted else Approximation(None, "not defined")
    return DistributionTest(
        statistic=statistic if counted else None,
        standardised=None if math.isnan(standard) else standard,
        p_value=p,
        repetitions=repetitions if counted else 0,
        exact=exact,
        smallest=smallest_attainable(sizes.tolist()),
        approximation=near.p_value,
        approximation_text=near.text,
        rejected=bool(counted) and at_most(p, settings.alpha),
        note="" if counted else CONSTANT,
    )
