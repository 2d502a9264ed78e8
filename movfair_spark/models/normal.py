"""Normal scan statistic for real outcomes (Kulldorff, Huang and Konty 2009), with or without weights.

With centred values x - mean, S = sum of w(x - mean) over the members, SST = sum of w(x - mean)² over all and
B = S²·W/(W_in (W - W_in)), the log-likelihood ratio is (N/2) ln(SST/(SST - B)); N is the number of objects, not the weight.
B decides between candidates, and one logarithm is taken at the end.

The statistic is +inf exactly when the tested values take two distinct values and the candidate is exactly the holders of
one of them: that is decided by whether S is the largest sum that two values allow, half a smallest step apart from the
next one. Otherwise SST - B is at least the rounding unit of SST. All values equal give 0 everywhere.

Counting without weights: the values of a world are rounded to 16-bit integers, whose sums over a candidate are exact and
at most n/2 steps away from S. Only where that leaves room for a new maximum, S is added up from the values themselves.

With a small support nearly every object alone is a candidate, and outliers hide every group effect:
`Normal.largest_single` is the statistic of the largest single value, `normal_scores` the remedy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import InputError
from movfair_spark.kernels.eclat import Batch, Walk
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.observed import take
from movfair_spark.kernels.worlds import giver_worlds
from movfair_spark.models import normal_kernels as kernels
from movfair_spark.models.base import Evidence
from movfair_spark.models.bernoulli import direction_code
from movfair_spark.models.significance import exceeds


def normal_scores(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Replace values by normal scores: the normal quantile of (midrank - 0.5)/N, equal values stay equal."""
    x = np.asarray(values, dtype=np.float64)
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    midranks = np.cumsum(counts) - (counts - 1) / 2
    quantile = NormalDist().inv_cdf
    return np.array([quantile((float(rank) - 0.5) / len(x)) for rank in midranks])[inverse]


@dataclass(frozen=True)
class Normal:
    """The Normal model of the observed values; see `models.base.Model`.

    Attributes
    ----------
    values : float64 array of shape (N,)
        Observed outcomes, finite.
    direction : {"both", "high", "low"}
        High: the members' mean is above the others'.
    weights : float64 array of shape (N,), optional
        Positive weights; a permutation moves value and weight together.
    """

    values: npt.NDArray[np.float64]
    direction: str = "both"
    weights: npt.NDArray[np.float64] | None = None
    name = "normal"
    detail_columns = ("mean_in", "mean_out")
    detail_schema = "mean_in double, mean_out double"

    def __post_init__(self) -> None:
        direction_code(self.direction)
        if not np.all(np.isfinite(self.values)):
            raise InputError("A real outcome is not a finite number", "Reject it before the test")
        if self.weights is not None and not (np.all(np.isfinite(self.weights)) and np.all(self.weights > 0)):
            raise InputError("A weight is not a positive finite number", "Reject it before the test")

    @property
    def n_objects(self) -> int:
        """N."""
        return len(self.values)

    @property
    def nothing_to_test(self) -> bool:
        """True when all values are equal."""
        return self.n_objects == 0 or bool(np.all(self.values == self.values[0]))

    @cached_property
    def _moments(self) -> kernels.Moments:
        x = np.asarray(self.values, dtype=np.float64)
        w = np.ones(len(x)) if self.weights is None else np.asarray(self.weights, dtype=np.float64)
        total = math.fsum(w)
        # Centred on a value first: exact for values like 1e9 + 1, whose mean loses their differences' digits.
        origin = float(x[0]) if len(x) else 0.0
        shifted = x - origin
        mean = math.fsum(w * shifted) / total if len(x) else 0.0
        centred = w * (shifted - mean)
        squares = math.fsum(centred * (shifted - mean)) if not self.nothing_to_test else 0.0
        two = len(np.unique(x)) == 2
        largest = math.fsum(centred[centred > 0]) if two else math.inf
        step = float(np.abs(centred).min()) / 2 if two else 0.0
        return kernels.Moments(len(x), total, squares, largest - step, origin + mean, centred, w)

    @property
    def largest_single(self) -> float:
        """Statistic of the largest single value: with min_support 1 every world reaches it."""
        m = self._moments
        return max(
            (self._statistic(float(c), float(w)) for c, w in zip(m.centred, m.weights, strict=True)),
            default=0.0,
        )

    @property
    def world_bytes(self) -> float:
        """One 32-bit number per object."""
        return 4.0 * self.n_objects

    def statistic(self, members: npt.ArrayLike) -> float:
        """Log-likelihood ratio of one set of members in the observed world."""
        who = np.asarray(members, dtype=np.int64)
        s = w = 0.0
        for i in who:
            s += float(self._moments.centred[i])
            w += float(self._moments.weights[i])
        return 0.0 if len(who) == self.n_objects else self._statistic(s, w)

    def _statistic(self, s: float, w: float) -> float:
        m = self._moments
        score = kernels.score(s, w, m.total, m.perfect, direction_code(self.direction))
        return float(kernels.likelihood(score, m.n, m.squares))

    def support_bound(self, support: int, min_support: int = 1) -> float:
        """B(s): the largest statistic of any candidate of support min_support to s - 1; -inf when there is none.

        Reached by the m largest or the m smallest values. With weights there is no bound: +inf.
        """
        end = min(int(support), self.n_objects + 1)
        if end <= min_support:
            return -math.inf
        if self.weights is not None:
            return math.inf
        m = self._moments
        ordered = np.sort(m.centred)[::-1]
        code = direction_code(self.direction)
        best = float(kernels.largest_score(ordered, int(min_support), end, m.total, m.perfect, code))
        return float(kernels.likelihood(best, m.n, m.squares))

    def worlds(self, seed: int, worlds: range, *, observed: bool = False) -> npt.NDArray[np.int32]:
        """Whose value each object has in each world, see `kernels.worlds.giver_worlds`; the observed world comes last."""
        return giver_worlds(seed, worlds, np.asarray(self.values, dtype=np.float64), observed=observed)

    def counter(self, outcomes: npt.NDArray[np.int32], n_worlds: int) -> NormalCounter:
        """Make an empty counter for the givers of worlds."""
        return NormalCounter(
            outcomes, self._moments, direction_code(self.direction), self.weights is not None
        )

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
        """Stream the candidates whose statistic exceeds the threshold, with the means of members and of all others."""
        m, code = self._moments, direction_code(self.direction)
        for batch in Walk(memberships, min_support, max_support, items, distinct=distinct):
            k = len(batch.supports)
            sums, weights, values = np.empty(k), np.empty(k), np.empty(k)
            kernels.evaluate(
                batch.starts,
                batch.members,
                m.centred,
                m.weights,
                m.n,
                m.total,
                m.squares,
                m.perfect,
                code,
                sums,
                weights,
                values,
            )
            kept = np.flatnonzero([exceeds(float(value), threshold) for value in values])
            if len(kept):
                s, w = sums[kept], weights[kept]
                everybody = batch.supports[kept] == m.n
                rest = np.where(everybody, 1.0, m.total - w)
                yield Evidence(
                    take(batch, kept),
                    values[kept],
                    np.sign(s).astype(np.int8),
                    {"mean_in": m.mean + s / w, "mean_out": np.where(everybody, np.nan, m.mean - s / rest)},
                )


