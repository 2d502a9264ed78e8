"""Who is in which cell: the packed input of mining, one zoning at a time.

The cells of a zoning get codes in the order of Eclat: ascending support, ties by cell id. Inside an object's row the
codes ascend, so the rarest cell comes first and every item after an item is at least as frequent as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import InputError, LimitError
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.cells import mixed

#: Most cells of one object: the positions of a row fit one 32-bit mask.
MAX_ROW = 32

_MAGIC = b"MFMS0001"
_HEADER = np.dtype(
    [("n_objects", "<i8"), ("rows", "<i8"), ("items", "<i8"), ("cells", "<i8"), ("code_bytes", "<i8")]
)


@dataclass(frozen=True)
class Memberships:
    """Memberships of the tested objects in the cells of one zoning.

    Attributes
    ----------
    n_objects : int
        Number of objects in the test, N. Objects are numbered 0..N-1.
    objects : int32 array of shape (R,)
        Objects with at least one cell, ascending.
    starts : int64 array of shape (R + 1,)
        Row r owns ``items[starts[r]:starts[r + 1]]``; at most `MAX_ROW` items.
    items : int32 array of shape (M,)
        Codes of cells, ascending inside a row.
    cells : int64 array of shape (K,)
        Cell id of each code. Codes are in ascending order of support, ties in order of cell id.
    """

    n_objects: int
    objects: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    items: npt.NDArray[np.int32]
    cells: npt.NDArray[np.int64]

    @property
    def supports(self) -> npt.NDArray[np.int64]:
        """Number of objects per code, int64[K], ascending."""
        return np.bincount(self.items, minlength=len(self.cells)).astype(np.int64)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Number of cells per row, int64[R]."""
        return np.diff(self.starts)

    def all_memberships(self) -> int:
        """Memberships of all candidates of support 1 and more.

        An object with s cells is a member of 2^s - 1 candidates: one per non-empty subset of its cellset.
        """
        return sum(int(count) * ((1 << size) - 1) for size, count in enumerate(np.bincount(self.sizes)))


def pack(
    n_objects: int,
    objects: npt.NDArray[np.integer],
    starts: npt.NDArray[np.integer],
    cells: npt.NDArray[np.integer],
) -> Memberships:
    """Pack the cellsets of one zoning.

    Parameters
    ----------
    n_objects : int
        Number of objects in the test.
    objects : integer array of shape (R,)
        Numbers of the objects, 0..n_objects-1, each at most once, in any order.
    starts : integer array of shape (R + 1,)
        Row r owns ``cells[starts[r]:starts[r + 1]]``.
    cells : integer array of shape (M,)
        Cell ids in any order; a cell that an object has twice counts once.

    Returns
    -------
    Memberships
        The same content in canonical order: rows by object, codes by (support, cell id). Objects without a cell
        have no row.

    Raises
    ------
    InputError
        An object number is outside 0..n_objects-1 or occurs twice.
    LimitError
        An object has more than `MAX_ROW` cells, or there are 2^31 objects or memberships and more.
    """
    objects = np.ascontiguousarray(objects, dtype=np.int64)
    starts = np.ascontiguousarray(starts, dtype=np.int64)
    cells = np.ascontiguousarray(cells, dtype=np.int64)
    if n_objects >= 2**31 or len(cells) >= 2**31:
        raise LimitError(
            f"{n_objects} objects with {len(cells)} memberships in one zoning exceed 2^31 - 1",
            "Use coarser cells or fewer top_cells",
        )
    if len(objects) and (objects.min() < 0 or objects.max() >= n_objects):
        raise InputError(
            f"Object numbers run from {objects.min()} to {objects.max()}, allowed are 0 to {n_objects - 1}"
        )
    if len(objects) > 1 and not np.all(objects[1:] > objects[:-1]):
        objects, starts, cells = _sort_rows(objects, starts, cells)
        if np.any(objects[1:] == objects[:-1]):
            raise InputError("An object has two rows in one zoning", "Give one cellset per object and zoning")

    codes = np.empty(len(cells), dtype=np.int32)
    ids = _distinct(cells, codes)
    in_order = np.argsort(ids)
    ids, codes = ids[in_order], np.argsort(in_order).astype(np.int32)[codes]
    sizes, codes = _sorted_rows_without_repeats(starts, codes)
    order = np.argsort(np.bincount(codes, minlength=len(ids)), kind="stable")
    rank = np.empty(len(ids), dtype=np.int32)
    rank[order] = np.arange(len(ids), dtype=np.int32)
    codes = rank[codes]
    kept = np.flatnonzero(sizes)
    sizes = sizes[kept]
    if len(sizes) and sizes.max() > MAX_ROW:
        raise LimitError(
            f"An object has {sizes.max()} cells, the limit is {MAX_ROW}", "Lower cellsets.top_cells"
        )
    packed = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum(sizes, out=packed[1:])
    _sort_inside_rows(packed, codes)
    return Memberships(int(n_objects), objects[kept].astype(np.int32), packed, codes, ids[order])


