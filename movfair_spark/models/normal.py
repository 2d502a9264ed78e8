"""Normal scan statistic for real outcomes (Kulldorff, Huang and Konty 2009), with weights or within strata.

With centred values x - mean, S = sum of w(x - mean) over the members, SST = sum of w(x - mean)² over all and
B = S²·W/(W_in (W - W_in)), the log-likelihood ratio is (N/2) ln(SST/(SST - B)); N is the number of objects, not the weight.
With strata the mean is that of the object's stratum, V = sum of n_s(N_s - n_s)/N_s and B = S²/V.
B decides between candidates, and one logarithm is taken at the end.

The statistic is +inf exactly when the candidate explains the values without rest (one stratum: two distinct values, and
the holders of one of them): that is decided by whether S is the largest sum that two values allow. Otherwise SST - B is
at least the rounding unit of SST. All values (of every stratum) equal give 0 everywhere.

With a small support nearly every object alone is a candidate, and outliers hide every group effect:
`Normal.largest_single` is the statistic of the largest single value, `normal_scores` the remedy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError, InputError
from movfair_spark.kernels.eclat import Walk
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.observed import take
from movfair_spark.kernels.outcome_worlds import giver_worlds
from movfair_spark.models import normal_kernels as kernels
from movfair_spark.models.base import Evidence
from movfair_spark.models.bernoulli import direction_code
from movfair_spark.models.normal_bound import scores_of_supports
from movfair_spark.models.normal_counter import NormalCounter
from movfair_spark.models.normal_moments import Moments, moments
from movfair_spark.models.significance import exceeding


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
        High: the members' mean is above the others', with strata above what their strata lead one to expect.
    weights : float64 array of shape (N,), optional
        Positive weights; a permutation moves value and weight together. Not together with strata.
    strata : int64 array of shape (N,), optional
        Stratum of each object, 0 or more; a permutation stays within strata.
    """

    values: npt.NDArray[np.float64]
    direction: str = "both"
    weights: npt.NDArray[np.float64] | None = None
    strata: npt.NDArray[np.int64] | None = None
    name = "normal"
    detail_columns = ("mean_in", "mean_expected", "mean_out")
    detail_schema = "mean_in double, mean_expected double, mean_out double"

    def __post_init__(self) -> None:
        direction_code(self.direction)
        if not np.all(np.isfinite(self.values)):
            raise InputError("A real outcome is not a finite number", "Reject it before the test")
        if self.weights is not None and not (np.all(np.isfinite(self.weights)) and np.all(self.weights > 0)):
            raise InputError("A weight is not a positive finite number", "Reject it before the test")
        if self.weights is not None and self.strata is not None:
            raise ConfigurationError("The Normal model takes weights or strata, not both", "Leave one out")

    @property
    def n_objects(self) -> int:
        """N."""
        return len(self.values)

    @property
    def nothing_to_test(self) -> bool:
        """True when all values (of each stratum) are equal."""
        return self._moments.squares == 0.0

    @cached_property
    def _moments(self) -> Moments:
        return moments(self.values, self.weights, self.strata)

    @property
    def largest_single(self) -> float:
        """Statistic of the largest single value: with min_support 1 every world reaches it."""
        alone = np.arange(self.n_objects, dtype=np.int32)
        return float(self._evaluate(np.arange(self.n_objects + 1), alone)[0].max(initial=0.0))

    @property
    def world_bytes(self) -> float:
        """One 32-bit number per object."""
        return 4.0 * self.n_objects

    def statistic(self, members: npt.ArrayLike) -> float:
        """Log-likelihood ratio of one set of members in the observed world."""
        who = np.sort(np.asarray(members, dtype=np.int32))
        return float(self._evaluate(np.array([0, len(who)]), who)[0][0])

    def support_bound(self, support: int, min_support: int = 1) -> float:
        """B(s): the largest statistic of any candidate of support min_support to s - 1; -inf when there is none.

        With weights there is no bound: +inf.
        """
        end = min(int(support), self.n_objects + 1)
        if end <= min_support:
            return -math.inf
        if self.weights is not None:
            return math.inf
        m = self._moments
        best = float(self._scores(end)[min_support:end].max())
        return float(kernels.likelihood(best, m.n, m.squares))

    def _scores(self, end: int) -> npt.NDArray[np.float64]:
        known: npt.NDArray[np.float64] = self.__dict__.get("_known_scores", np.zeros(0))
        if len(known) < end:
            longer = min(self.n_objects + 1, max(64, 2 * end))
            known = scores_of_supports(self._moments, longer, direction_code(self.direction))
            self.__dict__["_known_scores"] = known
        return known

    def worlds(self, seed: int, worlds: range, *, observed: bool = False) -> npt.NDArray[np.int32]:
        """Whose value each object has in each world, see `kernels.outcome_worlds.giver_worlds`; observed comes last."""
        values = np.asarray(self.values, dtype=np.float64)
        return giver_worlds(seed, worlds, values, self.strata, observed=observed)

    def counter(self, outcomes: npt.NDArray[np.int32], n_worlds: int) -> NormalCounter:
        """Make an empty counter for the givers of worlds."""
        code = direction_code(self.direction)
        return NormalCounter(outcomes, self._moments, code, weighted=self.weights is not None)

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
        """Stream the candidates whose statistic exceeds the threshold.

        Details: mean of the members, the mean that one expects of them (of all, or of their strata), and the mean of
        all others (NaN when there are none).
        """
        m = self._moments
        for batch in Walk(memberships, min_support, max_support, items, distinct=distinct):
            values, s, w, lifts = self._evaluate(batch.starts, batch.members)
            kept = np.flatnonzero(exceeding(values, threshold))
            if len(kept):
                s, w, lifts = s[kept], w[kept], lifts[kept]
                everybody = batch.supports[kept] == m.n
                rest = np.where(everybody, 1.0, m.total - w)
                yield Evidence(
                    take(batch, kept),
                    values[kept],
                    np.sign(s).astype(np.int8),
                    {
                        "mean_in": m.mean + (lifts + s) / w,
                        "mean_expected": m.mean + lifts / w,
                        "mean_out": np.where(everybody, np.nan, m.mean - (lifts + s) / rest),
                    },
                )

    def _evaluate(
        self, starts: npt.NDArray[np.int64], members: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.float64], ...]:
        """Statistic, S, W_in and sum of w·lift of candidates in the observed world."""
        m, k = self._moments, len(starts) - 1
        s, w, lifts = np.empty(k), np.empty(k), np.empty(k)
        kernels.add_up(starts, members, m.centred, m.weights, m.lift, s, w, lifts)
        if self.weights is None:
            scales = kernels.scales(starts, members, m.strata, m.sizes)
        else:
            scales = kernels.weighted_scales(starts, w, m.n, m.total)
        code = direction_code(self.direction)
        values = kernels.likelihoods(s, scales, m.perfect, m.perfect_scale, code, m.n, m.squares)
        return values, s, w, lifts
