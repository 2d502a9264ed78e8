"""Counting of the statistic over parts and strata: the maximum of each world over many blocks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels import lanes
from movfair_spark.kernels.eclat import Batch
from movfair_spark.kernels.mined import MinedCounter
from movfair_spark.kernels.planes import MAX_DIGITS, label_lanes
from movfair_spark.models import parts_kernels as kernels


class PartsCounter(MinedCounter):
    """See `models.base.Counter`. Memory beside the words: 8 bytes per member of the largest candidate, part and class."""

    def __init__(self, words: npt.NDArray[np.uint64], n_worlds: int, layout: kernels.Layout) -> None:
        n_parts, n_classes = layout.part_totals.shape
        width = n_classes if n_classes > 2 else 1
        self._layout = layout
        self._labels, blocks = label_lanes(words)
        self._blocks = blocks // width
        self._planes = np.zeros(lanes.WORDS * MAX_DIGITS, dtype=np.uint64)
        self._best = np.zeros(n_worlds, dtype=np.float64)

    def add(self, batch: Batch) -> None:
        """Count the candidates of a batch."""
        kernels.count(
            batch.starts, batch.members, self._layout, self._labels, self._blocks, self._planes, self._best
        )

    def maxima(self) -> npt.NDArray[np.float64]:
        """Largest statistic per world so far."""
        return self._best.copy()
