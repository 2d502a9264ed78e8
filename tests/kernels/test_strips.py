"""Strips: cut in chunks, brought into Spark's order, merged in parts: the fixes in order, whatever the order of the input."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.strips import STRIP, Merger, Strips, cut


def merged(chunks, size, *, by_position):
    """Fixes of chunks (person, time, x, y) that were cut, sorted as Spark does and merged ``size`` strips at a time."""
    rows = []
    for chunk in chunks:
        person, time, x, y = (np.array(column) for column in zip(*chunk, strict=True))
        strips = cut(person, int(person.max()) + 1, time, x.astype(float), y.astype(float))
        for j in range(len(strips.first)):
            values = strips.data[strips.starts[j] : strips.starts[j + 1]]
            rows.append((int(strips.person[j]), int(strips.first[j]), len(rows), values))
    rows.sort(key=lambda row: row[:3])
    merger = Merger(by_position=by_position)
    found, held = [], 0
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        starts = np.append(0, np.cumsum([len(row[3]) for row in part]))
        strips = Strips(
            *(np.array([row[k] for row in part]) for k in (0, 1)),
            starts,
            np.concatenate([r[3] for r in part]),
        )
        found.append(merger.push(strips, np.array([row[2] for row in part])))
        held = max(held, len(merger._held[0]))
    found.append(merger.finish())
    return [
        row for fixes in found for row in zip(*(c.tolist() for c in fixes[:2] + fixes[3:5]), strict=True)
    ], held


def draw(seed, n=300, people=4, times=40):
    rng = np.random.default_rng(seed)
    columns = (
        rng.integers(0, people, n),
        rng.integers(0, times, n),
        rng.integers(-2, 3, n),
        rng.integers(-2, 3, n),
    )
    return list(zip(*(column.tolist() for column in columns), strict=True))


def in_chunks(rows, n):
    return [rows[k : k + n] for k in range(0, len(rows), n)]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("chunk", [1, 7, 100, 1000])
def test_all_fixes_come_back_in_order(size, chunk):
    rows = draw(chunk)
    expected = [(p, t, t, float(x), float(y)) for p, t, x, y in sorted(rows)]
    found, _ = merged(in_chunks(rows, chunk), size, by_position=False)
    assert [(p, t, t, x, y) for p, t, x, y in found] == expected


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_ties_keep_the_order_of_the_input_where_positions_decide(size, chunk):
    """Stable: the order of Python's sort by person and time alone."""
    rows = draw(chunk + 1, times=6)
    expected = [(p, t, float(x), float(y)) for p, t, x, y in sorted(rows, key=lambda row: row[:2])]
    assert merged(in_chunks(rows, chunk), size, by_position=True)[0] == expected


def test_a_strip_holds_sixteen_fixes_at_most_and_those_of_one_person():
    rows = sorted((p, t, 0, 0) for p, n in ((0, STRIP), (1, STRIP + 1), (2, 1)) for t in range(n))
    strips = cut(*(np.array(c) for c in ([r[0] for r in rows],)), 3, *_times(rows))
    assert strips.person.tolist() == [0, 1, 1, 2]
    assert (np.diff(strips.starts) // 3).tolist() == [STRIP, STRIP, 1, 1]


def test_chunks_in_time_order_leave_next_to_nothing_to_hold():
    rows = [(p, t, 0, 0) for t in range(1000) for p in range(3)]
    assert merged(in_chunks(rows, 600), 4, by_position=False)[1] <= STRIP


def test_a_shuffled_person_holds_one_strip_per_chunk():
    rng = np.random.default_rng(1)
    rows = [(0, int(t), 0, 0) for t in rng.permutation(4_000)]
    found, held = merged(in_chunks(rows, 400), 2, by_position=False)
    assert [row[1] for row in found] == list(range(4_000))
    assert held <= STRIP * (10 + 2)


def _times(rows):
    zero = np.zeros(len(rows))
    return np.array([row[1] for row in rows]), zero, zero
