"""Tracks as minutes and metres, as the field's bug reports state them, and the stops that the kernels find."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from movfair_spark.kernels.fixes import Fixes, Stops
from movfair_spark.kernels.geo import EARTH_RADIUS_M, Space
from movfair_spark.kernels.stops import NEVER, Rule, microseconds
from movfair_spark.kernels.stream import default_stream, find_stops, ordered

MINUTE = 60_000_000
LON, LAT = 20.0, 10.0
DEGREES_PER_METRE = 180.0 / (math.pi * EARTH_RADIUS_M)

Rows = list[tuple[int, int, float, float]]


class Found(NamedTuple):
    """A stop in minutes and metres north, rounded to a second and a millimetre."""

    arrive: float
    leave: float
    north: float


def track(*fixes: tuple[float, float], person: int = 0) -> Rows:
    """Rows (person, microseconds, lon, lat) from (minute, metres north)."""
    return [(person, round(t * MINUTE), LON, LAT + north * DEGREES_PER_METRE) for t, north in fixes]


def fixes_of(rows: Sequence[tuple], *, stable: bool = False) -> Fixes:
    columns = list(zip(*rows, strict=True)) if rows else [[], [], [], []]
    return ordered(*columns, stable=stable)


def detect(
    rows: Sequence[tuple],
    *,
    minutes: float = 10.0,
    radius: float = 50.0,
    gap: float | None = None,
    leave: str = "last_inside",
    min_points: int = 1,
    compress: float | None = None,
    same_time: float = 50.0,
    batch: int | None = None,
    space: Space | None = None,
) -> Stops:
    """Stops by the default rule."""
    rule = Rule(radius, microseconds(minutes), NEVER if gap is None else microseconds(gap), leave, min_points)
    stream = default_stream(rule, space or Space(), same_time_radius=same_time, compress_radius=compress)
    return find_stops(stream, fixes_of(rows), batch)


def stays(rows: Sequence[tuple], **options) -> list[Found]:
    """Stops by the default rule, as (arrive, leave, metres north)."""
    return readable(detect(rows, **options))


def readable(found: Stops) -> list[Found]:
    north = (found.y - LAT) / DEGREES_PER_METRE
    rows = zip(found.arrive / MINUTE, found.leave / MINUTE, north, strict=True)
    return [Found(round(a, 3), round(b, 3), round(m, 3) + 0.0) for a, b, m in rows]


def as_tuples(found: Stops) -> list[tuple]:
    """All columns of a stop but ``row``, which depends on the batch."""
    return list(zip(*(np.asarray(column).tolist() for column in found[:7]), strict=True))
