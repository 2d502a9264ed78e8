"""Square grids: half-open, signed cells, ids in (col, row) order, shifts, and the grid as a set of edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.cells import NO_CELL, pack, square_cells, square_edges, unpack

indices = st.integers(-(2**31) + 1, 2**31 - 1)


def cell(x, y, size=100.0, shift=0.0, origin=(0.0, 0.0)):
    ids = square_cells(np.array([x], float), np.array([y], float), size, shift, origin)
    col, row = unpack(ids)
    return int(col[0]), int(row[0])


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (0.0, 0.0, (0, 0)),
        (99.999, 0.0, (0, 0)),
        (100.0, 0.0, (1, 0)),  # the left edge belongs to the cell
        (0.0, 100.0, (0, 1)),
        (-0.5, -0.5, (-1, -1)),  # floor, not truncation: int(-0.5) would be 0
        (-100.0, 250.0, (-1, 2)),
        (743588.05, 3738088.02, (7435, 37380)),
    ],
)
def test_half_open_signed_cells(x, y, expected):
    assert cell(x, y) == expected


@pytest.mark.parametrize(
    ("shift", "expected"), [(0.0, (0, 0)), (20.0, (0, 0)), (40.0, (-1, -1)), (80.0, (-1, -1))]
)
def test_shift_moves_the_grid_right_and_up(shift, expected):
    assert cell(30.0, 30.0, shift=shift) == expected


def test_origin_moves_the_grid_too():
    assert cell(30.0, 30.0, origin=(40.0, 0.0)) == (-1, 0)


def test_point_on_a_shared_edge_has_exactly_one_cell():
    """SEDONA-176: a join finds 0 cells (within) or 2 (intersects) on the edge of [0,1]^2 and [1,2]x[0,1]."""
    assert cell(1.0, 0.5, size=1.0) == (1, 0)


@pytest.mark.parametrize("x", [np.nan, np.inf, -np.inf, 1e30])
def test_no_cell_for_what_is_not_a_place(x):
    """Spark's floor(NaN) is 0: a NaN fix would land in cell 0; floor(1e30) saturates (apache/spark #56615)."""
    assert square_cells(np.array([x, 1.0]), np.array([0.0, 1.0]), 50.0).tolist() == [
        NO_CELL,
        pack([0], [0])[0],
    ]


@given(st.lists(st.tuples(indices, indices), min_size=1, max_size=30))
def test_ids_pack_and_unpack(pairs):
    col, row = (np.array(part, dtype=np.int64) for part in zip(*pairs, strict=True))
    back_col, back_row = unpack(pack(col, row))
    assert (back_col == col).all() and (back_row == row).all()
    assert NO_CELL not in pack(col, row)


@given(st.lists(st.tuples(indices, indices), min_size=2, max_size=30, unique=True))
def test_order_of_ids_is_order_by_column_then_row(pairs):
    ordered = sorted(pairs)
    ids = pack(np.array([c for c, _ in ordered]), np.array([r for _, r in ordered]))
    assert (ids[1:] > ids[:-1]).all()


coordinates = st.floats(-5e6, 5e6, allow_nan=False)


@given(coordinates, coordinates, st.sampled_from([50.0, 75.0, 100.0, 600.0, 1000.0]), st.integers(0, 4))
def test_a_point_lies_between_the_edges_of_its_cell(x, y, size, i):
    shift = i * size / 5
    ids = square_cells(np.array([x]), np.array([y]), size, shift)
    left, lower, right, upper = square_edges(ids, size, shift)
    slack = 1e-8  # x - shift and col * size + shift round differently, by less than 1e-8 m at 5,000 km
    assert left[0] - slack <= x < right[0] + slack
    assert lower[0] - slack <= y < upper[0] + slack


def test_edges_of_neighbours_are_the_same_numbers():
    cells = pack(np.arange(1000) + 7000, np.arange(1000) + 37000)
    left, lower, right, upper = square_edges(cells, 100.0, 100.0 / 3)
    assert (right[:-1] == left[1:]).all() and (upper[:-1] == lower[1:]).all()
