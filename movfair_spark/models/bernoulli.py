"""Bernoulli scan statistic for outcomes of 0 and 1 (Kulldorff 1997; paper appendix G).

N objects in the test, P of them positive; a candidate has n members, p of them positive. The log-likelihood ratio is the
sum of four deviances, x ln(x/m) - (x - m) over the four counts x with expectation m under the null. The differences
x - m are +-(pN - nP)/N with exact integers, so that nothing cancels: relative errors stay near 1e-15 for every N below
2^31, where the direct form loses ties from N = 1e7 on.

Degenerate cases: 0 for n = 0, n = N, P = 0 and P = N; a perfect split is finite.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels import extremes as counting
from movfair_spark.kernels import lanes
from movfair_spark.kernels import observed as observing
from movfair_spark.kernels.extremes import Extremes
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.worlds import label_words, pack_labels
from movfair_spark.models import bernoulli_kernels as kernels
from movfair_spark.models.base import Evidence

#: Directions and their codes: evidence of a rate above, below, or on either side of everybody else's.
DIRECTIONS = {"both": 0, "high": 1, "low": -1}


def direction_code(direction: str) -> int:
    """0 for ``both``, 1 for ``high``, -1 for ``low``.

    Raises
    ------
    ConfigurationError
        Any other name.
    """
    if direction not in DIRECTIONS:
        raise ConfigurationError(f"direction is {direction!r}, allowed are both, high and low")
    return DIRECTIONS[direction]


def statistic(n: int, p: int, n_objects: int, positives: int, direction: str = "both") -> float:
    """Log-likelihood ratio of one candidate.

    Parameters
    ----------
    n, p : int
        Members of the candidate and positives among them.
    n_objects, positives : int
        N and P, N below 2^31.
    direction : {"both", "high", "low"}
        With ``high`` (``low``) a candidate whose rate is not above (below) the overall rate gets 0.

    Returns
    -------
    float
        Natural logarithm, 0 or more.
    """
    return float(kernels.statistic(int(n), int(p), int(n_objects), int(positives), direction_code(direction)))


def statistics(
    n: npt.NDArray[np.integer],
    p: npt.NDArray[np.integer],
    n_objects: int,
    positives: int,
    direction: str = "both",
) -> npt.NDArray[np.float64]:
    """Log-likelihood ratios of many candidates, the same bits as `statistic` for each."""
    out = np.empty(len(n), dtype=np.float64)
    kernels.statistics(
        np.asarray(n, dtype=np.int64),
        np.asarray(p, dtype=np.int64),
        int(n_objects),
        int(positives),
        direction_code(direction),
        out,
    )
    return out


def bound(n: int, n_objects: int, positives: int, direction: str = "both") -> float:
    """Largest statistic that a candidate of support n can take in this direction.

    The statistic is convex in p, so it is taken at p = min(n, P) or at p = max(0, n - (N - P)). Not always increasing
    in n: N = 20, P = 3 gives 8.45 for n = 3 and 6.20 for n = 4.
    """
    return float(kernels.bound(int(n), int(n_objects), int(positives), direction_code(direction)))


def support_bound(
    support: int, n_objects: int, positives: int, direction: str = "both", min_support: int = 1
) -> float:
    """B(s): the largest statistic of any candidate of support min_support to s - 1; -inf when there is none."""
    end = min(int(support), int(n_objects) + 1)
    return float(
        kernels.largest_bound(
            int(min_support), end, int(n_objects), int(positives), direction_code(direction)
        )
    )


def maxima(
    extremes: Extremes, n_objects: int, positives: int, direction: str = "both"
) -> npt.NDArray[np.float64]:
    """Largest statistic per world over the candidates counted.

    Parameters
    ----------
    extremes : Extremes
        Smallest and largest counts per support and world.
    n_objects, positives : int
        N and P.
    direction : {"both", "high", "low"}
        As in `statistic`.

    Returns
    -------
    float64 array of shape (worlds,)
        The same bits as the maximum of `statistic` over all candidates; 0 without candidates.
    """
    best = np.zeros(extremes.low.shape[1], dtype=np.float64)
    kernels.maxima(
        extremes.supports,
        extremes.low,
        extremes.high,
        int(n_objects),
        int(positives),
        direction_code(direction),
        best,
    )
    return best


def limits(
    n: int, threshold: float, n_objects: int, positives: int, direction: str = "both"
) -> tuple[int, int]:
    """Integer limits of evidence at support n.

    Returns
    -------
    low, high : int
        A candidate exceeds the threshold (rule of ties) exactly when its positives are below `low` or above `high`;
        0 and n when no count on that side does.
    """
    low, high = kernels.limits(
        int(n), float(threshold), True, int(n_objects), int(positives), direction_code(direction)
    )
    return int(low), int(high)


@dataclass(frozen=True)
class Bernoulli:
    """The Bernoulli model of the observed labels; see `models.base.Model`.

    Attributes
    ----------
    labels : uint8 array of shape (N,)
        Observed outcomes, 0 or 1.
    direction : {"both", "high", "low"}
    """

    labels: npt.NDArray[np.uint8]
    direction: str = "both"
    name = "bernoulli"
    detail_columns = ("observed", "expected", "rate_in", "rate_out")
    detail_schema = "observed bigint, expected double, rate_in double, rate_out double"

    def __post_init__(self) -> None:
        direction_code(self.direction)

    @property
    def n_objects(self) -> int:
        """N."""
        return len(self.labels)

    @property
    def positives(self) -> int:
        """P."""
        return int(self.labels.sum(dtype=np.int64))

    @property
    def nothing_to_test(self) -> bool:
        """True when all labels are equal."""
        return self.positives in (0, self.n_objects)

    @property
    def world_bytes(self) -> float:
        """One bit per object; worlds come in lanes of 1,024."""
        return self.n_objects / 8

    def support_bound(self, support: int, min_support: int = 1) -> float:
        """B(s), see `support_bound`."""
        return support_bound(support, self.n_objects, self.positives, self.direction, min_support)

    def worlds(self, seed: int, worlds: range, *, observed: bool = False) -> npt.NDArray[np.uint64]:
        """Label words of the worlds, see `kernels.worlds.label_words`; the observed labels are one more world."""
        at = len(worlds)
        # Whole lanes: counters take them without a copy.
        width = lanes.WORDS * max(1, -(-(at + observed) // lanes.WORLDS))
        words = np.zeros((self.n_objects, width), dtype=np.uint64)
        words[:, : (at + 63) // 64] = label_words(seed, worlds, self.labels)
        if observed:
            words[:, at // 64] |= pack_labels(self.labels)[:, 0] << np.uint64(at % 64)
        return words

    def counter(self, outcomes: npt.NDArray[np.uint64], n_worlds: int) -> BernoulliCounter:
        """Make an empty counter for label words."""
        return BernoulliCounter(outcomes, n_worlds, self.n_objects, self.positives, self.direction)

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

        Details: positives among the members, their expectation nP/N, the rate of the members and that of all
        others (NaN when there are none).
        """
        size, positives = self.n_objects, self.positives

        def pair(n: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
            low, high = limits(n, threshold, size, positives, self.direction)
            return np.array([low]), np.array([high])

        words = pack_labels(self.labels)
        for found in observing.scan(
            memberships, words, pair, min_support, max_support, items, distinct=distinct
        ):
            n, p = found.candidates.supports, found.positives
            yield Evidence(
                found.candidates,
                statistics(n, p, size, positives, self.direction),
                np.sign(p * size - n * positives).astype(np.int8),
                {
                    "observed": p,
                    "expected": n * positives / size,
                    "rate_in": p / n,
                    "rate_out": np.where(n < size, (positives - p) / np.maximum(size - n, 1), np.nan),
                },
            )


class BernoulliCounter(counting.Counter):
    """Extremes of many blocks, and from them the maximum of each world; see `models.base.Counter`."""

    def __init__(
        self, words: npt.NDArray[np.uint64], n_worlds: int, n_objects: int, positives: int, direction: str
    ) -> None:
        super().__init__(words)
        self._model = (n_objects, positives, direction)
        self._n_worlds = n_worlds

    def maxima(self) -> npt.NDArray[np.float64]:
        """Largest statistic per world so far."""
        best = np.zeros(self._n_worlds, dtype=np.float64)
        n_objects, positives, direction = self._model
        kernels.fold_planes(*self.planes(), n_objects, positives, direction_code(direction), best)
        return best
