"""Public reports on stop detection (notes on mobility, section 3): their inputs, and the right stops."""

from __future__ import annotations

import ast
from datetime import UTC, datetime
from pathlib import Path

import pytest

import movfair_spark.kernels
from movfair_spark.kernels.compress import skmob_space
from movfair_spark.kernels.skmob import stay_locations
from tests.kernels.tracks import LAT, MINUTE, detect, fixes_of, readable, stays, track


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1_000_000


def peer(rows, **options):
    """Stays as scikit-mobility 1.3.1 answers."""
    choice = {"minutes_for_a_stop": 10.0, "spatial_radius_km": 0.05, **options}
    return readable(stay_locations(fixes_of(rows, stable=True), skmob_space(), **choice))


def test_a_stay_that_never_ends_is_reported():
    """scikit-mobility #190, PR #192: the last stay was dropped; all three fixes belong to its median."""
    assert stays(track((0, 0), (5, 10), (12, 40))) == [(0, 12, 10)]
    assert peer(track((0, 0), (5, 10), (12, 40))) == [(0, 12, 5)]


def test_leave_time_is_the_last_fix_inside():
    """scikit-mobility #263: leave was the first fix outside; both are offered here."""
    rows = track(*((t, 0) for t in range(7)), (23, 5000), (24, 6000))
    assert stays(rows, minutes=5) == [(0, 6, 0)]
    assert stays(rows, minutes=5, leave="first_outside") == [(0, 23, 0)]
    assert peer(rows, minutes_for_a_stop=5.0) == [(0, 23, 0)]


def test_no_stay_is_shorter_than_the_minimum_after_trimming():
    """scikit-mobility #138: min_speed gave stays shorter than the minimum."""
    rows = track((0, 0), (5, 0), (9, 0), (11, 20), (12, 1000))
    assert peer(rows, min_speed_kmh=0.07) == []
    assert stays(rows) == [(0, 11, 0)]


def test_membership_is_distance_to_the_first_fix():
    """scikit-mobility #148: users took the radius for a distance to the previous fix."""
    assert stays(track((0, 0), (6, 30), (12, 60), (18, 90), (24, 120))) == []


def test_kernels_need_no_data_frame():
    """scikit-mobility #204, #218, #197: a DataFrame subclass broke with pandas above 1.2.5."""
    for path in Path(movfair_spark.kernels.__file__).parent.glob("*.py"):
        imports = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        assert not any("pandas" in ast.unparse(node) for node in imports), path.name


def test_nothing_flows_from_one_person_to_the_next():
    """scikit-mobility #44: shift(-1) over the border of two users."""
    assert stays(track((0, 0), (5, 0), person=1) + track((12, 0), (13, 0), person=2)) == []


def test_one_person_without_an_id_column_is_one_implicit_user():
    """scikit-mobility #20, #23, #19: a single user gave another format."""
    found = detect(track((0, 0), (10, 0)))
    assert (found.person.tolist(), found.stop_id.tolist()) == ([0], [0])


def test_every_fix_can_be_mapped_back_to_its_stay():
    """scikit-mobility #219, #71: no way from points to stays."""
    rows = track((0, 0), (5, 0), (10, 10), (11, 200), (12, 400), (15, 410), (30, 400))
    found = detect(rows)
    stay_of = [[k for k in range(found.n) if found.arrive[k] <= ts <= found.leave[k]] for _, ts, _, _ in rows]
    assert stay_of == [[0], [0], [0], [], [1], [1], [1]]
    assert found.n_points.tolist() == [3, 3]


def test_a_gap_after_the_first_fix_is_no_stay_of_years():
    """trackintel #308: four years of silence between the first fix and the next ones."""
    rows = [
        (55, at("2007-08-09 01:35:46"), 116.33068333, 39.976),
        (55, at("2011-08-03 09:12:52"), 116.331600228, 39.975818526),
        (55, at("2011-08-03 09:12:54"), 116.331403225, 39.975740636),
        (55, at("2011-08-03 09:12:55"), 116.331403225, 39.975740636),
    ]
    assert detect(rows, radius=100, gap=15).n == 0
    years = stay_locations(fixes_of(rows), skmob_space(), spatial_radius_km=0.1)
    assert (years.leave - years.arrive)[0] / (525_960 * MINUTE) > 3.9


