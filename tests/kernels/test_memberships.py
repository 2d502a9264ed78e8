"""Packing of cellsets: canonical order, refusals, bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from movfair_spark.errors import InputError, LimitError
from movfair_spark.kernels.memberships import MAX_ROW, from_bytes, pack, to_bytes
from tests.kernels.subsets import brute_force, cellset_lists, packed


def arrays(memberships):
    return [memberships.n_objects, *(a.tolist() for a in (memberships.objects, memberships.starts))] + [
        memberships.items.tolist(),
        memberships.cells.tolist(),
    ]


def test_codes_ascend_by_support_then_cell_id():
    m = packed([{7, 9, 2}, {7, 9}, {7, 1}])
    assert m.cells.tolist() == [1, 2, 9, 7]
    assert m.supports.tolist() == [1, 1, 2, 3]
    assert m.items.tolist() == [1, 2, 3, 2, 3, 0, 3]


def test_objects_without_a_cell_have_no_row():
    m = packed([{1}, set(), {1, 2}])
    assert m.n_objects == 3
    assert m.objects.tolist() == [0, 2]
    assert m.starts.tolist() == [0, 1, 3]


def test_rows_in_any_order_give_the_same():
    one = pack(5, np.array([4, 0, 2]), np.array([0, 2, 3, 5]), np.array([8, 3, 8, 9, 3]))
    other = pack(5, np.array([0, 2, 4]), np.array([0, 1, 3, 5]), np.array([8, 3, 9, 3, 8]))
    assert arrays(one) == arrays(other)


def test_repeated_visits_count_once():
    """rasbt/mlxtend #709: one person in the same cell three times is one member, not three."""
    m = pack(2, np.array([0, 1]), np.array([0, 4, 5]), np.array([5, 5, 6, 5, 5]))
    assert m.supports.tolist() == [1, 2]
    assert m.starts.tolist() == [0, 2, 3]


def test_an_object_with_two_rows_is_refused():
    with pytest.raises(InputError, match="two rows"):
        pack(5, np.array([3, 3]), np.array([0, 1, 2]), np.array([1, 2]))


@pytest.mark.parametrize("number", [-1, 5])
def test_an_object_outside_the_test_is_refused(number):
    with pytest.raises(InputError, match="allowed are 0 to 4"):
        pack(5, np.array([number]), np.array([0, 1]), np.array([1]))


def test_too_many_cells_of_one_object_are_refused():
    cells = np.arange(MAX_ROW + 1)
    with pytest.raises(LimitError, match="top_cells"):
        pack(1, np.array([0]), np.array([0, len(cells)]), cells)


def test_no_rows_at_all():
    m = pack(3, np.array([], dtype=int), np.array([0]), np.array([], dtype=int))
    assert (len(m.objects), len(m.cells), m.all_memberships()) == (0, 0, 0)
    assert arrays(from_bytes(to_bytes(m))) == arrays(m)


@given(cellset_lists)
def test_bytes_keep_everything(cellsets):
    m = packed(cellsets)
    assert arrays(from_bytes(to_bytes(m))) == arrays(m)


def test_foreign_bytes_are_refused():
    with pytest.raises(InputError, match="not packed memberships"):
        from_bytes(b"something else")


@given(cellset_lists)
def test_all_memberships_is_the_sum_over_all_subsets(cellsets):
    assert packed(cellsets).all_memberships() == sum(len(who) for who in brute_force(cellsets).values())
