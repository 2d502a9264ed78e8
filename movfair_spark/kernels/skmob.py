"""``detection.stay_locations`` of scikit-mobility 1.3.1, exactly.

It differs from the default rule: every comparison is strict (``>``); a stay ends at the first fix outside; the fix that
closes a window is not in the median, and neither is a person's last fix; a gap discards the open window, however long
it already was; the fix after a gap starts anew; medians of longitudes are not unwrapped; fixes at the same time are
all used, in the order of the input; NaN counts as inside. Distances are kilometres, times minutes, as there.
"""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.fixes import NO_INTS, Fixes, Ints, Stops, join_fixes, no_stops
from movfair_spark.kernels.geo import Floats, Space, beyond, cos_degrees, haversine
from movfair_spark.kernels.medians import medians
from movfair_spark.kernels.stops import NOBODY

NO_DATA_MINUTES = 1e12


@njit
def _minutes(earlier: int, later: int) -> float:
    return (later - earlier) / 1e6 / 60.0


@njit
def _speed(minutes: float, kilometres: float) -> float:
    return 0.0 if minutes == 0.0 else kilometres / minutes * 60.0


@njit
def _trimmed(
    time: Ints, px: Floats, py: Floats, begin: int, end: int, after_gap: bool, sphere: float, min_speed: float
) -> int:
    # j of scikit-mobility's speed trimming: speeds are net, from the anchor; the closing fix (row `end`) has the
    # last one, the first fix inside has none, except after a gap (0).
    entries = end - begin + (1 if after_gap else 0)
    j = 1
    for k in range(1, entries):
        j = k
        row = end - k + 1
        minutes = _minutes(time[begin], time[row])
        if _speed(minutes, haversine(px[begin], py[begin], px[row], py[row], sphere)) < min_speed:
            break
    return j


@njit
def _stays(
    person: Ints,
    time: Ints,
    px: Floats,
    py: Floats,
    rows: int,
    sphere: float,
    radius: float,
    min_minutes: float,
    no_data_minutes: float,
    min_speed: float,
    ints: Ints,
    floats: Floats,
) -> tuple[Ints, int]:
    # Rows [0, rows) are decided; the row after them only tells whether the person goes on. Rows of the result:
    # begin (-1: before this batch), end of the median, person, stop_id, arrive, leave, points, last row inside.
    found = np.empty((8, rows), dtype=np.int64)
    k = 0
    who, arrive, seen, size, stop_id = ints[0], ints[1], ints[2], ints[3], ints[4]
    after_gap = ints[5] == 1
    largest = ints[6]
    ax, ay = floats[0], floats[1]
    cos0 = cos_degrees(ay)
    begin = -1
    for i in range(rows):
        if person[i] != who:
            who, arrive, size, stop_id, after_gap, begin = person[i], time[i], 0, 0, False, i
            ax, ay, cos0 = px[i], py[i], cos_degrees(py[i])
        else:
            ends = i + 1 == len(person) or person[i + 1] != who
            outside = False
            if _minutes(seen, time[i]) > no_data_minutes:
                arrive, size, after_gap, begin = time[i], 0, True, i
                ax, ay, cos0 = px[i], py[i], cos_degrees(py[i])
            else:
                outside = beyond(ax, ay, cos0, px[i], py[i], radius, sphere)
            if outside or ends:
                leave = time[i]
                drop = 0
                if min_speed >= 0.0 and begin >= 0:
                    j = _trimmed(time, px, py, begin, i, after_gap, sphere, min_speed)
                    if j > 1:
                        leave = time[i - j + 1]
                        drop = j
                if size > drop and _minutes(arrive, leave) > min_minutes:
                    found[0, k] = begin
                    found[1, k] = i - drop
                    found[2, k] = who
                    found[3, k] = stop_id
                    found[4, k] = arrive
                    found[5, k] = leave
                    found[6, k] = size - drop
                    found[7, k] = i - 1
                    k += 1
                    stop_id += 1
                arrive, size, after_gap, begin = time[i], 0, False, i
                ax, ay, cos0 = px[i], py[i], cos_degrees(py[i])
        size += 1
        largest = max(largest, size)
        seen = time[i]
    ints[0], ints[1], ints[2], ints[3], ints[4] = who, arrive, seen, size, stop_id
    ints[5], ints[6] = 1 if after_gap else 0, largest
    floats[0], floats[1] = ax, ay
    return found[:, :k].copy(), begin


