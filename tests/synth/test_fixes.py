from __future__ import annotations

import datetime

import numpy as np
import pytest
from pyproj import Geod

from movfair_spark.config.city import CityConfig
from movfair_spark.kernels.geo import Space
from movfair_spark.kernels.stops import Rule, microseconds
from movfair_spark.kernels.stream import default_stream, find_stops, ordered
from movfair_spark.synth.city import build
from movfair_spark.synth.fixes import BAD_KINDS, CONFLICT, DUPLICATE, GOOD, NAN_POSITION, OUT_OF_RANGE, fixes
from movfair_spark.synth.visits import count_stops

QUIET = {"noise_m": 0.0, "spot_m": 0.0, "gap_share": 0.0, "bad_row_share": 0.0}


def test_there_is_a_fix_every_interval_from_midnight_to_midnight():
    config = CityConfig(people=3, days=2, interval_seconds=300, gps=QUIET)
    uid, ts, _, _, kind = fixes(build(config), range(3), range(2))
    assert uid.tolist() == [0] * 576 + [1] * 576 + [2] * 576
    # 2024-06-03 00:00 in New York
    assert ts[0] == 1_717_387_200_000_000
    assert set(np.diff(ts[:576])) == {300_000_000}
    assert (kind == GOOD).all()


def test_a_day_of_25_hours_has_25_hours_of_fixes():
    config = CityConfig(
        people=1, days=2, first_day=datetime.date(2024, 11, 3), interval_seconds=3600, gps=QUIET
    )
    _, ts, *_ = fixes(build(config), range(1), range(2))
    assert len(ts) == 25 + 24
    assert set(np.diff(ts)) == {3_600_000_000}


def test_dwelling_fixes_are_identical_without_noise():
    config = CityConfig(people=1, days=1, gps=QUIET)
    _, _, lon, lat, _ = fixes(build(config), range(1), range(1))
    assert len({*zip(lon[:150], lat[:150], strict=True)}) == 1  # asleep until 5


def test_the_city_has_its_size_about_its_centre():
    """Paper, Table 2: 4.69 km x 4.83 km; geodesic lengths on the ellipsoid differ from the sphere by up to 0.5 %."""
    city = build(CityConfig(people=1))
    east = city.west + 4690 * city.degrees_per_m_x
    north = city.south + 4830 * city.degrees_per_m_y
    geod = Geod(ellps="WGS84")
    assert geod.inv(city.west, 33.749, east, 33.749)[2] == pytest.approx(4690, rel=5e-3)
    assert geod.inv(-84.388, city.south, -84.388, north)[2] == pytest.approx(4830, rel=5e-3)
    assert (city.west + east) / 2 == pytest.approx(-84.388)


def test_noise_is_what_was_asked_for():
    quiet, noisy = (CityConfig(people=20, days=1, gps={**QUIET, "noise_m": noise}) for noise in (0.0, 8.0))
    _, _, lon, lat, _ = fixes(build(quiet), range(20), range(1))
    _, _, lon_noisy, lat_noisy, _ = fixes(build(noisy), range(20), range(1))
    city = build(quiet)
    assert ((lat_noisy - lat) / city.degrees_per_m_y).std() == pytest.approx(8.0, rel=0.03)
    assert ((lon_noisy - lon) / city.degrees_per_m_x).std() == pytest.approx(8.0, rel=0.03)


def test_gaps_have_their_share_and_length():
    config = CityConfig(people=300, days=2, gps={**QUIET, "gap_share": 0.5, "gap_minutes": 60})
    uid, ts, *_ = fixes(build(config), range(300), range(2))
    pauses = np.diff(ts)[np.diff(uid) == 0] / 60e6
    gaps = pauses[pauses > 2]
    # A gap ends at midnight at the latest.
    assert 250 < len(gaps) < 350
    assert (gaps < 30).mean() < 0.05
    assert gaps.max() <= 94
    assert np.median(gaps) == pytest.approx(60, abs=4)


def test_people_move_along_the_streets_at_a_plausible_speed():
    config = CityConfig(people=50, days=1, interval_seconds=60, gps=QUIET)
    city = build(config)
    uid, _, lon, lat, _ = fixes(city, range(50), range(1))
    east, north = (lon - city.west) / city.degrees_per_m_x, (lat - city.south) / city.degrees_per_m_y
    step = np.abs(np.diff(east)) + np.abs(np.diff(north))
    assert step[np.diff(uid) == 0].max() <= 60 * 6.0 + 0.5
    on_avenue = np.abs(east / 100 - np.round(east / 100)) < 0.003
    on_street = np.abs(north / 100 - np.round(north / 100)) < 0.003
    assert (on_avenue | on_street).all()


def test_bad_rows_come_in_all_kinds_at_the_share_asked_for():
    config = CityConfig(people=40, days=2, gps={"bad_row_share": 0.02})
    kind = fixes(build(config), range(40), range(2))[4]
    good = (kind == GOOD).sum()
    bad = np.bincount(kind, minlength=8)[1:]
    assert bad.sum() == pytest.approx(0.02 * good, rel=0.1)
    assert len(bad) == len(BAD_KINDS) == 7
    assert bad.min() > 0.6 * bad.mean()


def test_bad_rows_leave_the_good_ones_as_they_are():
    clean = CityConfig(people=5, days=1)
    spoiled = clean.model_copy(update={"gps": clean.gps.model_copy(update={"bad_row_share": 0.3})})
    *columns, kind = fixes(build(spoiled), range(5), range(1))
    for with_bad, without in zip(columns, fixes(build(clean), range(5), range(1)), strict=False):
        np.testing.assert_array_equal(with_bad[kind == GOOD], without)


def test_each_bad_row_is_bad_in_its_own_way():
    config = CityConfig(people=5, days=2, gps={"bad_row_share": 0.3})
    uid, ts, lon, lat, kind = fixes(build(config), range(5), range(2))
    previous = np.arange(len(kind)) - 1
    same_time = (uid == uid[previous]) & (ts == ts[previous])
    assert same_time[kind != GOOD].all()
    copies = kind == DUPLICATE
    np.testing.assert_array_equal(lon[copies], lon[previous][copies])
    np.testing.assert_array_equal(lat[copies], lat[previous][copies])
    conflicts = kind == CONFLICT
    np.testing.assert_allclose(lat[conflicts] - lat[previous][conflicts], 0.02)
    assert np.isnan(lon[kind == NAN_POSITION]).all()
    assert (lat[kind == OUT_OF_RANGE] > 90).all()


def test_stop_detection_finds_the_stops_of_the_routines():
    """50 m and 10 min on noisy fixes: nearly every visit is one stop, and travel makes none."""
    config = CityConfig(people=60, days=7, interval_seconds=120, gps={"gap_share": 0.0})
    city = build(config)
    uid, ts, lon, lat, _ = fixes(city, range(60), range(7))
    stream = default_stream(Rule(50.0, microseconds(10)), Space(), same_time_radius=50.0)
    found = find_stops(stream, ordered(uid, ts, lon, lat))
    places, _, stops = count_stops(city, range(60))
    assert len(found.person) == pytest.approx(stops.sum(), rel=0.02)
    assert len(found.person) / 420 == pytest.approx(4.6, abs=0.25)


def test_a_slice_after_the_end_of_the_day_is_empty():
    city = build(CityConfig(people=3, days=1, interval_seconds=120, gps=QUIET))
    assert [len(column) for column in fixes(city, range(3), range(1), (88_800, 91_200))] == [0] * 5
