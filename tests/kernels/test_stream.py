"""The order of fixes that are all in memory."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.stream import ordered

NAN = float("nan")


@pytest.mark.parametrize("stable", [True, False])
def test_ordered_is_a_sort_by_all_keys(stable):
    rng = np.random.default_rng(4)
    for n in (0, 1, 2, 5, 40):
        for _ in range(20):
            person, time = rng.integers(0, 3, n), rng.integers(0, 4, n)
            x, y = (rng.choice([-1.0, 0.0, 2.0, NAN], n) for _ in range(2))
            order = np.lexsort((time, person) if stable else (y, x, time, person))
            found = ordered(person, time, x, y, stable=stable)
            for column, values in zip(
                (found.person, found.first, found.x, found.y), (person, time, x, y), strict=True
            ):
                np.testing.assert_array_equal(column, values[order])


def test_rows_in_order_are_not_copied():
    time = np.array([1, 2, 2])
    assert ordered([5, 5, 6], time, [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]).first is time
