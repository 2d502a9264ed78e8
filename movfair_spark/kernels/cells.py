"""Cells of a regular square grid by arithmetic, and their ids.

A cell is half-open, [left, right) x [bottom, top), so that every point lies in exactly one; columns and rows are
signed. Two consecutive shifts of a grid differ by size / shifts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from movfair_spark.kernels._jit import njit

NO_CELL = np.int64(-(2**63))
"""Id of 'no cell': the coordinates are not finite or the grid's index does not fit 32 bits."""

_ROW_OFFSET = 2**31
_INDEX_LIMIT = float(2**31 - 1)


def pack(col: NDArray[np.int64], row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ids of cells: (col << 32) + (row + 2^31), so that the order of ids is the order by (col, row).

    Parameters
    ----------
    col, row : int64 arrays
        Signed indices within ±(2^31 − 1).
    """
    return (np.asarray(col, dtype=np.int64) << 32) + (np.asarray(row, dtype=np.int64) + _ROW_OFFSET)


def unpack(cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Columns and rows of cell ids; the inverse of :func:`pack`."""
    ids = np.asarray(cells, dtype=np.int64)
    return ids >> 32, (ids & 0xFFFFFFFF) - _ROW_OFFSET


def square_cells(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    size: float,
    shift: float = 0.0,
    origin: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.int64]:
    """Cell of each point in a grid of squares.

    col = floor((x − x0 − shift) / size), row likewise with y. Design section 2, Zonings; paper section 5.4.

    Parameters
    ----------
    x, y : float64 arrays
        Metres in the grid's reference system.
    size, shift : float
        Side of a cell and displacement to the right and up, in metres (shift = i·size / shifts).
    origin : tuple of float
        (x0, y0), metres.

    Returns
    -------
    int64 array
        Ids as :func:`pack` makes them; :data:`NO_CELL` where a coordinate is not finite or an index leaves
        32 bits.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    return _square_cells(x, y, float(size), float(shift), float(origin[0]), float(origin[1]))


@njit
def _square_cells(x, y, size, shift, x0, y0):  # type: ignore[no-untyped-def]
    cells = np.empty(len(x), dtype=np.int64)
    for i in range(len(x)):
        col = np.floor((x[i] - x0 - shift) / size)
        row = np.floor((y[i] - y0 - shift) / size)
        # Written so that NaN is in no cell.
        if abs(col) <= _INDEX_LIMIT and abs(row) <= _INDEX_LIMIT:
            cells[i] = (np.int64(col) << 32) + (np.int64(row) + _ROW_OFFSET)
        else:
            cells[i] = NO_CELL
    return cells


def square_edges(
    cells: NDArray[np.int64], size: float, shift: float = 0.0, origin: tuple[float, float] = (0.0, 0.0)
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Left, lower, right and upper edges of cells in metres.

    The right edge of a cell is the left edge of the next one bit for bit, so that neighbours dissolve without
    slivers.
    """
    col, row = (index.astype(np.float64) for index in unpack(cells))
    x, y = origin[0] + shift, origin[1] + shift
    return (
        np.add(col * size, x),
        np.add(row * size, y),
        np.add((col + 1.0) * size, x),
        np.add((row + 1.0) * size, y),
    )


@njit
def mixed(cell):  # type: ignore[no-untyped-def]
    """Hash of a cell id, for tables of a power of two slots."""
    # Columns sit in the high half, rows in the low one; the products stay within 63 bits.
    product = ((cell >> 32) * 73856093) ^ ((cell & 0xFFFFFFFF) * 19349663)
    return product ^ (product >> 17)
