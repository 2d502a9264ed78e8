"""Stops by the default rule in plain Python, from the text of the rule: lists, ``math`` and ``statistics`` only."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import groupby
from statistics import median
from typing import NamedTuple

MINUTE = 60_000_000


class Stop(NamedTuple):
    uid: object
    stop_id: int
    arrive: int
    leave: int
    x: float
    y: float
    n_points: int


def great_circle_m(a: tuple[float, float], b: tuple[float, float]) -> float:
    (lon1, lat1), (lon2, lat2) = ([math.radians(value) for value in place] for place in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6_371_000.0 * math.asin(math.sqrt(min(1.0, h)))


def straight_m(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.hypot(b[0] - a[0], b[1] - a[1])


def middle(places: list[tuple[float, float]], degrees: bool) -> tuple[float, float]:
    x = [place[0] for place in places]
    if degrees:
        x = [v - 360 if v - x[0] > 180 else v + 360 if v - x[0] < -180 else v for v in x]
    m = median(x)
    if degrees:
        m = m - 360 if m >= 180 else m + 360 if m < -180 else m
    return m, median(place[1] for place in places)


def resolve(
    rows: Iterable[tuple], radius_m: float, degrees: bool = True
) -> tuple[list[tuple], dict[str, int]]:
    """Fixes (uid, ts, x, y) in order, one per person and time; how many rows were set aside or joined."""
    counts = {"duplicate": 0, "merged": 0, "conflicting_position": 0}
    distance = great_circle_m if degrees else straight_m
    kept = []
    for (uid, ts), group in groupby(sorted(rows), key=lambda row: row[:2]):
        places = [row[2:] for row in group]
        distinct = sorted(set(places))
        counts["duplicate"] += len(places) - len(distinct)
        if len(distinct) == 1:
            kept.append((uid, ts, *distinct[0]))
            continue
        centre = middle(distinct, degrees)
        if all(distance(centre, place) <= radius_m for place in distinct):
            counts["merged"] += len(distinct) - 1
            kept.append((uid, ts, *centre))
        else:
            counts["conflicting_position"] += len(distinct)
    return kept, counts


def stops(
    rows: Iterable[tuple],
    radius_m: float,
    min_us: int,
    *,
    max_gap_us: float = math.inf,
    first_outside: bool = False,
    min_points: int = 1,
    degrees: bool = True,
    same_time_radius_m: float = 50.0,
) -> list[Stop]:
    """Stops of rows (uid, ts, x, y) in any order."""
    distance = great_circle_m if degrees else straight_m
    found: list[Stop] = []
    fixes, _ = resolve(rows, same_time_radius_m, degrees)
    for uid, group in groupby(fixes, key=lambda fix: fix[0]):
        own = list(group)
        stop_id = 0
        begin = 0
        while begin < len(own):
            end = begin + 1
            while (
                end < len(own)
                and own[end][1] - own[end - 1][1] <= max_gap_us
                and distance(own[begin][2:], own[end][2:]) <= radius_m
            ):
                end += 1
            leave = own[end - 1][1]
            left = end < len(own) and own[end][1] - own[end - 1][1] <= max_gap_us
            if first_outside and left:
                leave = own[end][1]
            if leave - own[begin][1] >= min_us and end - begin >= min_points:
                place = middle([fix[2:] for fix in own[begin:end]], degrees)
                found.append(Stop(uid, stop_id, own[begin][1], leave, *place, end - begin))
                stop_id += 1
            begin = end
    return found
