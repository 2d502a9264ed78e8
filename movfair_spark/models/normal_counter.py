"""Counting of the Normal model: the maximum of each world over many blocks.

Without weights the values of a world are rounded to 16-bit integers, whose sums over a candidate are exact and at most
n/2 steps away from S. Only where that leaves room for a new maximum, S is added up from the values themselves, in
order of objects: no order of candidates, blocks or worlds changes a bit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels.eclat import Batch
from movfair_spark.kernels.mined import MinedCounter
from movfair_spark.models import normal_kernels as kernels
from movfair_spark.models.normal_moments import Moments


class NormalCounter(MinedCounter):
    """See `models.base.Counter`. Memory beside the givers: 2 bytes per object and world, none with weights."""

    def __init__(
        self, givers: npt.NDArray[np.int32], moments: Moments, direction: int, *, weighted: bool
    ) -> None:
        self._givers = givers
        self._moments = moments
        self._direction = direction
        self._best = np.zeros(givers.shape[1], dtype=np.float64)
        self._weighted = weighted
        self._pairs = np.column_stack([moments.centred, moments.weights])
        if not weighted:
            # Sums of all N values still fit 32 bits.
            most = min(2**15 - 1, (2**31 - 1) // max(1, moments.n))
            largest = float(np.abs(moments.centred).max(initial=0.0))
            self._step = largest / most if largest > 0 else 1.0
            self._rounded = np.rint(moments.centred / self._step).astype(np.int16)[givers]

    def add(self, batch: Batch) -> None:
        """Count the candidates of a batch."""
        m = self._moments
        if self._weighted:
            kernels.count_weighted(
                batch.starts,
                batch.members,
                self._givers,
                self._pairs,
                m.total,
                m.perfect,
                self._direction,
                self._best,
            )
        else:
            kernels.count(
                batch.starts,
                batch.members,
                kernels.scales(batch.starts, batch.members, m.strata, m.sizes),
                self._rounded,
                self._step,
                self._givers,
                m.centred,
                m.perfect,
                m.perfect_scale,
                self._direction,
                self._best,
            )

    def maxima(self) -> npt.NDArray[np.float64]:
        """Largest statistic per world so far."""
        m = self._moments
        return np.array([kernels.likelihood(float(b), m.n, m.squares) for b in self._best], dtype=np.float64)
