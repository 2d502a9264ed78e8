"""From visits to cellsets: the cells that matter most to each person, in one zoning.

For every (person, cell): distinct local days that the cell's stops touch. Cells are ranked by days; ties by
dwell, then number of stops, then cell order. Paper section 4.3; design section 2, Cellsets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.cells import NO_CELL, mixed

_EMPTY = int(NO_CELL)


class Ranked(NamedTuple):
    """Cellsets of a batch of people in one zoning.

    Attributes
    ----------
    people : int64 array [R]
        Positions of the people who have a cell, ascending.
    starts : int64 array [R + 1]
        Where each person's cells begin in ``cells`` and ``days``.
    cells, days : int64 array [M], int32 array [M]
        Ranked cells and their distinct days, at most ``top`` per person.
    visited : int64 array [V]
        Every distinct (person, cell), as the cell alone: its counts are the numbers of people per cell.
    """

    people: NDArray[np.int64]
    starts: NDArray[np.int64]
    cells: NDArray[np.int64]
    days: NDArray[np.int32]
    visited: NDArray[np.int64]


def rank(
    starts: NDArray[np.int64],
    cells: NDArray[np.int64],
    first_day: NDArray[np.int64],
    last_day: NDArray[np.int64],
    dwell: NDArray[np.int64],
    top: int,
) -> Ranked:
    """Rank the cells of every person of a batch.

    Parameters
    ----------
    starts : int64 array [P + 1]
        Where each person's visits begin.
    cells : int64 array [S]
        Cell of each visit; ``NO_CELL`` is left out.
    first_day, last_day : int64 arrays [S]
        Local days that the visit touches, both included; ``first_day`` ascends within a person.
    dwell : int64 array [S]
        Length of the visit in microseconds.
    top : int
        How many cells a person keeps.
    """
    return Ranked(*_rank(starts, cells, first_day, last_day, dwell, top))


@njit
def _rank(starts, cells, first_day, last_day, dwell, top):  # type: ignore[no-untyped-def]
    n_people = starts.size - 1
    n_visits = cells.size
    longest = 1
    room = 0
    for person in range(n_people):
        n = starts[person + 1] - starts[person]
        longest = max(longest, n)
        room += min(n, top)

    slots = 2
    while slots < 2 * longest:
        slots *= 2
    # Slots of the hash table belong to the person whose stamp they carry: no clearing between people.
    stamp = np.full(slots, -1, np.int64)
    slot_of = np.empty(slots, np.int64)

    cell = np.empty(longest, np.int64)
    days = np.empty(longest, np.int64)
    until = np.empty(longest, np.int64)
    stay = np.empty(longest, np.int64)
    stops = np.empty(longest, np.int64)
    best = np.empty(top + 1, np.int64)

    out_people = np.empty(n_people, np.int64)
    out_starts = np.zeros(n_people + 1, np.int64)
    out_cells = np.empty(room, np.int64)
    out_days = np.empty(room, np.int32)
    visited = np.empty(n_visits, np.int64)
    n_out = 0
    n_cells = 0
    n_visited = 0

    for person in range(n_people):
        n = 0
        for i in range(starts[person], starts[person + 1]):
            c = cells[i]
            if c == _EMPTY:
                continue
            at = mixed(c) & (slots - 1)
            while stamp[at] == person and cell[slot_of[at]] != c:
                at = (at + 1) & (slots - 1)
            if stamp[at] != person:
                stamp[at] = person
                slot_of[at] = n
                cell[n] = c
                days[n] = 0
                until[n] = first_day[i] - 1
                stay[n] = 0
                stops[n] = 0
                n += 1
            k = slot_of[at]
            # Earlier visits started no later, so all days from first_day to until are counted already.
            fresh = last_day[i] - max(first_day[i] - 1, until[k])
            if fresh > 0:
                days[k] += fresh
                until[k] = last_day[i]
            stay[k] += dwell[i]
            stops[k] += 1
        if n == 0:
            continue

        kept = 0
        for k in range(n):
            visited[n_visited + k] = cell[k]
            at = kept
            while at > 0 and _before(k, best[at - 1], days, stay, stops, cell):
                best[at] = best[at - 1]
                at -= 1
            if at < top:
                best[at] = k
                kept = min(kept + 1, top)
        n_visited += n
        for r in range(kept):
            out_cells[n_cells + r] = cell[best[r]]
            out_days[n_cells + r] = days[best[r]]
        n_cells += kept
        out_people[n_out] = person
        n_out += 1
        out_starts[n_out] = n_cells

    return (
        out_people[:n_out],
        out_starts[: n_out + 1],
        out_cells[:n_cells],
        out_days[:n_cells],
        visited[:n_visited],
    )


@njit
def _before(a, b, days, stay, stops, cell):  # type: ignore[no-untyped-def]
    if days[a] != days[b]:
        return days[a] > days[b]
    if stay[a] != stay[b]:
        return stay[a] > stay[b]
    if stops[a] != stops[b]:
        return stops[a] > stops[b]
    return cell[a] < cell[b]