def to_bytes(memberships: Memberships) -> bytes:
    """Pack into little-endian bytes: one length byte per row, two bytes per item where the codes allow it."""
    code = np.dtype("<u2") if len(memberships.cells) <= 2**16 else np.dtype("<i4")
    header = np.zeros(1, dtype=_HEADER)
    header[0] = (
        memberships.n_objects,
        len(memberships.objects),
        len(memberships.items),
        len(memberships.cells),
        code.itemsize,
    )
    return b"".join(
        (
            _MAGIC,
            header.tobytes(),
            memberships.objects.astype("<i4").tobytes(),
            memberships.sizes.astype(np.uint8).tobytes(),
            memberships.items.astype(code).tobytes(),
            memberships.cells.astype("<i8").tobytes(),
        )
    )


def from_bytes(data: bytes | memoryview) -> Memberships:
    """Read what `to_bytes` wrote.

    Raises
    ------
    InputError
        The bytes are not packed memberships of this version.
    """
    if bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise InputError("These bytes are not packed memberships of this version", "Run the step again")
    offset = len(_MAGIC)
    header = np.frombuffer(data, dtype=_HEADER, count=1, offset=offset)[0]
    offset += _HEADER.itemsize

    def take(dtype: str, count: int) -> np.ndarray:
        nonlocal offset
        values = np.frombuffer(data, dtype=dtype, count=count, offset=offset)
        offset += values.nbytes
        return values

    rows, items = int(header["rows"]), int(header["items"])
    objects = take("<i4", rows).astype(np.int32)
    starts = np.zeros(rows + 1, dtype=np.int64)
    np.cumsum(take("u1", rows), out=starts[1:])
    codes = take("<u2" if header["code_bytes"] == 2 else "<i4", items).astype(np.int32)
    return Memberships(
        int(header["n_objects"]), objects, starts, codes, take("<i8", int(header["cells"])).astype(np.int64)
    )


def _sort_rows(
    objects: np.ndarray, starts: np.ndarray, cells: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = np.argsort(objects, kind="stable")
    sizes = np.diff(starts)[order]
    sorted_starts = np.zeros(len(starts), dtype=np.int64)
    np.cumsum(sizes, out=sorted_starts[1:])
    source = np.repeat(starts[:-1][order] - sorted_starts[:-1], sizes) + np.arange(sorted_starts[-1])
    return objects[order], sorted_starts, cells[source]


@njit
def _distinct(values, codes):
    """Distinct values in order of appearance; ``codes`` gets the position of each value among them."""
    slots = 1 << 12
    ids = np.empty(slots // 2, np.int64)
    table = np.full(slots, -1, np.int32)
    n = 0
    for i in range(len(values)):
        value = values[i]
        at = mixed(value) & (slots - 1)
        while table[at] >= 0 and ids[table[at]] != value:
            at = (at + 1) & (slots - 1)
        if table[at] < 0:
            if n == len(ids):
                slots *= 4
                grown = np.empty(slots // 2, np.int64)
                grown[:n] = ids
                ids = grown
                table = np.full(slots, -1, np.int32)
                for code in range(n):
                    at = mixed(ids[code]) & (slots - 1)
                    while table[at] >= 0:
                        at = (at + 1) & (slots - 1)
                    table[at] = code
                at = mixed(value) & (slots - 1)
                while table[at] >= 0:
                    at = (at + 1) & (slots - 1)
            table[at] = n
            ids[n] = value
            n += 1
        codes[i] = table[at]
    return ids[:n]


@njit
def _sort_inside_rows(starts, items):
    for r in range(len(starts) - 1):
        for i in range(starts[r] + 1, starts[r + 1]):
            item = items[i]
            j = i - 1
            while j >= starts[r] and items[j] > item:
                items[j + 1] = items[j]
                j -= 1
            items[j + 1] = item


@njit
def _squeeze(starts, items, sizes):
    end = 0
    for r in range(len(starts) - 1):
        first = end
        for i in range(starts[r], starts[r + 1]):
            if i == starts[r] or items[i] != items[i - 1]:
                items[end] = items[i]
                end += 1
        sizes[r] = end - first
    return end


def _sorted_rows_without_repeats(starts: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _sort_inside_rows(starts, codes)
    sizes = np.empty(len(starts) - 1, dtype=np.int64)
    end = _squeeze(starts, codes, sizes)
    return sizes, codes[:end]
