from __future__ import annotations

import datetime

import numpy as np
import pytest

from movfair_spark.config.city import CityConfig
from movfair_spark.synth.city import City, build
from movfair_spark.synth.draws import key, wrapping
from movfair_spark.synth.routines import (
    ARRIVE,
    HOME,
    LEAVE,
    MAX_VISITS,
    SLOT,
    SLOTS,
    WORK,
    choose_places,
    plan_day,
    street_metres,
)
from movfair_spark.synth.visits import count_stops


def day_of(city: City, person: int, day: int) -> tuple[np.ndarray, np.ndarray]:
    slots, spots = np.empty(SLOTS, dtype=np.int64), np.empty((2, SLOTS))
    visits = np.empty((MAX_VISITS, 3), dtype=np.int64)
    with wrapping():
        of = np.uint64(key(city.people, person))
        choose_places(city, of, slots, spots)
        n = plan_day(city, of, day, slots, spots, visits)
    return visits[:n], slots


@pytest.fixture(scope="module")
def city() -> City:
    return build(CityConfig(people=2000, days=10))


def test_a_day_starts_and_ends_at_home(city):
    for person in range(40):
        for day in range(city.working.size):
            visits, slots = day_of(city, person, day)
            assert visits[0, ARRIVE] == 0
            assert visits[-1, LEAVE] == 86_400
            assert slots[visits[0, SLOT]] == slots[visits[-1, SLOT]] == slots[HOME]


def test_visits_follow_each_other_in_time(city):
    for person in range(40):
        for day in range(city.working.size):
            visits, _ = day_of(city, person, day)
            assert (visits[:, LEAVE] - visits[:, ARRIVE] >= 900).all()
            assert (visits[1:, ARRIVE] > visits[:-1, LEAVE]).all()


@pytest.mark.parametrize("size", [{}, {"width_m": 6000, "height_m": 6000, "block_m": 1000}])
def test_nobody_is_on_the_way_at_midnight_even_in_the_largest_city(size):
    city = build(CityConfig(people=300, days=7, **size))
    last = [day_of(city, person, day)[0][-1, ARRIVE] for person in range(300) for day in range(7)]
    assert max(last) < 82_800  # the shortest local day


def test_people_with_a_job_work_on_working_days_only(city):
    at_work = np.zeros(city.working.size, dtype=bool)
    for person in range(40):
        for day in range(city.working.size):
            visits, slots = day_of(city, person, day)
            if slots[WORK] != slots[HOME]:
                at_work[day] |= WORK in visits[:, SLOT]
    assert at_work.tolist() == city.working.tolist() == [True] * 5 + [False] * 2 + [True] * 3


def test_a_clock_change_makes_a_day_of_25_hours():
    city = build(CityConfig(people=3, days=2, first_day=datetime.date(2024, 11, 2)))  # New York
    assert day_of(city, 0, 0)[0][-1, LEAVE] == 24 * 3600
    assert day_of(city, 0, 1)[0][-1, LEAVE] == 25 * 3600


def test_the_way_between_two_spots_runs_along_avenues_and_one_street():
    # 10 m down to the street y = 100, 200 m east, 30 m up
    assert street_metres(0.0, 110.0, 200.0, 130.0, 100.0) == 240.0


def test_people_stop_4_6_times_a_day_at_about_ten_places(city):
    """Paper, Table 2 and design section 3: 4.6 stops a day, about 10 places each."""
    places, _, stops = count_stops(city, range(2000))
    assert stops.sum() / 20_000 == pytest.approx(4.6, abs=0.15)
    distinct = [len(set(row[n > 0])) for row, n in zip(places, stops, strict=True)]
    assert 9 <= np.mean(distinct) <= 11


def test_venues_and_workplaces_are_shared(city):
    places, _, stops = count_stops(city, range(2000))
    visited = [set(row[n > 0]) for row, n in zip(places, stops, strict=True)]
    guests = np.bincount(np.concatenate([list(row) for row in visited]), minlength=city.x.size)
    assert np.median(guests[city.homes + city.workplaces :]) > 20
    assert guests[city.homes : city.homes + city.workplaces].max() >= 10


def test_people_do_not_depend_on_who_else_is_asked_for(city):
    every = count_stops(city, range(2000))
    some = count_stops(city, range(100, 120))
    for whole, part in zip(every, some, strict=True):
        np.testing.assert_array_equal(whole[100:120], part)


def test_no_square_kilometre_is_visited_by_more_than_half_of_a_large_city():
    """Guideline of the paper's section 4.2, at its population and largest cell."""
    city = build(CityConfig(people=100_000))
    _, spots, stops = count_stops(city, range(0, 3000))
    cells = np.floor(spots[:, 0] / 1000) * 100 + np.floor(spots[:, 1] / 1000)
    visited = [set(row[n > 0]) for row, n in zip(cells, stops, strict=True)]
    _, guests = np.unique(np.concatenate([list(row) for row in visited]), return_counts=True)
    assert guests.max() / 3000 < 0.5
