"""Small data for tests of the error parity kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from movfair_spark.kernels.parity.family import Family
from movfair_spark.kernels.parity.series import Series, series_of


def series(groups: Sequence[Sequence[float]], **options: object) -> Series:
    """One series from a list of values per group."""
    values = np.concatenate([np.asarray(group) for group in groups])
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return series_of(values, labels, np.ones(values.size, dtype=np.int64), len(groups), **options)  # type: ignore[arg-type]


def family(groups: Sequence[Sequence[float]], model: str = "m", **options: object) -> Family:
    """One family of groups a, b, c, ..."""
    names = tuple("abcdefghij"[: len(groups)])
    return Family(model, "difference", "group", names, series(groups, **options))
