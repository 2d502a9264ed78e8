"""What must hold for the default rule on any input, and its plain-Python restatement."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.geo import Space, beyond, cos_degrees, haversine
from tests.conftest import ROOT
from tests.kernels.tracks import DEGREES_PER_METRE, MINUTE, as_tuples, detect
from tests.oracle import stops as oracle

PLANE = Space(sphere=0.0, degrees=False)
steps = st.tuples(st.integers(0, 3), st.integers(0, 8), st.integers(-3, 3), st.integers(-3, 3))


@st.composite
def tracks(draw) -> list[tuple[int, int, float, float]]:
    """People who dwell on a lattice of 20 m and jump: ties in time, repeated places, gaps."""
    time = dict.fromkeys(range(4), 0)
    place = dict.fromkeys(range(4), (0, 0))
    rows = []
    for person, pause, east, north in draw(st.lists(steps, max_size=60)):
        time[person] += pause * 2 * MINUTE
        scale = 10 if pause == 8 else 1
        place[person] = (place[person][0] + scale * east, place[person][1] + scale * north)
        rows.append((person, time[person], place[person][0] * 20.0, place[person][1] * 20.0))
    return rows


options = st.fixed_dictionaries(
    {
        "minutes": st.sampled_from([2.0, 6.0, 10.0]),
        "radius": st.sampled_from([30.0, 50.0, 65.0]),
        "gap": st.sampled_from([None, 4.0, 14.0]),
        "leave": st.sampled_from(["last_inside", "first_outside"]),
        "min_points": st.integers(1, 3),
    }
)


def by_oracle(rows, options, degrees):
    limits = {
        "max_gap_us": math.inf if options["gap"] is None else options["gap"] * MINUTE,
        "first_outside": options["leave"] == "first_outside",
        "min_points": options["min_points"],
        "degrees": degrees,
    }
    found = oracle.stops(rows, options["radius"], options["minutes"] * MINUTE, **limits)
    return [tuple(stop) for stop in found]


def in_degrees(rows, about=(116.3, 40.0)):
    return [
        (person, ts, about[0] + x * DEGREES_PER_METRE * 1.1, about[1] + y * DEGREES_PER_METRE)
        for person, ts, x, y in rows
    ]


@settings(max_examples=150, deadline=None)
@given(tracks(), options)
def test_equals_the_oracle_on_a_plane(rows, options):
    assert as_tuples(detect(rows, **options, space=PLANE)) == by_oracle(rows, options, degrees=False)


@settings(max_examples=100, deadline=None)
@given(tracks(), options, st.sampled_from([(116.3, 40.0), (180.0, 0.0), (-0.0001, -77.0)]))
def test_equals_the_oracle_on_the_sphere(rows, options, about):
    places = in_degrees(rows, about)
    places = [(p, t, x - 360 if x >= 180 else x, y) for p, t, x, y in places]
    expected = by_oracle(places, options, degrees=True)
    found = as_tuples(detect(places, **options))
    assert [row[:4] + row[6:] for row in found] == [row[:4] + row[6:] for row in expected]
    places_apart = np.subtract([row[4:6] for row in found], [row[4:6] for row in expected])
    assert np.abs(places_apart).max(initial=0.0) <= 1e-9


@settings(max_examples=80, deadline=None)
@given(tracks(), options, st.randoms(use_true_random=False))
def test_order_of_the_input_changes_nothing(rows, options, random_):
    shuffled = list(rows)
    random_.shuffle(shuffled)
    assert as_tuples(detect(shuffled, **options)) == as_tuples(detect(rows, **options))


@settings(max_examples=80, deadline=None)
@given(tracks(), options, st.integers(1, 7), st.sampled_from([None, 0.0, 25.0]))
def test_batches_of_any_size_give_the_same_bits(rows, options, size, compress):
    whole = detect(in_degrees(rows), **options, compress=compress)
    assert as_tuples(detect(in_degrees(rows), **options, compress=compress, batch=size)) == as_tuples(whole)


@settings(max_examples=80, deadline=None)
@given(tracks(), options)
def test_exact_duplicates_change_nothing(rows, options):
    """trackintel PR #238: GeoLife has 146,900 rows twice; each row of any case twice gives the same stops."""
    assert as_tuples(detect([*rows, *rows], **options)) == as_tuples(detect(rows, **options))


@settings(max_examples=50, deadline=None)
@given(tracks(), options)
def test_people_do_not_touch_each_other(rows, options):
    apart = [
        stop
        for person in range(4)
        for stop in as_tuples(detect([r for r in rows if r[0] == person], **options))
    ]
    assert apart == as_tuples(detect(rows, **options))