def test_two_near_fixes_are_a_stay_that_a_gap_does_not_take_away():
    """trackintel #616."""
    rows = [
        (0, at("2024-01-01 02:45:04"), 115.31842, 39.9847),
        (0, at("2024-01-01 02:59:04"), 115.31843, 39.9847),
        (0, at("2024-01-01 03:45:04"), 116.31842, 39.9847),
    ]
    closed = detect(rows, minutes=5, radius=100, gap=15)
    assert (closed.arrive[0], closed.leave[0], closed.n) == (rows[0][1], rows[1][1], 1)
    open_ended = detect(rows, minutes=5, radius=100, leave="first_outside")
    assert (open_ended.leave[0], open_ended.x[0]) == (rows[2][1], pytest.approx(115.318425, abs=1e-9))
    fixes = fixes_of(rows)
    assert (
        stay_locations(fixes, skmob_space(), minutes_for_a_stop=5, spatial_radius_km=0.1).leave[0]
        == rows[2][1]
    )
    discarding = {"minutes_for_a_stop": 5, "spatial_radius_km": 0.1, "no_data_for_minutes": 15}
    assert stay_locations(fixes, skmob_space(), **discarding).n == 0


def test_one_fix_alone_is_no_stay():
    """trackintel #615: a stay of eight minutes from a single fix."""
    rows = [
        (0, at("2024-01-01 02:45:04"), 116.31842, 39.9847),
        (0, at("2024-01-01 02:53:04"), 115.31842, 39.9847),
        (0, at("2024-01-01 02:54:04"), 115.31843, 39.9847),
    ]
    assert detect(rows, minutes=5).n == 0
    assert detect(rows, minutes=5, leave="first_outside", min_points=2).n == 0
    assert detect(rows, minutes=5, leave="first_outside").n_points.tolist() == [1]


def test_a_gap_does_not_discard_a_real_stay():
    """trackintel #635; e-mission-server #352, #357: trips and stays joined or lost over a gap."""
    rows = track(*((t / 4, 0) for t in range(19)), (30, 0), (30.5, 400))
    assert stays(rows, minutes=3, gap=15) == [(0, 4.5, 0)]
    assert peer(rows, minutes_for_a_stop=3, no_data_for_minutes=15) == []


def test_two_stays_with_no_fix_between():
    """movingpandas #296: the first fix of the second stay was lost."""
    rows = track((0, 0), (5, 0), (10, 0), (15, 0), (20, 500), (25, 500), (30, 500), (35, 500), (40, 9000))
    assert stays(rows) == [(0, 15, 0), (20, 35, 500)]
    assert stays(rows, leave="first_outside") == [(0, 20, 0), (20, 40, 500)]
    assert detect(rows).n_points.tolist() == [4, 4]


def test_an_hour_over_the_end_of_summer_time():
    """movingpandas #303, PR #306; mobiml #47: New York, 2024-11-03, 05:30Z to 06:30Z is 60 minutes."""
    rows = [
        (0, at(f"2024-11-03 {time}"), -73.98, 40.75 + far)
        for time, far in (("05:30", 0), ("06:20", 0), ("06:30", 1))
    ]
    assert (detect(rows, leave="first_outside").leave - rows[0][1]).tolist() == [60 * MINUTE]
    assert (detect(rows).leave - rows[0][1]).tolist() == [50 * MINUTE]


def test_the_start_of_summer_time_keeps_the_order():
    """movingpandas #303: 2018-03-25 01:05Z must stay after 01:00Z."""
    rows = [
        (0, at("2018-03-25 00:50:00"), 12.5, 41.9),
        (0, at("2018-03-25 01:00:00"), 12.5, 41.9),
        (0, at("2018-03-25 01:05:00"), 12.5, 41.9),
    ]
    assert (detect(rows).leave - rows[0][1]).tolist() == [15 * MINUTE]


def test_times_a_microsecond_apart_are_two_fixes():
    """movingpandas #421: truncation of times made an extra row; row counts must hold."""
    first = at("2019-01-25 20:00:16") + 178_999
    rows = [(0, first, 8.5, 47.4), (0, first + 1, 8.5, 47.4), (0, first + 10 * MINUTE, 8.5, 47.4)]
    assert detect(rows).n_points.tolist() == [3]


