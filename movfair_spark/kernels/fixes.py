"""Arrays that pass between the kernels of stop detection: fixes in order, and the stops made of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from movfair_spark.kernels.geo import Floats

Ints = NDArray[np.int64]
NO_INTS: Ints = np.empty(0, dtype=np.int64)
NO_FLOATS: Floats = np.empty(0, dtype=np.float64)


class Fixes(NamedTuple):
    """Fixes of many people, ordered by person and time.

    Attributes
    ----------
    person : int64[n]
        Number of the person, not negative and not decreasing: equal numbers follow one another.
    first, last : int64[n]
        Microseconds since the epoch, UTC: times of the first and the last raw fix that it stands for (the same
        array when nothing was compressed).
    x, y : float64[n]
        Stored coordinates.
    points : int64[n] or int64[0]
        Raw fixes that it stands for; empty: one each.
    at_x, at_y : float64[n] or float64[0]
        Stored coordinates of the first raw fix that it stands for, at which distances are measured; empty: x, y.
    """

    person: Ints
    first: Ints
    last: Ints
    x: Floats
    y: Floats
    points: Ints = NO_INTS
    at_x: Floats = NO_FLOATS
    at_y: Floats = NO_FLOATS

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.person)

    def view(self, begin: int, end: int) -> Fixes:
        """Return the rows [begin, end) without copying them."""
        return Fixes._make(column[begin:end] for column in self)

    def part(self, begin: int, end: int) -> Fixes:
        """Return a copy of the rows [begin, end), which does not keep the whole batch in memory."""
        return Fixes._make(column[begin:end].copy() for column in self)


class Stops(NamedTuple):
    """Stops, or the stretches of fixes that a compression makes.

    Attributes
    ----------
    person : int64[k]
    stop_id : int64[k]
        0, 1, ... per person in the order of time.
    arrive, leave : int64[k]
        Microseconds since the epoch, UTC.
    x, y : float64[k]
        Coordinate-wise median of the fixes, in stored coordinates.
    n_points : int64[k]
        Raw fixes.
    row : int64[k]
        Row of the pushed batch that other columns of a stop are taken from, -1 when it lies in an earlier one:
        the first fix, for scikit-mobility's stays the last one inside.
    """

    person: Ints
    stop_id: Ints
    arrive: Ints
    leave: Ints
    x: Floats
    y: Floats
    n_points: Ints
    row: Ints

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.person)


class Detector(Protocol):
    """A kernel with memory: batches in, stops out; ``finish`` closes what is open at the end of the data."""

    def push(self, fixes: Fixes) -> Stops:
        """Take the next batch; return the stops that it closed."""

    def finish(self) -> Stops:
        """Return the stops still open; the detector is as new afterwards."""


def join_fixes(parts: list[Fixes]) -> Fixes:
    """Concatenate fixes."""
    if len(parts) == 1:
        return parts[0]
    return Fixes._make(np.concatenate(columns) for columns in zip(*parts, strict=True))


def join_stops(parts: Iterable[Stops]) -> Stops:
    """Concatenate stops; typed empty arrays when there are none."""
    kept = [part for part in parts if part.n]
    if not kept:
        return no_stops()
    return Stops._make(np.concatenate(columns) for columns in zip(*kept, strict=True))


def no_stops() -> Stops:
    """Return no stop, with the right types."""
    return Stops(NO_INTS, NO_INTS, NO_INTS, NO_INTS, NO_FLOATS, NO_FLOATS, NO_INTS, NO_INTS)


def no_fixes() -> Fixes:
    """Return no fix, with the right types."""
    return Fixes(NO_INTS, NO_INTS, NO_INTS, NO_FLOATS, NO_FLOATS)
