"""Work that can be done anywhere: a task knows its data and its stream, and answers for any range of repetitions.

A task answers with counts that add up, or with draws that are laid side by side, so that the whole is the same bits
for every way of cutting the repetitions into ranges and of handing these to threads, partitions or executors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from movfair_spark.kernels.parity.ad_permutation import permute_anderson_darling
from movfair_spark.kernels.parity.bootstrap import bootstrap_counts, bootstrap_rows
from movfair_spark.kernels.parity.counts import permute_anderson_darling_counts, permute_pair_counts
from movfair_spark.kernels.parity.pair import permute_pair
from movfair_spark.kernels.parity.philox import key_of
from movfair_spark.kernels.parity.series import Series, standardise

Stream = tuple[object, ...]

# Measured nanoseconds, for balance only: a drawn row, a row added to one series, a value of a table.
_DRAW, _ADD, _CELL = 9.0, 3.5, 250.0


class Task(Protocol):
    """A number of repetitions and how to do some of them."""

    @property
    def repetitions(self) -> int:
        """How many there are in all."""

    @property
    def nanoseconds(self) -> float:
        """Estimated time of one repetition on one core."""

    def run(self, first: int, last: int) -> np.ndarray:
        """Repetitions ``first`` to ``last - 1``."""

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Put the answers of consecutive ranges together."""


@dataclass(frozen=True, eq=False)
class PairTask:
    """Permutations within one pair of groups, for one or more series in which both groups have the same sizes.

    ``run`` answers int64[V, 6]: how many permutations reach ``floors[v, s]``.
    """

    series: tuple[Series, ...]
    groups: tuple[tuple[int, int], ...]
    floors: np.ndarray
    seed: int
    stream: Stream
    repetitions: int

    @cached_property
    def _data(self) -> tuple[np.ndarray, np.ndarray, int]:
        pairs = [one.pair(*groups) for one, groups in zip(self.series, self.groups, strict=True)]
        small = min(pairs[0].sizes)
        multiplicities = pairs[0].counts.sum(axis=1)
        if self.series[0].by_counts:
            return pairs[0].z[None, :], multiplicities, small
        z = np.stack([np.repeat(pair.z, pair.counts.sum(axis=1)) for pair in pairs])
        return z, multiplicities, small

    @property
    def nanoseconds(self) -> float:
        """Estimated time of one permutation."""
        if self.series[0].by_counts:
            return _CELL * self.series[0].values.size
        sizes = self.series[0].sizes
        a, b = (int(sizes[group]) for group in self.groups[0])
        return min(a, b) * (_DRAW + _ADD * len(self.series)) + 0.1 * (a + b)

    def run(self, first: int, last: int) -> np.ndarray:
        """Count the permutations of a range that reach each floor."""
        z, multiplicities, small = self._data
        key0, key1 = key_of(self.seed, "pair", *self.stream)
        if self.series[0].by_counts:
            return permute_pair_counts(z[0], multiplicities, small, self.floors[0], key0, key1, first, last)[
                None, :
            ]
        return permute_pair(z, small, self.floors, key0, key1, first, last)

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Add the counts."""
        return np.sum(parts, axis=0)


@dataclass(frozen=True, eq=False)
class AndersonDarlingTask:
    """Permutations of all groups of a series; ``run`` answers int64[1]: how many reach ``floor``."""

    series: Series
    floor: float
    seed: int
    stream: Stream
    repetitions: int

    @property
    def nanoseconds(self) -> float:
        """Estimated time of one permutation."""
        if self.series.by_counts:
            return _CELL * self.series.values.size * max(1, self.series.n_groups - 1)
        sizes = self.series.sizes
        n = int(sizes.sum())
        return (n - int(sizes.max())) * _DRAW + 3.0 * self.series.values.size * self.series.n_groups + n

    def run(self, first: int, last: int) -> np.ndarray:
        """Count the permutations of a range that reach the floor."""
        key0, key1 = key_of(self.seed, "anderson-darling", *self.stream)
        kernel = permute_anderson_darling_counts if self.series.by_counts else permute_anderson_darling
        count = kernel(self.series.multiplicities, self.series.sizes, self.floor, key0, key1, first, last)
        return np.array([count], dtype=np.int64)

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Add the counts."""
        return np.sum(parts, axis=0)


@dataclass(frozen=True, eq=False)
class BootstrapTask:
    """Bootstrap draws of one group; ``run`` answers float64[last - first, 4], see `bootstrap.bootstrap_rows`."""

    series: Series
    group: int
    seed: int
    stream: Stream
    repetitions: int

    @cached_property
    def unit(self) -> tuple[np.ndarray, np.ndarray, float, float]:
        """Distinct values in units of the group, their counts, and the group's median and sd."""
        values, table = self.series.table((self.group,))
        counts = table[:, 0]
        z, center, scale = standardise(values, counts)
        middle = float(z[np.searchsorted(np.cumsum(counts), (counts.sum() + 1) // 2)])
        return z - middle, counts, center + scale * middle, scale

    @property
    def nanoseconds(self) -> float:
        """Estimated time of one draw."""
        if self.series.by_counts:
            return _CELL * self.series.values.size
        return float(self.series.sizes[self.group]) * (_DRAW + _ADD)

    def run(self, first: int, last: int) -> np.ndarray:
        """Draw a range."""
        z, counts, _, _ = self.unit
        key0, key1 = key_of(self.seed, "bootstrap", *self.stream)
        if self.series.by_counts:
            return bootstrap_counts(z, counts, key0, key1, first, last)
        return bootstrap_rows(np.repeat(z, counts), key0, key1, first, last)

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Put the draws in order."""
        return np.concatenate(parts)


@dataclass(frozen=True, order=True)
class Block:
    """Repetitions ``first`` to ``last - 1`` of task number ``task``."""

    task: int
    first: int
    last: int


def blocks(tasks: list[Task], seconds: float, most: int = 4096) -> list[Block]:
    """Cut all tasks into blocks of about ``seconds`` each, at most about ``most`` of them."""
    total = sum(task.nanoseconds * task.repetitions for task in tasks) * 1e-9
    aim = max(seconds, total / most)
    result = []
    for number, task in enumerate(tasks):
        step = max(1, math.ceil(aim * 1e9 / max(task.nanoseconds, 1.0)))
        for first in range(0, task.repetitions, step):
            result.append(Block(number, first, min(first + step, task.repetitions)))
    return result
