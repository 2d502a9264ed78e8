"""What is analysed, with which settings, and what comes out: plain records, no computation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from movfair_spark.kernels.parity.series import Moments, Series
from movfair_spark.kernels.parity.tasks import Task

#: Does all repetitions of all tasks, somewhere, and gives the joined answer of each.
Runner = Callable[[list[Task]], list[np.ndarray]]


@dataclass(frozen=True)
class Settings:
    """Settings of the tests; counts are numbers of repetitions."""

    alpha: float = 0.01
    permutations: int = 9_999
    pair_permutations: int = 100_000
    bootstrap_draws: int = 2_000
    seed: int = 1


@dataclass(frozen=True, eq=False)
class Family:
    """One Holm family: the errors of one model by one metric in the groups of one sensitive column."""

    model: str
    metric: str
    sensitive: str
    groups: tuple[str, ...]
    series: Series


@dataclass(frozen=True)
class DistributionTest:
    """Anderson-Darling test of one family: whether its errors are distributed alike in all groups."""

    statistic: float | None  # A², Scholz & Stephens' equation 7
    standardised: float | None  # (A² − (k − 1)) / σ
    p_value: Fraction
    repetitions: int
    exact: bool
    smallest: float
    approximation: float | None
    approximation_text: str
    rejected: bool
    note: str


@dataclass(frozen=True)
class MomentTest:
    """Post hoc test of one moment of one pair of groups."""

    group_a: str
    group_b: str
    moments_a: Moments
    moments_b: Moments
    moment: str
    difference: float | None  # a − b, in the moment's own unit
    p_value: Fraction | None
    repetitions: int
    exact: bool
    smallest: float
    p_holm: Fraction | None
    family_size: int
    p_studentised: Fraction | None
    mark: str  # 'bold', 'dagger' or ''
    effect: float | None
    effect_low: float | None
    effect_high: float | None
    undefined_draws: int
    note: str


@dataclass(frozen=True, eq=False)
class Result:
    """Both tests of a family."""

    family: Family
    test: DistributionTest
    moments: tuple[MomentTest, ...]
