"""The chain of one sorted pass: rows at the same time, compression, stops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.compress import Compressor, forget_durations
from movfair_spark.kernels.fixes import Detector, Fixes, Ints, Stops, join_stops
from movfair_spark.kernels.geo import Floats, Space
from movfair_spark.kernels.same_time import SameTime
from movfair_spark.kernels.skmob import StayDetector
from movfair_spark.kernels.stops import Rule, StopDetector


class Step(Protocol):
    """A kernel that makes fixes of fixes."""

    def push(self, fixes: Fixes) -> Fixes:
        """Take the next batch."""

    def finish(self) -> Fixes:
        """Return what was held back."""


class StopStream:
    """Raw fixes in, in batches of any size, ordered by person and time; stops out.

    Parameters
    ----------
    detector : Detector
        Finds the stops.
    steps : list of Step
        Applied before it, in this order.

    Attributes
    ----------
    rows : int
        Rows taken so far.
    """

    def __init__(self, detector: Detector, steps: list[Step]) -> None:
        self.detector = detector
        self.steps = steps
        self.rows = 0

    @property
    def counts(self) -> dict[str, int]:
        """Rows that were ``duplicate``, ``merged`` or of a ``conflicting_position``."""
        counts = {"duplicate": 0, "merged": 0, "conflicting_position": 0}
        for step in self.steps:
            counts.update(getattr(step, "counts", {}))
        return counts

    @property
    def largest_window(self) -> int:
        """Most fixes held at once: those of the largest open window, 16 bytes each."""
        return max(getattr(part, "largest_window", 0) for part in [*self.steps, self.detector])

    def push(self, fixes: Fixes) -> Stops:
        """Take the next rows; return the stops that they closed."""
        self.rows += fixes.n
        return self._through(fixes, 0)

    def finish(self) -> Stops:
        """Close everything that is open at the end of the data."""
        return join_stops(self._rest())

    def _rest(self) -> Iterator[Stops]:
        for position, step in enumerate(self.steps):
            yield self._through(step.finish(), position + 1)
        yield self.detector.finish()

    def _through(self, fixes: Fixes, position: int) -> Stops:
        for step in self.steps[position:]:
            fixes = step.push(fixes)
        return self.detector.push(fixes)


def default_stream(
    rule: Rule, space: Space, *, same_time_radius: float, compress_radius: float | None = None
) -> StopStream:
    """Chain of the default rule.

    Parameters
    ----------
    rule : Rule
    space : Space
    same_time_radius : float
        Metres; see :class:`movfair_spark.kernels.same_time.SameTime`. Rows must be ordered by x and y too.
    compress_radius : float, optional
        Metres; compress first, see :mod:`movfair_spark.kernels.compress`.
    """
    steps: list[Step] = [SameTime(same_time_radius, space)]
    if compress_radius is not None:
        steps.append(Compressor(compress_radius, space, rule.max_gap_us))
    return StopStream(StopDetector(rule, space), steps)


class _ForgetfulCompressor(Compressor):
    """scikit-mobility's ``compress``: only first times go on."""

    def push(self, fixes: Fixes) -> Fixes:
        return forget_durations(super().push(fixes))

    def finish(self) -> Fixes:
        return forget_durations(super().finish())


def skmob_stream(
    radius_km: float,
    minutes_for_a_stop: float,
    no_data_for_minutes: float,
    space: Space,
    *,
    compress_km: float | None = None,
) -> StopStream:
    """Chain of scikit-mobility 1.3.1: ``compress`` when asked, then ``stay_locations``. All rows are used."""
    steps: list[Step] = [] if compress_km is None else [_ForgetfulCompressor(compress_km, space)]
    return StopStream(StayDetector(radius_km, minutes_for_a_stop, no_data_for_minutes, space), steps)


def ordered(person: ArrayLike, time: ArrayLike, x: ArrayLike, y: ArrayLike, *, stable: bool = False) -> Fixes:
    """Return fixes in the order that the kernels need.

    Parameters
    ----------
    person : array_like of int64
    time : array_like of int64
        Microseconds since the epoch, UTC.
    x, y : array_like of float64
    stable : bool
        Keep the input's order among fixes of a person at the same time, as scikit-mobility does; otherwise they
        are ordered by x, then y, so that the input's order changes nothing.
    """
    who, when = np.asarray(person, dtype=np.int64), np.asarray(time, dtype=np.int64)
    # Adding 0 makes -0.0 the same zero.
    px, py = np.asarray(x, dtype=np.float64) + 0.0, np.asarray(y, dtype=np.float64) + 0.0
    found = Fixes(who, when, when, px, py)
    # What is in order stays as it is; equal times of a person are rare: coordinates are looked at only where there are.
    for keys in ((when, who), (py, px, when, who)):
        if in_order(found.person, found.first, found.x, found.y, stable):
            break
        order = np.lexsort(keys)
        times: Ints = when[order]
        found = Fixes(who[order], times, times, px[order], py[order])
    return found


@njit
def in_order(person: Ints, time: Ints, x: Floats, y: Floats, stable: bool) -> bool:
    """Whether rows are ordered by person and time, and unless ``stable`` by x and y too; never with a NaN in a tie."""
    for i in range(1, len(person)):
        if person[i] != person[i - 1]:
            if person[i] < person[i - 1]:
                return False
        elif time[i] != time[i - 1]:
            if time[i] < time[i - 1]:
                return False
        # Written so that a NaN, which is sorted last, asks for the sort.
        elif not stable and not (x[i] > x[i - 1] or (x[i] == x[i - 1] and y[i] >= y[i - 1])):
            return False
    return True


def find_stops(stream: StopStream, fixes: Fixes, batch_size: int | None = None) -> Stops:
    """Find the stops of fixes that are all in memory, in batches of ``batch_size`` rows (default: one)."""
    size = batch_size or max(fixes.n, 1)
    found = [stream.push(fixes.view(start, start + size)) for start in range(0, fixes.n, size)]
    return join_stops([*found, stream.finish()])
