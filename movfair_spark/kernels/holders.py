"""Who holds a set of cells whole: the way back from cellsets to objects, for evidence rows only."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.memberships import Memberships


class Holders:
    """Rows of each cell of one zoning; 4 bytes per membership and 16 per cell.

    Parameters
    ----------
    memberships : Memberships
        The zoning.
    """

    def __init__(self, memberships: Memberships) -> None:
        self._m = memberships
        self._ends = np.concatenate([[0], np.cumsum(memberships.supports)])
        self._rows = _rows_by_code(memberships.starts, memberships.items, self._ends[:-1].copy())
        self._by_id = np.argsort(memberships.cells, kind="stable")
        self._ids = memberships.cells[self._by_id]

    def codes(self, starts: npt.NDArray[np.int64], cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Codes of cell ids that all occur, ascending (rarest first) inside each set of cells."""
        codes = self._by_id[np.searchsorted(self._ids, cells)]
        return codes[np.lexsort((codes, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))]

    def cover(
        self,
        starts: npt.NDArray[np.int64],
        cells: npt.NDArray[np.int64],
        p_values: npt.NDArray[np.float64],
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Count the sets of cells that each object holds whole.

        Parameters
        ----------
        starts : int64 array of shape (k + 1,)
            Set j is ``cells[starts[j]:starts[j + 1]]``, cell ids in any order, at least one.
        cells : int64 array
        p_values : float64 array of shape (k,)

        Returns
        -------
        objects : int32 array
            Objects that hold at least one set, ascending.
        counts : int64 array
            Sets that each of them holds.
        best : float64 array
            Smallest p-value of these.
        """
        counts = np.zeros(len(self._m.objects), dtype=np.int64)
        best = np.full(len(counts), np.inf)
        _cover(
            self._m.starts, self._m.items, self._ends, self._rows, starts, self.codes(starts, cells), p_values,
            counts, best,
        )  # fmt: skip
        held = np.flatnonzero(counts)
        return self._m.objects[held], counts[held], best[held]

    def claim(self, cells: npt.NDArray[np.int64], taken: npt.NDArray[np.bool_]) -> bool:
        """Take all objects that hold these cells, unless one of them is taken already.

        Parameters
        ----------
        cells : int64 array
            Cell ids, at least one.
        taken : bool array of shape (N,)
            Changed in place when the claim succeeds.

        Returns
        -------
        bool
            Whether the objects were free and are now taken.
        """
        codes = self.codes(np.array([0, len(cells)]), cells)
        return bool(
            _claim(self._m.starts, self._m.items, self._m.objects, self._ends, self._rows, codes, taken)
        )


@njit
def _holds(row_starts, items, row, codes, first, end):
    # Both ascend.
    i = row_starts[row]
    for k in range(first, end):
        while i < row_starts[row + 1] and items[i] < codes[k]:
            i += 1
        if i == row_starts[row + 1] or items[i] != codes[k]:
            return False
    return True


@njit
def _cover(row_starts, items, ends, rows, starts, codes, p_values, counts, best):
    for j in range(len(starts) - 1):
        rarest = codes[starts[j]]
        for k in range(ends[rarest], ends[rarest + 1]):
            row = rows[k]
            if _holds(row_starts, items, row, codes, starts[j] + 1, starts[j + 1]):
                counts[row] += 1
                best[row] = min(best[row], p_values[j])


@njit
def _claim(row_starts, items, objects, ends, rows, codes, taken):
    for k in range(ends[codes[0]], ends[codes[0] + 1]):
        if taken[objects[rows[k]]] and _holds(row_starts, items, rows[k], codes, 1, len(codes)):
            return False
    for k in range(ends[codes[0]], ends[codes[0] + 1]):
        if _holds(row_starts, items, rows[k], codes, 1, len(codes)):
            taken[objects[rows[k]]] = True
    return True


@njit
def _rows_by_code(starts, items, at):
    """Rows of every code one after the other, ascending; ``at`` is where each code's begin and is used up."""
    rows = np.empty(len(items), np.int32)
    for row in range(len(starts) - 1):
        for i in range(starts[row], starts[row + 1]):
            rows[at[items[i]]] = row
            at[items[i]] += 1
    return rows