@settings(max_examples=50, deadline=None)
@given(tracks(), options)
def test_relabelling_people_relabels_stops(rows, options):
    renamed = [(3 - person, *rest) for person, *rest in rows]
    back = sorted((3 - person, *rest) for person, *rest in as_tuples(detect(renamed, **options)))
    assert back == as_tuples(detect(rows, **options))


@settings(max_examples=50, deadline=None)
@given(tracks(), options, st.integers(-(10**15), 10**15))
def test_shifting_time_shifts_stops(rows, options, shift):
    later = [(person, ts + shift, x, y) for person, ts, x, y in rows]
    moved = [
        (p, k, a + shift, b + shift, *rest)
        for p, k, a, b, *rest in as_tuples(detect(rows, **options, space=PLANE))
    ]
    assert as_tuples(detect(later, **options, space=PLANE)) == moved


@settings(max_examples=100, deadline=None)
@given(tracks(), options)
def test_stops_are_disjoint_ordered_long_enough_and_near_their_first_fix(rows, options):
    """trackintel #132, #194: no stay below the threshold; trackintel #229, #464: each fix in exactly one of stay or move."""
    found = detect(rows, **options, space=PLANE)
    fixes, _ = oracle.resolve(rows, 50.0, degrees=False)
    for person in range(4):
        own = [fix for fix in fixes if fix[0] == person]
        end = -1
        for _, _, arrive, leave, _, _, points in (row for row in as_tuples(found) if row[0] == person):
            begin = next(i for i, fix in enumerate(own) if fix[1] == arrive)
            inside = own[begin : begin + points]
            assert begin > end  # no fix in two stops
            end = begin + points - 1
            assert leave - arrive >= options["minutes"] * MINUTE
            assert points >= options["min_points"]
            assert inside[-1][1] <= leave
            assert all(oracle.straight_m(inside[0][2:], fix[2:]) <= options["radius"] for fix in inside)


@settings(max_examples=60, deadline=None)
@given(tracks(), options)
def test_compressing_equal_places_changes_nothing(rows, options):
    assert as_tuples(detect(rows, **options, compress=0.0, space=PLANE)) == as_tuples(
        detect(rows, **options, space=PLANE)
    )


@settings(max_examples=300, deadline=None)
@given(
    st.floats(-180, 180),
    st.floats(-90, 90),
    st.floats(0, 2 * math.pi),
    st.floats(0.99, 1.01),
    st.sampled_from([0.05, 0.2, 1.0, 50.0, 200.0, 5000.0, 60000.0]),
)
def test_the_short_cut_decides_as_the_formula(lon, lat, angle, share, radius):
    reach = share * radius * DEGREES_PER_METRE
    other_lat = lat + reach * math.sin(angle)
    other_lon = lon + reach * math.cos(angle) / max(math.cos(math.radians(lat)), 1e-6)
    formula = haversine(lon, lat, other_lon, other_lat, 6_371_000.0) > radius
    assert beyond(lon, lat, cos_degrees(lat), other_lon, other_lat, radius, 6_371_000.0) == formula


def random_rows(seed: int, n: int) -> list[tuple[int, int, float, float]]:
    draw = random.Random(seed)
    rows, time, place = [], [0] * 5, [(0, 0)] * 5
    for _ in range(n):
        person = draw.randrange(5)
        time[person] += draw.choice([0, 1, 2, 2, 3, 30]) * MINUTE
        jump = draw.choice([0, 0, 0, 1, 1, 4])
        place[person] = (
            place[person][0] + draw.randint(-jump, jump),
            place[person][1] + draw.randint(-jump, jump),
        )
        rows.append((person, time[person], place[person][0] * 20.0, place[person][1] * 20.0))
    return rows


def compare_with_oracle() -> int:
    """Stops of some random tracks, all equal to the oracle's; the number of stops."""
    total = 0
    for seed in range(6):
        rows = random_rows(seed, 300)
        for leave in ("last_inside", "first_outside"):
            choice = {"minutes": 6.0, "radius": 50.0, "gap": 20.0, "leave": leave, "min_points": 1}
            found = as_tuples(detect(rows, **choice, batch=37, space=PLANE))
            assert found == by_oracle(rows, choice, degrees=False)
            assert as_tuples(detect(rows, **choice, batch=41, compress=0.0, space=PLANE)) == found
            total += len(found)
    return total


def test_kernels_are_right_without_compilation():
    code = "from tests.kernels.test_stops_properties import compare_with_oracle; print(compare_with_oracle())"
    plain = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert int(plain.stdout) == compare_with_oracle() > 100
