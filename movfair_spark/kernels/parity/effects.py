"""How much two groups differ, with bootstrap intervals: the size of a difference beside its p-value.

Effects: mean difference in pooled standard deviations, logarithm of the ratio of standard deviations, differences of
skewness and of kurtosis. The pooled standard deviation is that of the two groups' errors taken together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from movfair_spark.kernels.parity.bootstrap import percentile_interval
from movfair_spark.kernels.parity.family import Family, Runner, Settings
from movfair_spark.kernels.parity.moments import weighted_moments
from movfair_spark.kernels.parity.tasks import BootstrapTask

#: Of the percentile intervals.
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Effect:
    """An effect with its percentile interval; None where not defined."""

    value: float | None
    low: float | None
    high: float | None
    undefined: int


@dataclass(frozen=True, eq=False)
class GroupDraws:
    """Bootstrap draws of one group, from the offset of its series: location and unit of `moments`."""

    n: int
    center: float
    scale: float
    moments: np.ndarray  # float64[draws, 4], in units of the group


def draw_groups(
    families: Sequence[Family], settings: Settings, run: Runner
) -> dict[tuple[int, int], GroupDraws]:
    """Draw each group of each family once; keyed by (number of the family, group)."""
    keys = [(i, g) for i, family in enumerate(families) for g in range(len(family.groups))]
    tasks = [
        BootstrapTask(
            series=families[i].series,
            group=g,
            seed=settings.seed,
            stream=(families[i].sensitive, families[i].groups[g]),
            repetitions=settings.bootstrap_draws,
        )
        for i, g in keys
    ]
    answers = run(list(tasks))
    result = {}
    for key, task, answer in zip(keys, tasks, answers, strict=True):
        _, counts, center, scale = task.unit
        result[key] = GroupDraws(int(counts.sum()), center, scale, answer)
    return result


def effects(family: Family, pair: tuple[int, int], a: GroupDraws, b: GroupDraws) -> list[Effect]:
    """Give the four effects of a pair, in the order of `moments.MOMENTS`."""
    data = family.series.pair(*pair)
    _, mean_a, var_a, skew_a, kurt_a = weighted_moments(data.z, data.counts[:, 0])
    _, mean_b, var_b, skew_b, kurt_b = weighted_moments(data.z, data.counts[:, 1])
    values = [mean_a - mean_b, _log_ratio(var_a, var_b), skew_a - skew_b, kurt_a - kurt_b]
    if data.constant:
        return [Effect(0.0, None, None, 0)] + [Effect(None, None, None, 0)] * 3
    drawn = _draws(data.center, data.scale, a, b)
    result = []
    for value, draws in zip(values, drawn, strict=True):
        low, high, undefined = percentile_interval(draws, CONFIDENCE)
        if math.isnan(value):
            low = high = math.nan
        result.append(Effect(_or_none(value), _or_none(low), _or_none(high), undefined))
    return result


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _log_ratio(var_a: float, var_b: float) -> float:
    return 0.5 * (math.log(var_a) - math.log(var_b)) if var_a > 0.0 and var_b > 0.0 else math.nan


def _draws(center: float, scale: float, a: GroupDraws, b: GroupDraws) -> list[np.ndarray]:
    # Everything in units of the observed pair; the pooled sd is that of each draw.
    mean_a = ((a.center - center) + a.scale * a.moments[:, 0]) / scale
    mean_b = ((b.center - center) + b.scale * b.moments[:, 0]) / scale
    unit_a, unit_b = a.scale / scale, b.scale / scale
    var_a, var_b = a.moments[:, 1] * (unit_a * unit_a), b.moments[:, 1] * (unit_b * unit_b)
    share_a, share_b = a.n / (a.n + b.n), b.n / (a.n + b.n)
    gap = mean_a - mean_b
    pooled = share_a * var_a + share_b * var_b + share_a * share_b * (gap * gap)
    standard = np.array([g / math.sqrt(p) if p > 0.0 else math.nan for g, p in zip(gap, pooled, strict=True)])
    ratio = np.array([_log_ratio(x, y) for x, y in zip(var_a.tolist(), var_b.tolist(), strict=True)])
    skewness = a.moments[:, 2] - b.moments[:, 2]
    return [standard, ratio, skewness, a.moments[:, 3] - b.moments[:, 3]]
