"""Stops by the default rule (paper section 4.1; Hariharan & Toyama 2004; design section 2, "Stops").

The first fix of a window is its anchor. Following fixes belong to the window while their distance to the anchor is
at most the radius and no pause is longer than the gap limit. The fix that closes a window is the next anchor. A
window is a stop when it lasts at least the minimum duration.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.fixes import NO_INTS, Fixes, Ints, Stops, no_stops
from movfair_spark.kernels.geo import Floats, Space, beyond, cos_degrees
from movfair_spark.kernels.medians import medians

MICROSECONDS_PER_MINUTE = 60_000_000
NEVER = np.iinfo(np.int64).max
NOBODY = -1

_LAST = 2  # place of the last fix's time in the memory of the open window


def microseconds(minutes: float) -> int:
    """Minutes as whole microseconds, the resolution of all times."""
    return round(minutes * MICROSECONDS_PER_MINUTE)


@dataclass(frozen=True)
class Rule:
    """When a window closes, and when it is a stop.

    Parameters
    ----------
    radius : float
        Largest distance to the anchor that is still inside, in the unit of the space (metres). Exactly on it is
        inside; there is no tolerance.
    min_us : int
        Shortest duration (leave - arrive) of a stop, microseconds; exactly this long is a stop.
    max_gap_us : int
        Longest pause between two fixes of one window, microseconds; exactly this long is none. A longer one closes
        the window at the last fix before it: a pause never counts as dwell and never throws a stop away.
    leave : {'last_inside', 'first_outside'}
        End of a stop: its last fix, or the fix that closed it by lying outside the radius (for loggers that
        sleep while people stay). After a gap and at the end of the data it is the last fix in both.
    min_points : int
        Fewest fixes of a stop.
    """

    radius: float
    min_us: int
    max_gap_us: int = NEVER
    leave: Literal["last_inside", "first_outside"] = "last_inside"
    min_points: int = 1


@njit
def _windows(
    person: Ints,
    first: Ints,
    last: Ints,
    weights: Ints,
    px: Floats,
    py: Floats,
    sphere: float,
    radius: float,
    min_us: int,
    max_gap_us: int,
    first_outside: bool,
    min_points: int,
    ints: Ints,
    floats: Floats,
) -> tuple[Ints, int]:
    # ints: person, arrive, time of the last fix, points and stop_id of the open window, points of the largest window;
    # floats: anchor of the open window.
    # Rows of the result: begin (-1: before this batch), end, person, stop_id, arrive, leave, points.
    # Second value: row at which the window left open begins, -1 when it began before this batch.
    n = len(person)
    weighted = len(weights) > 0
    found = np.empty((7, n), dtype=np.int64)
    k = 0
    who, arrive, seen, points, stop_id = ints[0], ints[1], ints[2], ints[3], ints[4]
    largest = ints[5]
    ax, ay = floats[0], floats[1]
    cos0 = cos_degrees(ay)
    begin = -1
    for i in range(n):
        same = person[i] == who
        gap = same and first[i] - seen > max_gap_us
        if same and not gap and not beyond(ax, ay, cos0, px[i], py[i], radius, sphere):
            seen = last[i]
            points += weights[i] if weighted else 1
            continue
        largest = max(largest, points)
        leave = first[i] if first_outside and same and not gap else seen
        if who != -1 and leave - arrive >= min_us and points >= min_points:
            found[0, k] = begin
            found[1, k] = i
            found[2, k] = who
            found[3, k] = stop_id
            found[4, k] = arrive
            found[5, k] = leave
            found[6, k] = points
            k += 1
            stop_id += 1
        if not same:
            who = person[i]
            stop_id = 0
        begin = i
        arrive = first[i]
        seen = last[i]
        points = weights[i] if weighted else 1
        ax = px[i]
        ay = py[i]
        cos0 = cos_degrees(ay)
    ints[0], ints[1], ints[2], ints[3], ints[4], ints[5] = who, arrive, seen, points, stop_id, largest
    floats[0], floats[1] = ax, ay
    return found[:, :k].copy(), begin


class StopDetector:
    """The default rule over batches: the same stops however the fixes are cut into batches.

    Parameters
    ----------
    rule : Rule
    space : Space

    Notes
    -----
    Between two batches it holds the coordinates of the open window: 16 bytes per fix (24 when compressed), plus 8
    per fix while its median is taken. ``largest_window`` is the largest number of fixes of a closed window.
    """

    def __init__(self, rule: Rule, space: Space) -> None:
        self.rule = rule
        self.space = space
        self._ints = np.zeros(6, dtype=np.int64)
        self._reset()

    def _reset(self) -> None:
        self._ints[:5] = NOBODY, 0, 0, 0, 0
        self._floats = np.zeros(2)
        self._open: list[tuple[Floats, Floats, Ints]] = []

    @property
    def largest_window(self) -> int:
        """Most fixes of one window so far."""
        return int(self._ints[5])

    @property
    def anchor(self) -> tuple[float, float]:
        """Stored coordinates of the first fix of the open window; NaN when none is open."""
        return (self._open[0][0][0], self._open[0][1][0]) if self._open else (math.nan, math.nan)

    def push(self, fixes: Fixes) -> Stops:
        """Take the next fixes, ordered by person and time; return the stops that they closed."""
        if fixes.n == 0:
            return no_stops()
        rule, space = self.rule, self.space
        px, py = space.measured(*((fixes.at_x, fixes.at_y) if len(fixes.at_x) else (fixes.x, fixes.y)))
        found, open_from = _windows(
            fixes.person,
            fixes.first,
            fixes.last,
            fixes.points,
            px,
            py,
            space.sphere,
            float(rule.radius),
            rule.min_us,
            rule.max_gap_us,
            rule.leave == "first_outside",
            rule.min_points,
            self._ints,
            self._floats,
        )
        begin, end, person, stop_id, arrive, leave, points = found
        x = medians(fixes.x, fixes.points, begin, end, space.degrees)
        y = medians(fixes.y, fixes.points, begin, end, False)
        if len(begin) and begin[0] < 0:
            x[0], y[0] = self._median_of_carried(fixes, end[0])
        self._carry(fixes, open_from)
        return Stops(person, stop_id, arrive, leave, x, y, points, begin)

    def finish(self) -> Stops:
        """Close the window that is open at the end of the data: it counts."""
        moment = np.array([self._ints[_LAST]], dtype=np.int64)
        count = NO_INTS if not self._open or len(self._open[0][2]) == 0 else np.ones(1, dtype=np.int64)
        nowhere = np.zeros(1)
        stops = self.push(Fixes(np.array([NOBODY]), moment, moment, nowhere, nowhere, count))
        self._reset()
        return stops

    def _median_of_carried(self, fixes: Fixes, end: int) -> tuple[float, float]:
        parts = [*self._open, (fixes.x[:end], fixes.y[:end], fixes.points[:end])]
        count = np.concatenate([part[2] for part in parts])
        bounds = np.zeros(1, dtype=np.int64), np.array([sum(len(part[0]) for part in parts)], dtype=np.int64)
        # One coordinate at a time: 8 bytes per fix, not 16.
        x = medians(np.concatenate([part[0] for part in parts]), count, *bounds, self.space.degrees)
        y = medians(np.concatenate([part[1] for part in parts]), count, *bounds, False)
        return x[0], y[0]

    def _carry(self, fixes: Fixes, open_from: int) -> None:
        if open_from >= 0:
            self._open = []
        begin = max(open_from, 0)
        self._open.append((fixes.x[begin:].copy(), fixes.y[begin:].copy(), fixes.points[begin:].copy()))
