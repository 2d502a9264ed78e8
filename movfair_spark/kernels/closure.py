"""Sets of members: their names, their closed cellsets, and how many cellsets have them.

The closed cellset of a set of members is everything that all of them have; it is the largest of the cellsets with
exactly these members and stands for all of them (mlxtend #690: the same members are one finding, not several).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import LimitError
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.memberships import Memberships

#: Largest closed cellset whose subsets are enumerated.
MAX_ENUMERATED = 24

_SEEDS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


def members_hash(starts: npt.NDArray[np.int64], members: npt.NDArray[np.int32]) -> npt.NDArray[np.uint64]:
    """Name of each set of members, the same in every zoning.

    Parameters
    ----------
    starts : int64 array of shape (k + 1,)
    members : int32 array
        Set j is ``members[starts[j]:starts[j + 1]]``, in any order.

    Returns
    -------
    uint64 array of shape (k, 2)
        128 bits: sums of two independent 64-bit mixes of the object numbers. Among 1e9 different sets two share a
        name with probability 1e-21.
    """
    out = np.zeros((len(starts) - 1, 2), dtype=np.uint64)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        numbers = members[: starts[-1]].astype(np.uint64) + np.uint64(1)
        for half, seed in enumerate(_SEEDS):
            out[filled, half] = np.add.reduceat(_mix(numbers * np.uint64(seed)), starts[:-1][filled])
    return out


def _mix(z: np.ndarray) -> np.ndarray:
    # SplitMix64's finaliser; products of arrays wrap round at 2^64.
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def close(memberships: Memberships, members: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Intersect the cellsets of one set of members: cell ids in the order of codes (rarest first); see `closures`."""
    starts = np.array([0, len(members)], dtype=np.int64)
    return closures(memberships, starts, np.asarray(members, dtype=np.int32))[1]


def closures(
    memberships: Memberships, starts: npt.NDArray[np.int64], members: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Intersect the cellsets of each of many sets of members.

    Parameters
    ----------
    memberships : Memberships
        The zoning in which all members have cells.
    starts, members
        As in `members_hash`; no set is empty.

    Returns
    -------
    cell_starts : int64 array of shape (k + 1,)
    cells : int64 array
        Cell ids that all members of set j have: ``cells[cell_starts[j]:cell_starts[j + 1]]``.
    """
    cell_starts, codes = _closures(memberships, starts, members)
    return cell_starts, memberships.cells[codes]


def n_cellsets(memberships: Memberships, members: npt.NDArray[np.integer]) -> int:
    """Count the cellsets whose members are exactly these.

    Parameters
    ----------
    memberships : Memberships
        The zoning.
    members : integer array
        Members of a candidate.

    Returns
    -------
    int
        At least 1 for a candidate. Equals the sum of ``multiplicity`` over a distinct walk's candidates with these
        members.

    Raises
    ------
    LimitError
        The closed cellset has more than `MAX_ENUMERATED` cells.
    """
    starts = np.array([0, len(members)], dtype=np.int64)
    _, closed = _closures(memberships, starts, np.asarray(members, dtype=np.int32))
    if len(closed) > MAX_ENUMERATED:
        raise LimitError(f"A closed cellset has {len(closed)} cells, the limit is {MAX_ENUMERATED}")
    bit = np.full(len(memberships.cells), -1, dtype=np.int64)
    bit[closed] = np.arange(len(closed))
    return int(_count_generators(memberships.starts, memberships.items, bit, len(closed)))


def _closures(
    memberships: Memberships, starts: np.ndarray, members: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    row_of = np.full(memberships.n_objects, -1, dtype=np.int64)
    row_of[memberships.objects] = np.arange(len(memberships.objects))
    longest = int(memberships.sizes.max()) if len(memberships.objects) else 0
    cell_starts = np.zeros(len(starts), dtype=np.int64)
    codes = np.empty((len(starts) - 1) * longest, dtype=np.int64)
    _intersect(memberships.starts, memberships.items, row_of, starts, members, cell_starts, codes)
    return cell_starts, codes[: cell_starts[-1]]


@njit
def _intersect(row_starts, items, row_of, starts, members, cell_starts, codes):
    end = 0
    for j in range(len(starts) - 1):
        first = end
        row = row_of[members[starts[j]]]
        for i in range(row_starts[row], row_starts[row + 1]):
            codes[end] = items[i]
            end += 1
        for m in range(starts[j] + 1, starts[j + 1]):
            row = row_of[members[m]]
            i = row_starts[row]
            kept = first
            # Both ascend.
            for k in range(first, end):
                while i < row_starts[row + 1] and items[i] < codes[k]:
                    i += 1
                if i < row_starts[row + 1] and items[i] == codes[k]:
                    codes[kept] = codes[k]
                    kept += 1
            end = kept
        cell_starts[j + 1] = end


@njit
def _count_generators(row_starts, items, bit, size):
    # A subset of the closed cellset has further members when some object has it, but not the whole.
    full = (1 << size) - 1
    shared = np.zeros(full + 1, dtype=np.uint8)
    for row in range(len(row_starts) - 1):
        mask = 0
        for i in range(row_starts[row], row_starts[row + 1]):
            if bit[items[i]] >= 0:
                mask |= 1 << bit[items[i]]
        if mask != full:
            shared[mask] = 1
    for b in range(size):
        for mask in range(full + 1):
            if not (mask >> b) & 1 and shared[mask | (1 << b)]:
                shared[mask] = 1
    count = 0
    for mask in range(1, full + 1):
        count += 1 - shared[mask]
    return count
