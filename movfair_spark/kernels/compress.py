"""Compression of trajectories: consecutive fixes near the first of them become one.

Ours carries the first time, the last time, the count and the place of the first fix, so that stops found on compressed
fixes lose no stay: scikit-mobility's carries the first time only, and the last stay of every person who ends in a
dwell is gone. With ``radius`` 0 only fixes at the same place are joined, and the stops found afterwards are the same
ones. With a radius c > 0 a window of the stop rule still opens at a real fix, and a stretch is inside as a whole when
its first fix is: only fixes within c of a window's edge may change sides.
"""

from __future__ import annotations

from movfair_spark.kernels.fixes import Fixes, Floats, Stops
from movfair_spark.kernels.geo import EARTH_RADIUS_KM, Space
from movfair_spark.kernels.stops import NEVER, Rule, StopDetector


class Compressor:
    """Compressed fixes over batches: windows of the stop rule about their first fix, without a minimum duration.

    Parameters
    ----------
    radius : float
        Largest distance to the first fix of a stretch, in the unit of the space (metres); exactly on it is inside.
    space : Space
    max_gap_us : int
        A longer pause starts a new stretch, so that the pause stays visible to the stop rule.
    """

    def __init__(self, radius: float, space: Space, max_gap_us: int = NEVER) -> None:
        self._windows = StopDetector(Rule(radius, 0, max_gap_us), space)

    @property
    def largest_window(self) -> int:
        """Most fixes of one stretch."""
        return self._windows.largest_window

    def push(self, fixes: Fixes) -> Fixes:
        """Take the next fixes; return the stretches that they closed."""
        anchor = self._windows.anchor
        return _compressed(self._windows.push(fixes), fixes, anchor)

    def finish(self) -> Fixes:
        """Return the stretch that is open at the end of the data."""
        anchor = self._windows.anchor
        return _compressed(self._windows.finish(), None, anchor)


def _compressed(stretches: Stops, fixes: Fixes | None, anchor: tuple[float, float]) -> Fixes:
    # The first stretch may have begun in an earlier batch, at the anchor of that time.
    at: list[Floats] = []
    for axis in (0, 1):
        column = stretches.x.copy() if fixes is None else (fixes.x, fixes.y)[axis][stretches.row]
        if len(column) and stretches.row[0] < 0:
            column[0] = anchor[axis]
        at.append(column)
    return Fixes(
        stretches.person, stretches.arrive, stretches.leave, stretches.x, stretches.y, stretches.n_points, *at
    )


def skmob_space() -> Space:
    """How scikit-mobility measures: kilometres on a sphere, medians of longitudes without unwrapping."""
    return Space(sphere=EARTH_RADIUS_KM, degrees=False)


def skmob_compressor(radius_km: float, space: Space) -> Compressor:
    """``compression.compress`` of scikit-mobility 1.3.1: no gap rule, any pause is bridged.

    A stretch's time is its first fix's, its place the median of all its fixes; the last one is emitted always.
    Its last time and count are there too: drop them (:func:`forget_durations`) before scikit-mobility's stays.
    """
    return Compressor(radius_km, space)


def forget_durations(fixes: Fixes) -> Fixes:
    """Compressed fixes as scikit-mobility sees them: points at the first time, one each."""
    return Fixes(fixes.person, fixes.first, fixes.first, fixes.x, fixes.y)
