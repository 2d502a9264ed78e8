"""Compression that loses no stay, beside scikit-mobility's, which loses the last one (notes on mobility, 1.4)."""

from __future__ import annotations

import random

import pytest

from movfair_spark.kernels.compress import Compressor, skmob_space
from movfair_spark.kernels.fixes import join_fixes
from movfair_spark.kernels.geo import Space
from movfair_spark.kernels.stream import find_stops, skmob_stream
from tests.kernels.tracks import MINUTE, as_tuples, detect, fixes_of, stays, track

DWELL_MOVE_DWELL = track(
    *((t, 0) for t in range(0, 61, 2)),
    *((62 + 2 * k, 170 * (k + 1)) for k in range(5)),
    *((t, 1000) for t in range(72, 137, 2)),
)


def compressed(rows, radius=1.0, batch=None, **options):
    fixes = fixes_of(rows)
    step = Compressor(radius, Space(sphere=0.0, degrees=False), **options)
    size = batch or max(fixes.n, 1)
    parts = [step.push(fixes.view(start, start + size)) for start in range(0, fixes.n, size)]
    found = join_fixes([*parts, step.finish()])
    return [tuple(column.tolist()[i] for column in found) for i in range(found.n)]


def test_first_time_last_time_count_and_place_are_carried():
    rows = [(4, 0, 0.0, 0.0), (4, 10, 0.8, 0.0), (4, 20, 0.4, 0.0), (4, 30, 9.0, 0.0)]
    assert compressed(rows) == [(4, 0, 20, 0.4, 0.0, 3, 0.0, 0.0), (4, 30, 30, 9.0, 0.0, 1, 9.0, 0.0)]


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_batches_change_nothing(batch):
    rows = [(4, 0, 0.0, 0.0), (4, 10, 0.8, 0.0), (4, 20, 0.4, 0.0), (4, 30, 9.0, 0.0), (5, 0, 9.0, 0.0)]
    assert compressed(rows, batch=batch) == compressed(rows)


def test_a_long_pause_starts_a_new_stretch():
    rows = [(4, 0, 0.0, 0.0), (4, 10, 0.0, 0.0), (4, 21, 0.0, 0.0)]
    assert [row[1:3] for row in compressed(rows, max_gap_us=10)] == [(0, 10), (21, 21)]


def test_the_final_stay_survives():
    """Reference pipeline: compress, then stay_locations loses the last stay of everybody who ends in a dwell."""
    raw = stays(DWELL_MOVE_DWELL)
    assert raw == [(0, 60, 0), (72, 136, 1000)]
    assert stays(DWELL_MOVE_DWELL, compress=1.0) == raw
    peer = find_stops(
        skmob_stream(0.05, 10.0, 1e12, skmob_space(), compress_km=0.001), fixes_of(DWELL_MOVE_DWELL)
    )
    assert peer.n == 1


def test_dwells_are_no_gaps_after_compression():
    """Notes on mobility 1.4: no_data_for_minutes after compress takes every longer dwell for missing data."""
    assert stays(DWELL_MOVE_DWELL, compress=1.0, gap=15) == stays(DWELL_MOVE_DWELL, gap=15)


def test_location_is_weighted_by_count():
    """Notes on mobility 1.4: 38 minutes at 0 m and 3 fixes at 20-30 m are a stop at 0 m."""
    rows = track(*((t, 0) for t in range(0, 39, 2)), (40, 20), (42, 25), (44, 30), (46, 500))
    assert stays(rows, compress=1.0) == [(0, 44, 0)]


def test_a_simulated_city_loses_no_stay():
    """Bit-identical dwells, moves of 168 m per 2 minutes, as the Patterns-of-Life simulator writes them."""
    draw = random.Random(5)
    rows = []
    for person in range(60):
        minute, north = 0, 0
        for _ in range(8):
            dwell = draw.choice([4, 8, 10, 12, 60, 120])
            rows += track(*((minute + t, north) for t in range(0, dwell + 1, 2)), person=person)
            moves = draw.randint(2, 6)
            rows += track(
                *((minute + dwell + 2 * k, north + 168 * k) for k in range(1, moves)), person=person
            )
            minute, north = minute + dwell + 2 * moves, north + 168 * moves
    raw = as_tuples(detect(rows))
    assert len(raw) > 250
    assert as_tuples(detect(rows, compress=1.0)) == raw
    assert max(stop[3] for stop in raw) > 300 * MINUTE
