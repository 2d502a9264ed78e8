"""The people's routines: which places are theirs, and where they are on a given day.

A person has twelve places (slots): home, work, two for lunch near work, three shops near home, four for leisure and
a friend's home. A day starts and ends at home, so each day follows from (seed, person, day) alone. With the rates
below people make about 4.6 stops a day, as in Table 2 of the paper.
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.synth.city import City
from movfair_spark.synth.draws import bell, key, unit, word

SLOTS = 12
HOME, WORK, LUNCH, SHOP, LEISURE, FRIEND = 0, 1, 2, 4, 7, 11  # the first slot of each kind
SLOT, ARRIVE, LEAVE = 0, 1, 2  # columns of a table of visits
STAY, UNTIL, LATEST = 1, 2, 3  # columns of intentions: seconds to stay, at least until, not after
MAX_VISITS = 16  # of one day
SHORTEST_STAY_S = 900

EMPLOYED_SHARE = 0.8
WALK_M_PER_S, RIDE_M_PER_S, LONGEST_WALK_M = 1.4, 6.0, 800.0
MINUTE, HOUR = 60, 3600
ANY_TIME = 90_000
LATEST_EVENING_S = (
    19 * HOUR + 30 * MINUTE
)  # nobody sets out later: home before midnight, also on a day of 23 hours


@njit
def _popular(of: np.uint64, counter: int, n: int) -> int:
    """Draw a number below n; low ones up to four times as often as evenly, high ones half as often."""
    u = unit(of, counter)
    return int(n * u * (0.25 + 0.75 * u))


@njit
def _nearby(city: City, of: np.uint64, first: int, n: int, near: int, tries: int) -> int:
    """Find the nearest to a place among a few popular ones of the range [first, first + n)."""
    best, best_distance = first, np.inf
    for counter in range(tries):
        place = first + _popular(of, counter, n)
        distance = abs(city.x[place] - city.x[near]) + abs(city.y[place] - city.y[near])
        if distance < best_distance and place != near:
            best, best_distance = place, distance
    return best


@njit
def choose_places(city: City, person: np.uint64, slots: np.ndarray, spots: np.ndarray) -> None:
    """Fill the twelve places of a person and the spot where they stay at each.

    Parameters
    ----------
    city : City
    person : uint64
        The person's key.
    slots : ndarray of int64, shape (SLOTS,)
        Filled with numbers of places; the work slot of a person without a job is their home.
    spots : ndarray of float64, shape (2, SLOTS)
        Filled with metres east and north; a place has one spot per person, always the same.
    """
    slots[HOME] = int(city.homes * unit(person, 0))
    slots[WORK] = slots[HOME]
    if unit(person, 1) < EMPLOYED_SHARE:
        slots[WORK] = _nearby(city, key(person, WORK), city.homes, city.workplaces, slots[HOME], 2)
    first = city.homes + city.workplaces
    for slot in range(LUNCH, FRIEND):
        near, tries = slots[HOME], 3
        if slot < SHOP:
            near, tries = slots[WORK], 4
        elif slot >= LEISURE:
            tries = 2
        slots[slot] = _nearby(city, key(person, slot), first, city.venues, near, tries)
    slots[FRIEND] = int(city.homes * unit(person, 2))
    for slot in range(SLOTS):
        of = key(key(person, SLOTS), slots[slot])
        spots[0, slot] = city.x[slots[slot]] + city.spot_m * (2.0 * unit(of, 0) - 1.0)
        spots[1, slot] = city.y[slots[slot]] + city.spot_m * (2.0 * unit(of, 1) - 1.0)


@njit
def street_metres(x0: float, y0: float, x1: float, y1: float, block: float) -> float:
    """Length of the way between two spots along their avenues and the street nearest to the second."""
    street = block * math.floor(y1 / block + 0.5)
    return abs(street - y0) + abs(x1 - x0) + abs(y1 - street)


@njit
def _go(
    n: int, slot: int, stay: int, slots: np.ndarray, spots: np.ndarray, block: float, visits: np.ndarray
) -> int:
    """Append a visit after the last one; a stay at the same place is prolonged instead."""
    last = visits[n - 1, SLOT]
    if slots[last] == slots[slot]:
        visits[n - 1, LEAVE] += stay
        return n
    metres = street_metres(spots[0, last], spots[1, last], spots[0, slot], spots[1, slot], block)
    speed = WALK_M_PER_S if metres <= LONGEST_WALK_M else RIDE_M_PER_S
    visits[n, SLOT] = slot
    visits[n, ARRIVE] = visits[n - 1, LEAVE] + math.ceil(metres / speed) + MINUTE
    visits[n, LEAVE] = visits[n, ARRIVE] + stay
    return n + 1


@njit
def _between(of: np.uint64, counter: int, low: int, high: int) -> int:
    """Seconds between two bounds in minutes."""
    return MINUTE * low + int(unit(of, counter) * MINUTE * (high - low))


@njit
def _intend(intentions: np.ndarray, n: int, slot: int, stay: int, until: int, latest: int) -> int:
    intentions[n, SLOT], intentions[n, STAY] = slot, stay
    intentions[n, UNTIL], intentions[n, LATEST] = until, latest
    return n + 1


@njit
def _working_day(of: np.uint64, intentions: np.ndarray) -> tuple[int, int]:
    """Second at which a person with a job sets out, and the number of intentions."""
    n = 0
    if unit(of, 2) < 0.55:
        n = _intend(intentions, n, WORK, _between(of, 3, 210, 270), 0, ANY_TIME)
        n = _intend(intentions, n, LUNCH + int(unit(of, 4) < 0.4), _between(of, 5, 25, 55), 0, ANY_TIME)
    closing = 17 * HOUR + int(25 * MINUTE * bell(word(of, 1)))
    n = _intend(intentions, n, WORK, HOUR, closing, ANY_TIME)
    if unit(of, 6) < 0.5:
        n = _intend(intentions, n, SHOP + int(3 * unit(of, 7)), _between(of, 8, 20, 50), 0, ANY_TIME)
    n = _intend(intentions, n, HOME, _between(of, 9, 30, 90), 0, ANY_TIME)
    return 7 * HOUR + 30 * MINUTE + int(25 * MINUTE * bell(word(of, 0))), _evening(of, 0.5, n, intentions)


@njit
def _free_day(of: np.uint64, intentions: np.ndarray) -> tuple[int, int]:
    """Second at which a person without work on that day sets out, and the number of intentions."""
    n = _intend(intentions, 0, SHOP + int(3 * unit(of, 1)), _between(of, 2, 20, 60), 0, ANY_TIME)
    if unit(of, 3) < 0.4:
        n = _intend(intentions, n, LUNCH + int(unit(of, 4) < 0.5), _between(of, 5, 30, 75), 0, ANY_TIME)
    n = _intend(intentions, n, HOME, _between(of, 6, 60, 180), 0, ANY_TIME)
    if unit(of, 7) < 0.6:
        slot = LEISURE + int(4 * unit(of, 8)) if unit(of, 9) < 0.75 else FRIEND
        n = _intend(intentions, n, slot, _between(of, 10, 45, 150), 0, ANY_TIME)
        n = _intend(intentions, n, HOME, _between(of, 11, 30, 90), 0, ANY_TIME)
    return 9 * HOUR + 30 * MINUTE + int(40 * MINUTE * bell(word(of, 0))), _evening(of, 0.45, n, intentions)


@njit
def _evening(of: np.uint64, probability: float, n: int, intentions: np.ndarray) -> int:
    """Intend an evening out, which those who are back late give up."""
    if unit(of, 20) < probability:
        slot = LEISURE + int(4 * unit(of, 21)) if unit(of, 22) < 0.85 else FRIEND
        n = _intend(intentions, n, slot, _between(of, 23, 40, 110), 0, LATEST_EVENING_S)
        n = _intend(intentions, n, HOME, SHORTEST_STAY_S, 0, ANY_TIME)
    return n


@njit
def plan_day(
    city: City, person: np.uint64, day: int, slots: np.ndarray, spots: np.ndarray, visits: np.ndarray
) -> int:
    """Visits of a person on one day.

    Parameters
    ----------
    city : City
    person : uint64
        The person's key.
    day : int
        Number of the day in the simulation.
    slots, spots : ndarray
        Of :func:`choose_places`.
    visits : ndarray of int64, shape (MAX_VISITS, 3)
        Filled in place: SLOT, ARRIVE and LEAVE of each visit, in seconds after local midnight.

    Returns
    -------
    int
        Number of visits, at least 1; the first starts at 0 and the last ends with the day, both at home.
    """
    of = key(key(person, SLOTS + 1), day)
    intentions = np.empty((MAX_VISITS, 4), dtype=np.int64)
    if city.working[day] and slots[WORK] != slots[HOME]:
        setting_out, wanted = _working_day(of, intentions)
    else:
        setting_out, wanted = _free_day(of, intentions)
    visits[0, SLOT], visits[0, ARRIVE], visits[0, LEAVE] = HOME, 0, setting_out
    n = 1
    for i in range(wanted):
        if visits[n - 1, LEAVE] > intentions[i, LATEST]:
            break
        n = _go(n, intentions[i, SLOT], intentions[i, STAY], slots, spots, city.block_m, visits)
        visits[n - 1, LEAVE] = max(visits[n - 1, LEAVE], intentions[i, UNTIL])
    visits[n - 1, LEAVE] = city.starts_s[day + 1] - city.starts_s[day]
    return n
