"""Fixes: where a person's phone says that they are, every few minutes, with noise, gaps and bad rows."""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.synth.city import City
from movfair_spark.synth.draws import bell, key, unit, word, wrapping
from movfair_spark.synth.routines import (
    ARRIVE,
    LEAVE,
    MAX_VISITS,
    SLOT,
    SLOTS,
    choose_places,
    plan_day,
)

# What a row is. Bad rows follow the good one that they spoil.
GOOD, DUPLICATE, CONFLICT, NO_UID, NO_TIME, NO_POSITION, NAN_POSITION, OUT_OF_RANGE = range(8)
BAD_KINDS = ("duplicate", "conflict", "no_uid", "no_time", "no_position", "nan_position", "out_of_range")

_GRAIN = 1e6  # coordinates are written in millionths of a degree (11 cm), as phones do
_LOW_32, _S32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_CONFLICT_DEGREES = 0.02  # 2.2 km north: no noise explains it
_IMPOSSIBLE_LATITUDE = 95.0


@njit
def position(
    city: City, spots: np.ndarray, visits: np.ndarray, n: int, v: int, second: int
) -> tuple[float, float]:
    """Metres east and north at a second of the day, when visit v is the last one that has begun.

    Between two visits a person follows the first place's avenue, one street, and the second place's avenue at
    constant speed.
    """
    here = visits[v, SLOT]
    x0, y0 = spots[0, here], spots[1, here]
    if second <= visits[v, LEAVE] or v + 1 == n:
        return x0, y0
    there = visits[v + 1, SLOT]
    x1, y1 = spots[0, there], spots[1, there]
    street = city.block_m * math.floor(y1 / city.block_m + 0.5)
    first, second_leg, third = abs(street - y0), abs(x1 - x0), abs(y1 - street)
    share = (second - visits[v, LEAVE]) / (visits[v + 1, ARRIVE] - visits[v, LEAVE])
    way = share * (first + second_leg + third)
    if way < first:
        return x0, y0 + math.copysign(way, street - y0)
    if way < first + second_leg:
        return x0 + math.copysign(way - first, x1 - x0), street
    return x1, street + math.copysign(way - first - second_leg, y1 - street)


@njit
def _fill(
    city: City,
    first_person: int,
    end_person: int,
    first_day: int,
    end_day: int,
    from_s: int,
    until_s: int,
    uid: np.ndarray,
    ts: np.ndarray,
    lon: np.ndarray,
    lat: np.ndarray,
    kind: np.ndarray,
) -> int:
    slots = np.empty(SLOTS, dtype=np.int64)
    spots = np.empty((2, SLOTS))
    visits = np.empty((MAX_VISITS, 3), dtype=np.int64)
    limit = city.bad_row_share * 4294967296.0
    row = 0
    for number in range(first_person, end_person):
        person = key(city.people, number)
        choose_places(city, person, slots, spots)
        for day in range(first_day, end_day):
            n = plan_day(city, person, day, slots, spots, visits)
            of = key(key(person, SLOTS + 2), day)
            length = city.starts_s[day + 1] - city.starts_s[day]
            gap_from, gap_until = -1.0, -1.0
            if unit(of, 200_001) < city.gap_share:
                gap_from = length * unit(of, 200_002)
                gap_until = gap_from + city.gap_s * (0.5 + unit(of, 200_003))
            v = 0
            step = (from_s + city.interval_s - 1) // city.interval_s
            for second in range(step * city.interval_s, min(until_s, length), city.interval_s):
                while v + 1 < n and second >= visits[v + 1, ARRIVE]:
                    v += 1
                if gap_from <= second < gap_until:
                    continue
                bits = word(of, 2 * second)
                x, y = position(city, spots, visits, n, v, second)
                x += city.noise_m * bell(bits)
                y += city.noise_m * bell(bits >> _S32)
                uid[row] = number
                ts[row] = 1_000_000 * (city.starts_s[day] + second)
                lon[row] = math.floor((city.west + city.degrees_per_m_x * x) * _GRAIN + 0.5) / _GRAIN
                lat[row] = math.floor((city.south + city.degrees_per_m_y * y) * _GRAIN + 0.5) / _GRAIN
                kind[row] = GOOD
                row += 1
                if limit > 0.0:
                    bits = word(of, 2 * second + 1)
                    if np.float64(bits >> _S32) < limit:
                        uid[row], ts[row], lon[row], lat[row] = (
                            uid[row - 1],
                            ts[row - 1],
                            lon[row - 1],
                            lat[row - 1],
                        )
                        kind[row] = 1 + int((bits & _LOW_32) % np.uint64(OUT_OF_RANGE))
                        if kind[row] == CONFLICT:
                            lat[row] += _CONFLICT_DEGREES
                        elif kind[row] == NAN_POSITION:
                            lon[row], lat[row] = np.nan, np.nan
                        elif kind[row] == OUT_OF_RANGE:
                            lat[row] = _IMPOSSIBLE_LATITUDE
                        row += 1
    return row


def fixes(
    city: City, people: range, days: range, seconds: tuple[int, int] = (0, 90_000)
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows of some people on some days, person by person and in time order.

    Parameters
    ----------
    city : City
    people, days : range
        Their numbers, from 0.
    seconds : (int, int)
        Part of each day: from the first second to before the second one, after local midnight. The first fix of a
        day falls on midnight.

    Returns
    -------
    uid : ndarray of int64
        Numbers of people.
    ts : ndarray of int64
        Microseconds since the epoch, UTC.
    lon, lat : ndarray of float64
        Degrees.
    kind : ndarray of int8
        ``GOOD`` or how the row is bad; the writer turns NO_UID, NO_TIME and NO_POSITION into nulls.
    """
    length = int((city.starts_s[1:] - city.starts_s[:-1]).max())
    # The last slice of a day may begin after its end: only the day on which clocks go back has 25 hours.
    per_day = max(0, (min(seconds[1], length) - seconds[0]) // city.interval_s + 1)
    rows = len(people) * len(days) * per_day * (2 if city.bad_row_share > 0 else 1)
    uid, ts = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    lon, lat = np.empty(rows), np.empty(rows)
    kind = np.empty(rows, dtype=np.int8)
    with wrapping():
        n = _fill(
            city,
            people.start,
            people.stop,
            days.start,
            days.stop,
            seconds[0],
            seconds[1],
            uid,
            ts,
            lon,
            lat,
            kind,
        )
    return uid[:n], ts[:n], lon[:n], lat[:n], kind[:n]