class StayDetector:
    """``stay_locations`` over batches of fixes, ordered by person and time, ties in the order of the input.

    Parameters
    ----------
    radius_km : float
    minutes_for_a_stop : float
    no_data_for_minutes : float
    space : Space
        With ``sphere`` in kilometres and ``degrees`` False, see :func:`movfair_spark.kernels.compress.skmob_space`.
    min_speed_kmh : float, optional
        Trims the end of a stay as scikit-mobility does, two fixes too many (its report #138). Only for fixes that
        come in one batch: windows that go on from an earlier batch are not trimmed, hence refused.

    Notes
    -----
    Between batches it holds the open window, 16 bytes per fix, and one fix, because a person's last one is special.
    """

    def __init__(
        self,
        radius_km: float,
        minutes_for_a_stop: float,
        no_data_for_minutes: float,
        space: Space,
        min_speed_kmh: float | None = None,
    ) -> None:
        self.radius_km = float(radius_km)
        self.minutes_for_a_stop = float(minutes_for_a_stop)
        self.no_data_for_minutes = float(no_data_for_minutes)
        self.min_speed_kmh = -1.0 if min_speed_kmh is None else float(min_speed_kmh)
        self.space = space
        self._ints = np.zeros(7, dtype=np.int64)
        self._reset()

    def _reset(self) -> None:
        self._ints[:6] = NOBODY, 0, 0, 0, 0, 0
        self._floats = np.zeros(2)
        self._open: list[tuple[Floats, Floats]] = []
        self._held: Fixes | None = None

    @property
    def largest_window(self) -> int:
        """Most fixes of one window so far."""
        return int(self._ints[6])

    def push(self, fixes: Fixes) -> Stops:
        """Take the next fixes; return the stays that they closed."""
        if fixes.n == 0:
            return no_stops()
        if self.min_speed_kmh >= 0 and self._held is not None:
            raise ValueError("min_speed_kmh needs all fixes in one batch")
        known = fixes if self._held is None else join_fixes([self._held, fixes])
        self._held = known.part(known.n - 1, known.n)
        return self._decide(known, known.n - 1)

    def finish(self) -> Stops:
        """Decide the last fix."""
        if self._held is None:
            return no_stops()
        stops = self._decide(self._held, 1)
        self._reset()
        return stops

    def locate(self, fixes: Fixes) -> Stops:
        """Stays of fixes that are all there: one batch, from start to end."""
        if fixes.n == 0:
            return no_stops()
        stops = self._decide(fixes, fixes.n)
        self._reset()
        return stops

    def _decide(self, fixes: Fixes, rows: int) -> Stops:
        px, py = self.space.measured(fixes.x, fixes.y)
        found, open_from = _stays(
            fixes.person,
            fixes.first,
            px,
            py,
            rows,
            self.space.sphere,
            self.radius_km,
            self.minutes_for_a_stop,
            self.no_data_for_minutes,
            self.min_speed_kmh,
            self._ints,
            self._floats,
        )
        begin, end, person, stop_id, arrive, leave, points, row = found
        x = medians(fixes.x, NO_INTS, begin, end, False)
        y = medians(fixes.y, NO_INTS, begin, end, False)
        if len(begin) and begin[0] < 0:
            x[0], y[0] = (
                medians(
                    np.concatenate([*(part[axis] for part in self._open), values[: end[0]]]),
                    NO_INTS,
                    np.zeros(1, dtype=np.int64),
                    points[:1],
                    False,
                )[0]
                for axis, values in enumerate((fixes.x, fixes.y))
            )
        self._carry(fixes, rows, open_from)
        return Stops(person, stop_id, arrive, leave, x, y, points, row)

    def _carry(self, fixes: Fixes, rows: int, open_from: int) -> None:
        if open_from >= 0:
            self._open = []
        begin = max(open_from, 0)
        self._open.append((fixes.x[begin:rows].copy(), fixes.y[begin:rows].copy()))


def stay_locations(
    fixes: Fixes,
    space: Space,
    *,
    minutes_for_a_stop: float = 20.0,
    spatial_radius_km: float = 0.2,
    no_data_for_minutes: float = NO_DATA_MINUTES,
    min_speed_kmh: float | None = None,
) -> Stops:
    """``stay_locations`` of fixes that are all in memory, with scikit-mobility's names and defaults.

    Parameters
    ----------
    fixes : Fixes
        Ordered by person and time, ties in the order of the input; x longitude, y latitude.
    space : Space
        See :func:`movfair_spark.kernels.compress.skmob_space`.

    Returns
    -------
    Stops
        ``row`` is the fix before the closing one: scikit-mobility takes other columns of a stay from there.
    """
    detector = StayDetector(spatial_radius_km, minutes_for_a_stop, no_data_for_minutes, space, min_speed_kmh)
    return detector.locate(fixes)
