"""Ranking of a person's cells: distinct days, then dwell, then stops, then cell order; against plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.cells import NO_CELL
from movfair_spark.kernels.ranking import rank

Visit = tuple[int, int, int, int]  # cell, first day, last day, dwell


def run(people: list[list[Visit]], top: int = 8):
    starts = np.cumsum([0, *(len(visits) for visits in people)])
    rows = [visit for visits in people for visit in sorted(visits, key=lambda v: v[1])]
    cell, first, last, dwell = (np.array([row[k] for row in rows], dtype=np.int64) for k in range(4))
    ranked = rank(starts.astype(np.int64), cell, first, last, dwell, top)
    answer = {
        int(person): [
            (int(ranked.cells[k]), int(ranked.days[k])) for k in range(ranked.starts[i], ranked.starts[i + 1])
        ]
        for i, person in enumerate(ranked.people)
    }
    return answer, ranked


def test_days_beat_dwell():
    answer, _ = run([[(7, 0, 0, 10), (7, 1, 1, 10), (3, 0, 0, 9999)]])
    assert answer == {0: [(7, 2), (3, 1)]}


def test_ties_by_dwell_then_stops_then_cell_order():
    answer, _ = run(
        [[(9, 0, 0, 50), (5, 0, 0, 60), (4, 1, 1, 30), (4, 1, 1, 20), (2, 0, 0, 50), (1, 2, 2, 50)]]
    )
    assert [cell for cell, _ in answer[0]] == [5, 4, 1, 2, 9]


def test_a_day_counts_once_however_often_it_is_visited():
    """rasbt/mlxtend #690: a person who stopped in a on three occasions the same day counts once."""
    answer, ranked = run([[(1, 5, 5, 1), (1, 5, 5, 1), (1, 5, 5, 1)]])
    assert answer == {0: [(1, 1)]}
    assert ranked.visited.tolist() == [1]


def test_overlapping_and_nested_stays():
    answer, _ = run([[(1, 0, 10, 1), (1, 2, 3, 1), (1, 5, 12, 1), (1, 20, 20, 1)]])
    assert answer == {0: [(1, 14)]}


def test_top_cells_are_kept():
    answer, ranked = run([[(c, 0, 0, c) for c in range(20)]], top=3)
    assert answer == {0: [(19, 1), (18, 1), (17, 1)]}
    assert sorted(ranked.visited.tolist()) == list(range(20))


def test_people_without_a_cell_are_absent():
    answer, ranked = run([[(int(NO_CELL), 0, 0, 1)], [(4, 0, 0, 1)], []])
    assert answer == {1: [(4, 1)]}
    assert ranked.visited.tolist() == [4]


def test_empty_batch():
    """SPARK-38833: an empty partition gives an empty, well-formed answer."""
    answer, ranked = run([])
    assert answer == {} and ranked.starts.tolist() == [0]


def reference(visits: list[Visit], top: int) -> list[tuple[int, int]]:
    table: dict[int, tuple[set[int], int, int]] = {}
    for cell, first, last, dwell in visits:
        days, stay, stops = table.get(cell, (set(), 0, 0))
        table[cell] = (days | set(range(first, last + 1)), stay + dwell, stops + 1)
    order = sorted(table, key=lambda c: (-len(table[c][0]), -table[c][1], -table[c][2], c))
    return [(c, len(table[c][0])) for c in order[:top]]


visits = st.lists(
    st.builds(
        lambda cell, first, length, dwell: (cell, first, first + length, dwell),
        st.integers(-3, 3).map(lambda k: (k << 32) + k),
        st.integers(0, 6),
        st.integers(0, 3),
        st.integers(0, 2),
    ),
    max_size=15,
)


@settings(max_examples=150)
@given(st.lists(visits, max_size=4), st.integers(1, 4))
def test_equal_to_plain_python(people, top):
    answer, ranked = run(people, top)
    assert answer == {i: reference(v, top) for i, v in enumerate(people) if v}
    assert sorted(ranked.visited.tolist()) == sorted(c for v in people for c in {row[0] for row in v})


def test_many_cells_of_one_person():
    cells = [((c // 60) << 32) + 2**31 + c % 60 for c in range(3000)]
    answer, ranked = run([[(c, 0, 0, i % 7) for i, c in enumerate(cells)]], top=5)
    assert ranked.visited.size == 3000
    assert answer[0] == reference([(c, 0, 0, i % 7) for i, c in enumerate(cells)], 5)