class NormalCounter:
    """Maximum of each world over many blocks; see `models.base.Counter`.

    Memory beside the givers: 2 bytes per object and world, 16 with weights.
    """

    def __init__(
        self, givers: npt.NDArray[np.int32], moments: kernels.Moments, direction: int, weighted: bool
    ) -> None:
        self._givers = givers
        self._moments = moments
        self._direction = direction
        self._best = np.zeros(givers.shape[1], dtype=np.float64)
        self._weighted = weighted
        self._values: npt.NDArray[Any]
        if weighted:
            self._values = np.hstack([moments.centred[givers], moments.weights[givers]])
        else:
            # Sums of all N values still fit 32 bits.
            most = min(2**15 - 1, (2**31 - 1) // max(1, moments.n))
            largest = float(np.abs(moments.centred).max(initial=0.0))
            self._step = largest / most if largest > 0 else 1.0
            self._values = np.rint(moments.centred / self._step).astype(np.int16)[givers]
        self.n_candidates = 0
        self.n_memberships = 0

    def add(self, batch: Batch) -> None:
        """Count the candidates of a batch."""
        m = self._moments
        if self._weighted:
            kernels.count_weighted(
                batch.starts,
                batch.members,
                self._values,
                m.n,
                m.total,
                m.perfect,
                self._direction,
                self._best,
            )
        else:
            kernels.count(
                batch.starts,
                batch.members,
                self._values,
                self._step,
                self._givers,
                m.centred,
                m.perfect,
                self._direction,
                self._best,
            )

    def walk(
        self,
        memberships: Memberships,
        min_support: int,
        max_support: int | None = None,
        items: tuple[int, int] | None = None,
    ) -> None:
        """Mine a block and count it; see `kernels.eclat.Walk` for the arguments."""
        walk = Walk(memberships, min_support, max_support, items, distinct=True)
        for batch in walk:
            self.add(batch)
        self.n_candidates += walk.n_candidates
        self.n_memberships += walk.n_memberships

    def maxima(self) -> npt.NDArray[np.float64]:
        """Largest statistic per world so far."""
        m = self._moments
        return np.array([kernels.likelihood(float(b), m.n, m.squares) for b in self._best], dtype=np.float64)
