"""Multinomial scan statistic for outcomes in classes (Jung, Kulldorff and Richard 2010).

C_k objects of class k in the test, c_k of them among a candidate's n members. The log-likelihood ratio is the sum over classes
and over inside and outside of deviances, see `models.deviance`; two classes give the Bernoulli value, bit for bit.
There is no direction. Degenerate cases: 0 for n = 0, n = N and when one class only occurs; a perfect split is finite.

Counting: one bit plane counter per class (`kernels.planes`). A world can have a new maximum T only where some classes
deviate enough: with u = T/(4K), class k reaches level j where its own part exceeds j·u, T is at most u·sum of (level + 1),
so at least 3K levels must be reached together. Levels are compared and added in bit planes; only the few worlds that pass
are unpacked and evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels import lanes
from movfair_spark.kernels.eclat import Batch, Walk
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.mined import MinedCounter
from movfair_spark.kernels.observed import take
from movfair_spark.kernels.outcome_worlds import class_words
from movfair_spark.kernels.planes import MAX_DIGITS
from movfair_spark.models import multinomial_kernels as kernels
from movfair_spark.models.base import Evidence
from movfair_spark.models.significance import exceeding

#: Most classes: the bound looks at every set of classes.
MAX_CLASSES = 12


def statistic(counts: npt.ArrayLike, totals: npt.ArrayLike) -> float:
    """Log-likelihood ratio of one candidate.

    Parameters
    ----------
    counts, totals : array_like of int, shape (K,)
        Members of each class among the candidate and in the test; N below 2^31.
    """
    c, all_in_test = np.asarray(counts, dtype=np.int64), np.asarray(totals, dtype=np.int64)
    return float(kernels.statistic(c, all_in_test, int(c.sum()), int(all_in_test.sum())))


def bound(n: int, totals: npt.ArrayLike) -> float:
    """Largest statistic of a candidate of n members.

    The statistic is convex, so it is largest at a vertex: some classes wholly inside, one in part. Taking the rarest
    classes first is not enough: C = (3, 5, 92) and n = 5 give 19.85, the rarest first 16.49.
    """
    all_in_test = np.asarray(totals, dtype=np.int64)
    return float(kernels.bound(int(n), all_in_test, int(all_in_test.sum())))


@dataclass(frozen=True)
class Multinomial:
    """The multinomial model of the observed classes; see `models.base.Model`.

    Attributes
    ----------
    codes : int64 array of shape (N,)
        Observed classes, 0 to K - 1.
    n_classes : int
        K, at most `MAX_CLASSES`; classes that do not occur change nothing.
    """

    codes: npt.NDArray[np.int64]
    n_classes: int
    direction = "both"
    name = "multinomial"
    detail_columns = ("observed", "expected")
    detail_schema = "observed array<bigint>, expected array<double>"

    def __post_init__(self) -> None:
        if not 1 <= self.n_classes <= MAX_CLASSES:
            raise ConfigurationError(
                f"Outcomes have {self.n_classes} classes, allowed are 1 to {MAX_CLASSES}",
                "Merge rare classes",
            )

    @property
    def n_objects(self) -> int:
        """N."""
        return len(self.codes)

    @property
    def totals(self) -> npt.NDArray[np.int64]:
        """Objects per class, int64[K]."""
        return np.bincount(self.codes, minlength=self.n_classes).astype(np.int64)

    @property
    def nothing_to_test(self) -> bool:
        """True when all objects are of one class."""
        return bool(np.count_nonzero(self.totals) < 2)

    @property
    def world_bytes(self) -> float:
        """One bit per object and class; worlds come in lanes of 1,024."""
        return self.n_objects * self.n_classes / 8

    def support_bound(self, support: int, min_support: int = 1) -> float:
        """B(s): the largest statistic of any candidate of support min_support to s - 1; -inf when there is none."""
        totals = self.totals
        end = min(int(support), self.n_objects + 1)
        return max((bound(n, totals) for n in range(int(min_support), end)), default=-math.inf)

    def worlds(self, seed: int, worlds: range, *, observed: bool = False) -> npt.NDArray[np.uint64]:
        """Class words of the worlds, see `kernels.outcome_worlds.class_words`; the observed classes are one more world."""
        return class_words(seed, worlds, self.codes, self.n_classes, observed=observed)

    def counter(self, outcomes: npt.NDArray[np.uint64], n_worlds: int) -> MultinomialCounter:
        """Make an empty counter for class words."""
        return MultinomialCounter(outcomes, n_worlds, self.totals)

    def evidence(
        self,
        memberships: Memberships,
        threshold: float,
        min_support: int,
        max_support: int | None = None,
        items: tuple[int, int] | None = None,
        *,
        distinct: bool = True,
    ) -> Iterator[Evidence]:
        """Stream the candidates whose statistic exceeds the threshold, with observed and expected counts per class."""
        totals = self.totals
        codes = np.ascontiguousarray(self.codes, dtype=np.int64)
        for batch in Walk(memberships, min_support, max_support, items, distinct=distinct):
            counts = np.zeros((len(batch.supports), self.n_classes), dtype=np.int64)
            values = np.empty(len(batch.supports), dtype=np.float64)
            kernels.evaluate(batch.starts, batch.members, codes, totals, self.n_objects, counts, values)
            kept = np.flatnonzero(exceeding(values, threshold))
            if len(kept):
                yield Evidence(
                    take(batch, kept),
                    values[kept],
                    np.zeros(len(kept), dtype=np.int8),
                    {
                        "observed": counts[kept],
                        "expected": batch.supports[kept, None] * totals[None, :] / self.n_objects,
                    },
                )


class MultinomialCounter(MinedCounter):
    """Maximum of each world over many blocks; see `models.base.Counter`.

    Memory: 128·K bytes per object and 1,024 worlds, and per distinct support 16·K·(3K + 1) bytes of limits.
    """

    def __init__(self, words: npt.NDArray[np.uint64], n_worlds: int, totals: npt.NDArray[np.int64]) -> None:
        self._totals = totals
        self._labels = np.ascontiguousarray(words).reshape(-1)
        self._blocks = words.shape[1] // (lanes.WORDS * len(totals))
        self._best = np.zeros(n_worlds, dtype=np.float64)
        self._planes = np.zeros(lanes.WORDS * MAX_DIGITS * len(totals), dtype=np.uint64)
        self._levels = np.zeros(lanes.WORDS * MAX_DIGITS, dtype=np.uint64)
        self._limits: dict[int, tuple[float, np.ndarray]] = {}

    def add(self, batch: Batch) -> None:
        """Count the candidates of a batch."""
        # Small batches first: the floor, and with it the limits, rises fastest in the beginning.
        for part in _parts(batch, 256 if self._best.min(initial=math.inf) < 6.0 else len(batch.supports)):
            self._count(part)

    def _count(self, batch: Batch) -> None:
        floor = float(self._best.min()) if len(self._best) else math.inf
        supports, rows = np.unique(batch.supports, return_inverse=True)
        limits = np.stack([self._limits_of(int(n), floor) for n in supports])
        kernels.count(
            batch.starts,
            batch.members,
            self._labels,
            self._blocks,
            self._totals,
            limits,
            rows.astype(np.int64),
            self._planes,
            self._levels,
            self._best,
        )

    def maxima(self) -> npt.NDArray[np.float64]:
        """Largest statistic per world so far."""
        return self._best.copy()

    def _limits_of(self, support: int, floor: float) -> npt.NDArray[np.int64]:
        known = self._limits.get(support)
        # Limits of a lower floor stay right, they only let more worlds pass.
        if known is None or floor > 1.05 * known[0]:
            known = (floor, kernels.limits(support, floor, self._totals, int(self._totals.sum())))
            self._limits[support] = known
        return known[1]


def _parts(batch: Batch, size: int) -> Iterator[Batch]:
    for first in range(0, len(batch.supports), max(1, size)):
        end = min(first + size, len(batch.supports))
        yield Batch(
            batch.starts[first : end + 1],
            batch.members,
            batch.cell_starts[first : end + 1],
            batch.cells,
            batch.multiplicity[first:end],
        )