def test_the_middle_of_both_sides_of_the_antimeridian():
    """movingpandas #274, #299: the midpoint of -179.5 and 179.5 lay in Africa (scikit-mobility, fastmob: 0.0)."""
    rows = [
        (0, t * MINUTE, lon, 0.0)
        for t, lon in ((0, 179.9999), (5, -179.9999), (8, 179.9999), (12, -179.9999))
    ]
    assert detect(rows).x[0] == pytest.approx(-180.0, abs=1e-9)


def test_identical_coordinates_are_one_stay():
    """infostop #10: no edges, no stay, a crash."""
    found = detect([(0, 0, 0.0, 0.0), (0, 1_000_000_000, 0.0, 0.0)])
    assert (found.arrive.tolist(), found.leave.tolist()) == ([0], [1_000_000_000])


def test_a_stay_longer_than_the_gap_limit_is_not_cut():
    """infostop #15: one stay was split by the maximum time, and the last entry was missed."""
    assert stays(track(*((t, 0) for t in range(0, 200, 5))), gap=30) == [(0, 195, 0)]


def test_without_the_bad_fix_the_rest_is_unchanged():
    """trackintel #467, darktable #14550: one NaN took the rest of the track with it; the row is left out instead."""
    rows = track((5, 0), (12, 1000), (30, 2000), (31, 9000))
    assert stays(rows, leave="first_outside") == [(12, 30, 1000)]
    assert stays(rows) == []


@pytest.mark.parametrize("rows", [[], track((0, 0)), track(*((t, 900 * t) for t in range(40)))])
def test_no_fix_one_fix_and_all_moving_give_typed_empty_columns(rows):
    """trackintel #551; movingpandas #101, #120; ecoscope #319: IndexError, KeyError 'end_time', failed batches."""
    found = detect(rows)
    assert (found.n, found.arrive.dtype.str, found.x.dtype.str) == (0, "<i8", "<f8")


def test_slow_drift_breaks_at_the_radius():
    """Notes on mobility 1.2, 9: 2 m per minute is stops of 26 minutes with 50 m; 6 m per minute is none."""
    assert [stop.leave - stop.arrive for stop in stays(track(*((t, 2 * t) for t in range(61))))] == [25, 25]
    assert stays(track(*((t, 6 * t) for t in range(61)))) == []


def test_a_bad_first_fix_costs_only_itself():
    assert stays(track((0, 60), *((t, 0) for t in range(2, 61, 2)))) == [(2, 60, 0)]


def test_a_spike_ends_a_stay_and_nothing_else():
    """Cases 'filter first spike' and 'filter last spike': the peer drops good fixes, or keeps the spike."""
    assert stays(track((0, 0), (1, 10), (2, 20), (3, 100_000)), minutes=2) == [(0, 2, 10)]
    assert stays(track((0, 100_000), (1, 0), (2, 10), (3, 20), (4, 30)), minutes=2) == [(1, 4, 15)]


RIGHT = {
    "open last stop; last point not in median": ({}, [(0, 12, 10)]),
    "30 min stay lost before gap": ({"gap": 60}, [(0, 30, 0)]),
    "min_speed 3": ({}, [(0, 15, 0)]),
    "min_speed .07": ({}, [(0, 15, 0)]),
    "NaN lat at anchor swallows rest": ({"leave": "first_outside"}, [(12, 30, 1000)]),
    "NaN lat inside window": ({"leave": "first_outside"}, [(0, 12, 0), (12, 30, 1000)]),
    "dateline": ({"leave": "first_outside"}, [(0, 20, None)]),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_value_where_the_peer_is_wrong(shared_data, name):
    from tests.kernels.peer import case, micros

    options, expected = RIGHT[name]
    rows = [row for row in case(shared_data, name)["input"] if row["lat"] is not None]
    start = micros(["2024-01-01T00:00:00"])[0]
    times = micros([row["datetime"] for row in rows]) - start
    found = detect([(1, ts, row["lng"], row["lat"]) for ts, row in zip(times, rows, strict=True)], **options)
    if name == "dateline":
        assert (found.n, found.leave[0] / MINUTE, found.x[0]) == (1, 20, pytest.approx(-180.0, abs=1e-9))
        return
    got = [(a / MINUTE, b / MINUTE, y) for a, b, y in zip(found.arrive, found.leave, found.y, strict=True)]
    assert got == [(a, b, pytest.approx(LAT + north / 111_194.92664, abs=1e-7)) for a, b, north in expected]
