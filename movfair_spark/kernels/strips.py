"""Strips: up to 16 consecutive fixes of a person in one row, so that few rows are moved and sorted between tasks.

Rows of one chunk are brought together by person (a counting sort) and cut into strips. Ordered by person and first
time, strips of different chunks may overlap in time; `Merger` undoes that: what lies before the first time of the next
strip is complete. So it holds at most one strip per chunk that reaches over that moment, whatever the order of the
input; where chunks follow each other in time, next to nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.fixes import NO_INTS, Fixes, Ints, no_fixes
from movfair_spark.kernels.geo import Floats
from movfair_spark.kernels.stream import in_order

STRIP = 16
"""Most fixes of a strip."""
VALUES = 3
"""8-byte values of a fix: time, x, y."""


class Strips(NamedTuple):
    """Strips of one chunk, by person and time.

    Attributes
    ----------
    person : int64[k]
    first : int64[k]
        Time of the first fix.
    starts : int64[k + 1]
        Strip j is ``data[starts[j]:starts[j + 1]]``.
    data : int64[3 * n]
        Per strip: all times, then the bits of all x, then those of all y.
    """

    person: Ints
    first: Ints
    starts: Ints
    data: Ints


def cut(person: Ints, n_people: int, time: Ints, x: Floats, y: Floats) -> Strips:
    """Cut the rows of a chunk into strips; rows of a person at the same time keep their order.

    Parameters
    ----------
    person : int64[n]
        Numbers from 0 to ``n_people - 1``, in any order.
    n_people : int
    time : int64[n]
    x, y : float64[n]
        Contiguous.
    """
    order, starts = _by_person(person, n_people)
    if not _ascending(order, starts, time):
        order = np.lexsort((time, person))
    return Strips(*_fill(order, starts, time, x.view(np.int64), y.view(np.int64), STRIP))


@njit
def _by_person(person, n_people):
    starts = np.zeros(n_people + 1, dtype=np.int64)
    for i in range(len(person)):
        starts[person[i] + 1] += 1
    for k in range(n_people):
        starts[k + 1] += starts[k]
    cursor = starts[:-1].copy()
    order = np.empty(len(person), dtype=np.int64)
    for i in range(len(person)):
        order[cursor[person[i]]] = i
        cursor[person[i]] += 1
    return order, starts


@njit
def _ascending(order, starts, time):
    for k in range(len(starts) - 1):
        for i in range(starts[k] + 1, starts[k + 1]):
            if time[order[i]] < time[order[i - 1]]:
                return False
    return True


@njit
def _fill(order, starts, time, x, y, longest):
    n_strips = 0
    for k in range(len(starts) - 1):
        n_strips += (starts[k + 1] - starts[k] + longest - 1) // longest
    person = np.empty(n_strips, dtype=np.int64)
    first = np.empty(n_strips, dtype=np.int64)
    ends = np.zeros(n_strips + 1, dtype=np.int64)
    data = np.empty(VALUES * len(order), dtype=np.int64)
    strip = 0
    for k in range(len(starts) - 1):
        for begin in range(starts[k], starts[k + 1], longest):
            n = min(longest, starts[k + 1] - begin)
            at = VALUES * begin
            for i in range(n):
                row = order[begin + i]
                data[at + i] = time[row]
                data[at + n + i] = x[row]
                data[at + 2 * n + i] = y[row]
            person[strip] = k
            first[strip] = data[at]
            ends[strip + 1] = at + VALUES * n
            strip += 1
    return person, first, ends, data


class Merger:
    """From strips ordered by person, first time and position back to fixes in order, in parts of any size.

    Parameters
    ----------
    by_position : bool
        Fixes of a person at the same time come in the order of the input, that of positions; otherwise in that of x,
        then y.
    """

    def __init__(self, *, by_position: bool) -> None:
        self.by_position = by_position
        self._held: tuple[np.ndarray, ...] | None = None

    def push(self, strips: Strips, position: Ints) -> Fixes:
        """Take the next strips (at least one), each with its place in the input; return the fixes that are complete."""
        columns: tuple[np.ndarray, ...] = _unrolled(strips.person, strips.starts, strips.data)
        lengths = np.diff(strips.starts) // VALUES
        columns += (np.repeat(position, lengths) if self.by_position else NO_INTS,)
        if self._held is not None:
            columns = tuple(np.concatenate(pair) for pair in zip(self._held, columns, strict=True))
        person, time, x, y, place = _arranged(*columns)
        done = _complete(person, time, strips.first[-1])
        self._held = tuple(column[done:].copy() for column in (person, time, x, y, place))
        return Fixes(person[:done], time[:done], time[:done], x[:done], y[:done])

    def finish(self) -> Fixes:
        """Return what is held."""
        held, self._held = self._held, None
        if held is None:
            return no_fixes()
        person, time, x, y, _ = held
        return Fixes(person, time, time, x, y)


def _arranged(person: Ints, time: Ints, x: Floats, y: Floats, place: Ints) -> tuple[np.ndarray, ...]:
    columns = (person, time, x, y, place)
    ties: tuple[Any, Any] = (place, place) if len(place) else (x, y)
    if in_order(person, time, *ties, stable=False):
        return columns
    order = np.lexsort((*ties[::-1], time, person))
    return tuple(column[order] if len(column) else column for column in columns)


@njit
def _complete(person, time, moment):
    # Rows before those of the last person that are not earlier than the moment.
    n = len(person)
    while n > 0 and person[n - 1] == person[-1] and time[n - 1] >= moment:
        n -= 1
    return n


@njit
def _unrolled(person, starts, data):
    n_fixes = (starts[-1] - starts[0]) // VALUES
    who = np.empty(n_fixes, dtype=np.int64)
    time = np.empty(n_fixes, dtype=np.int64)
    x = np.empty(n_fixes, dtype=np.int64)
    y = np.empty(n_fixes, dtype=np.int64)
    row = 0
    for strip in range(len(person)):
        at = starts[strip]
        n = (starts[strip + 1] - at) // VALUES
        for i in range(n):
            who[row + i] = person[strip]
            time[row + i] = data[at + i]
            x[row + i] = data[at + n + i]
            y[row + i] = data[at + 2 * n + i]
        row += n
    return who, time, x.view(np.float64), y.view(np.float64)
