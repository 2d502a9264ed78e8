"""Rows of a person at the same time (design section 2, "Bad rows")."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.fixes import join_fixes
from movfair_spark.kernels.geo import Space
from movfair_spark.kernels.same_time import SameTime
from tests.kernels.tracks import fixes_of
from tests.oracle.stops import resolve

PLANE = Space(sphere=0.0, degrees=False)


def decide(rows, *, radius=50.0, space=PLANE, batch=None):
    """Fixes (person, time, x, y) and counts."""
    fixes = fixes_of(rows)
    step = SameTime(radius, space)
    size = batch or max(fixes.n, 1)
    parts = [step.push(fixes.view(start, start + size)) for start in range(0, fixes.n, size)]
    found = join_fixes([*parts, step.finish()])
    return list(
        zip(found.person.tolist(), found.first.tolist(), found.x.tolist(), found.y.tolist(), strict=True)
    ), step.counts


def counts(duplicate=0, merged=0, conflicting_position=0):
    return {"duplicate": duplicate, "merged": merged, "conflicting_position": conflicting_position}


def test_equal_rows_count_once():
    assert decide([(1, 5, 2.0, 3.0)] * 3) == ([(1, 5, 2.0, 3.0)], counts(duplicate=2))


def test_minus_zero_is_zero():
    fixes, decided = decide([(1, 5, 0.0, -0.0), (1, 5, -0.0, 0.0)])
    assert (str(fixes[0][2]), str(fixes[0][3]), decided["duplicate"]) == ("0.0", "0.0", 1)


def test_near_places_become_their_median():
    rows = [(1, 5, 0.0, 0.0), (1, 5, 10.0, 30.0), (1, 5, 20.0, 0.0)]
    assert decide(rows) == ([(1, 5, 10.0, 0.0)], counts(merged=2))


def test_a_place_exactly_on_the_radius_is_near():
    rows = [(1, 5, 0.0, 0.0), (1, 5, 100.0, 0.0)]
    assert decide(rows) == ([(1, 5, 50.0, 0.0)], counts(merged=1))


def test_places_too_far_apart_are_all_set_aside():
    rows = [(1, 5, 0.0, 0.0), (1, 5, 100.1, 0.0), (1, 6, 7.0, 7.0)]
    assert decide(rows) == ([(1, 6, 7.0, 7.0)], counts(conflicting_position=2))


def test_equal_rows_of_a_conflict_are_duplicates():
    rows = [(1, 5, 0.0, 0.0), (1, 5, 0.0, 0.0), (1, 5, 900.0, 0.0)]
    assert decide(rows) == ([], counts(duplicate=1, conflicting_position=2))


def test_equal_rows_have_no_weight_in_the_median():
    rows = [(1, 5, 0.0, 0.0)] * 3 + [(1, 5, 10.0, 0.0), (1, 5, 40.0, 0.0)]
    assert decide(rows) == ([(1, 5, 10.0, 0.0)], counts(duplicate=2, merged=2))


def test_radius_zero_merges_nothing():
    rows = [(1, 5, 0.0, 0.0), (1, 5, 0.5, 0.0)]
    assert decide(rows, radius=0.0) == ([], counts(conflicting_position=2))


def test_other_people_and_times_are_untouched():
    rows = [(1, 5, 0.0, 0.0), (2, 5, 9.0, 0.0), (2, 6, 900.0, 0.0)]
    assert decide(rows) == (rows, counts())


def test_places_on_both_sides_of_the_antimeridian():
    rows = [(1, 5, 179.9999, 0.0), (1, 5, -179.9999, 0.0)]
    fixes, decided = decide(rows, space=Space())
    assert fixes[0][2] == pytest.approx(-180.0, abs=1e-9)
    assert decided == counts(merged=1)


def test_distance_to_the_median_is_measured_where_the_median_lies():
    stored = Space(degrees=False, to_lonlat=lambda x, y: (x / 1e5, y / 1e5))
    rows = [(1, 5, 0.0, 0.0), (1, 5, 80.0, 0.0)]
    assert decide(rows, space=stored) == ([(1, 5, 40.0, 0.0)], counts(merged=1))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.integers(0, 3),
            st.sampled_from([0.0, 30.0, 90.0, 400.0]),
            st.sampled_from([0.0, 25.0]),
        ),
        max_size=40,
    ),
    st.integers(1, 5),
)
def test_equals_the_oracle_for_any_batches(rows, batch):
    expected = resolve(rows, 50.0, degrees=False)
    assert decide(rows) == expected
    assert decide(rows, batch=batch) == expected
    fixes, decided = expected
    assert len(rows) == len(fixes) + sum(decided.values())
