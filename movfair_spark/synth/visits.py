"""How often people stop where: the true counterpart of detected stops, without any fix."""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.synth.city import City
from movfair_spark.synth.draws import key, wrapping
from movfair_spark.synth.routines import MAX_VISITS, SLOT, SLOTS, choose_places, plan_day


@njit
def _count(city: City, first: int, places: np.ndarray, spots: np.ndarray, stops: np.ndarray) -> None:
    visits = np.empty((MAX_VISITS, 3), dtype=np.int64)
    for row in range(places.shape[0]):
        person = key(city.people, first + row)
        choose_places(city, person, places[row], spots[row])
        for day in range(city.working.size):
            n = plan_day(city, person, day, places[row], spots[row], visits)
            # A night at home is one stop: the visit that opens a day continues the one before.
            for v in range(0 if day == 0 else 1, n):
                stops[row, visits[v, SLOT]] += 1


def count_stops(city: City, people: range) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places of people and how often they stop there.

    Parameters
    ----------
    city : City
    people : range
        Numbers of people.

    Returns
    -------
    places : ndarray of int64, shape (people, SLOTS)
        Number of the place in each slot; a place may stand in several slots.
    spots : ndarray of float64, shape (people, 2, SLOTS)
        Metres east and north of the city's lower left corner.
    stops : ndarray of int64, shape (people, SLOTS)
        Stops over the whole simulation.
    """
    places = np.empty((len(people), SLOTS), dtype=np.int64)
    spots = np.empty((len(people), 2, SLOTS))
    stops = np.zeros((len(people), SLOTS), dtype=np.int64)
    with wrapping():
        _count(city, people.start, places, spots, stops)
    return places, spots, stops
