"""``filtering.filter`` of scikit-mobility 1.3.1, exactly: fixes that were reached too fast are dropped.

A fix is dropped when the speed from the last kept fix is above the limit or no time has passed. A person's last fix is
never tested (a spike there is kept), and a bad first fix drops all that follow until the speed falls under the limit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.fixes import Fixes, Ints
from movfair_spark.kernels.geo import EARTH_RADIUS_KM, Floats, haversine


@njit
def _loop_top(
    rows: Ints,
    i: int,
    n: int,
    lon: Floats,
    lat: Floats,
    time: Ints,
    max_loop: int,
    ratio_max: float,
    speed_kmh: float,
) -> int:
    # Position (in rows) of the top of a short, fast loop that starts at position i, or -1.
    ahead = min(max_loop, n - i - 1)
    top = 0
    farthest = -1.0
    distance = np.empty(ahead)
    for j in range(1, ahead):
        distance[j] = haversine(
            lon[rows[i]], lat[rows[i]], lon[rows[i + j]], lat[rows[i + j]], EARTH_RADIUS_KM
        )
        if distance[j] > farthest:
            farthest = distance[j]
            top = j
    back = -1
    for j in range(top, ahead):
        if distance[j] < farthest * ratio_max:
            back = j
            break
    if back < 0:
        return -1
    kilometres = 0.0
    seconds = 0.0
    for j in range(1, back):
        kilometres += distance[j]
        seconds += (time[rows[i + j]] - time[rows[i]]) / 1e6
    return i + top if kilometres / seconds * 3600.0 > speed_kmh else -1


@njit
def _kept(
    person: Ints,
    time: Ints,
    lon: Floats,
    lat: Floats,
    max_speed_kmh: float,
    include_loops: bool,
    speed_kmh: float,
    max_loop: int,
    ratio_max: float,
) -> NDArray[np.bool_]:
    keep = np.ones(len(person), dtype=np.bool_)
    begin = 0
    while begin < len(person):
        end = begin
        while end < len(person) and person[end] == person[begin]:
            end += 1
        rows = np.arange(begin, end)
        n = end - begin
        i = 0
        while i < n - 2:
            here, there = rows[i], rows[i + 1]
            seconds = (time[there] - time[here]) / 1e6
            kilometres = haversine(lon[here], lat[here], lon[there], lat[there], EARTH_RADIUS_KM)
            drop = i + 1 if seconds == 0.0 or kilometres / seconds * 3600.0 > max_speed_kmh else -1
            if drop < 0 and include_loops:
                drop = _loop_top(rows, i, n, lon, lat, time, max_loop, ratio_max, speed_kmh)
            if drop < 0:
                i += 1
                continue
            keep[rows[drop]] = False
            if drop == i + 1:
                # The common case without moving the rest: the current fix takes the dropped one's place.
                rows[i + 1] = rows[i]
                rows = rows[1:]
            else:
                rows[drop : n - 1] = rows[drop + 1 : n].copy()
            n -= 1
        begin = end
    return keep


def filter_fixes(
    fixes: Fixes,
    *,
    max_speed_kmh: float = 500.0,
    include_loops: bool = False,
    speed_kmh: float = 5.0,
    max_loop: int = 6,
    ratio_max: float = 0.25,
) -> NDArray[np.bool_]:
    """Which fixes scikit-mobility's ``filter`` keeps.

    Parameters
    ----------
    fixes : Fixes
        Ordered by person and time, ties in the order of the input; x longitude, y latitude in degrees.
    max_speed_kmh : float
        Speed from the last kept fix above which a fix is dropped.
    include_loops : bool
        Also drop the farthest fix of a loop of at most ``max_loop`` fixes that comes back to ``ratio_max`` of the
        largest distance faster than ``speed_kmh`` (sums of distances and times from the loop's start).

    Returns
    -------
    bool[n]
    """
    return _kept(
        fixes.person,
        fixes.first,
        fixes.x,
        fixes.y,
        float(max_speed_kmh),
        include_loops,
        float(speed_kmh),
        int(max_loop),
        float(ratio_max),
    )
