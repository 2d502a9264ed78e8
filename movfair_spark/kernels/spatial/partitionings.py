"""Rectangular partitionings of a bounding box, and the common refinement of any number of them.

Edges are min + j·(max - min)/k. A point belongs to a column by comparison with the edges, never by division; columns
are half-open and the last one is closed (design section 2, k x l partitionings). The refinement cuts the box at the edges of
all partitionings together: every cell of every partitioning is a union of its cells, so that points are assigned
once, whatever the number of partitionings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError

Box = tuple[float, float, float, float]
"""min x, min y, max x, max y."""


@dataclass(frozen=True)
class Partitioning:
    """A division of a box into rectangles.

    Attributes
    ----------
    x, y : float64 arrays of shape (k + 1,) and (l + 1,)
        Edges, ascending.
    """

    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]

    @property
    def columns(self) -> int:
        """Number of columns, k."""
        return len(self.x) - 1

    @property
    def rows(self) -> int:
        """Number of rows, l."""
        return len(self.y) - 1

    def rectangle(self, cell: int) -> Box:
        """Bounds of cell ``column·rows + row``."""
        column, row = divmod(int(cell), self.rows)
        return (
            float(self.x[column]),
            float(self.y[row]),
            float(self.x[column + 1]),
            float(self.y[row + 1]),
        )


def edges(low: float, high: float, parts: int) -> npt.NDArray[np.float64]:
    """Edges of an interval cut into equal parts: low + j·(high - low)/parts, the last one exactly high."""
    width = high - low
    cut = np.array([low + j * width / parts for j in range(parts + 1)], dtype=np.float64)
    cut[-1] = high
    return cut


def regular(box: Box, columns: int, rows: int) -> Partitioning:
    """Partitioning of a box into k columns times l rows of equal size.

    Raises
    ------
    ConfigurationError
        A number is below 1, or the box is so narrow that two edges coincide.
    """
    if columns < 1 or rows < 1:
        raise ConfigurationError(
            f"a partitioning of {columns} x {rows} cells", "give at least 1 column and 1 row"
        )
    made = Partitioning(edges(box[0], box[2], columns), edges(box[1], box[3], rows))
    for axis, cut in (("x", made.x), ("y", made.y)):
        # One part needs no inner edge: points on a line are a column of their own.
        if len(cut) > 2 and not np.all(np.diff(cut) > 0):
            raise ConfigurationError(
                f"{len(cut) - 1} parts of the points' extent in {axis} have no width",
                "give fewer parts; all points may have the same coordinate",
            )
    return made


def random_splits(count: int, seed: int, least: int = 10, most: int = 40) -> list[tuple[int, int]]:
    """Columns and rows of random partitionings, uniform on least..most (the paper's section 4.2).

    Partitioning i has the words of ``Philox(SeedSequence(seed, spawn_key=(i,)))`` alone: more partitionings extend fewer.
    """
    span = most - least + 1
    limit = (1 << 64) - (1 << 64) % span
    splits = []
    for i in range(count):
        bits = np.random.Philox(np.random.SeedSequence(seed, spawn_key=(i,)))
        pair: list[int] = []
        while len(pair) < 2:
            word = int(bits.random_raw())
            # Words of the last incomplete span would favour small numbers: draw again.
            if word < limit:
                pair.append(least + word % span)
        splits.append((pair[0], pair[1]))
    return splits


def assign(values: npt.NDArray[np.float64], cut: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Part of each value: [cut[j], cut[j + 1]), the last part closed; values outside go to the nearest part."""
    parts = np.searchsorted(cut, values, side="right") - 1
    return np.clip(parts, 0, len(cut) - 2).astype(np.int64)


def refinement(partitionings: Sequence[Partitioning]) -> Partitioning:
    """Cut the box at the edges of all partitionings."""
    return Partitioning(
        np.unique(np.concatenate([each.x for each in partitionings])),
        np.unique(np.concatenate([each.y for each in partitionings])),
    )


def cells_of(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], partitioning: Partitioning
) -> npt.NDArray[np.int64]:
    """Cell of each point, ``column·rows + row``."""
    return assign(x, partitioning.x) * partitioning.rows + assign(y, partitioning.y)


def coarser(
    atoms: npt.NDArray[np.int64], refined: Partitioning, partitioning: Partitioning
) -> npt.NDArray[np.int64]:
    """Cell of a partitioning in which each cell of its refinement lies."""
    columns, rows = np.divmod(np.asarray(atoms, dtype=np.int64), refined.rows)
    # The left edge of a refined cell is compared, as every point of it would be.
    return (
        assign(refined.x[:-1], partitioning.x)[columns] * partitioning.rows
        + assign(refined.y[:-1], partitioning.y)[rows]
    )
