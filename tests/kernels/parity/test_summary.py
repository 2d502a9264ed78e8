from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.parity import summary


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=50))
def test_a_bin_moves_an_error_by_a_stated_share(values: list[float]) -> None:
    array = np.array(values)
    center = float(np.median(array))
    top = summary.exponent_of(array.min(), array.max(), center)
    bins, places = summary.bins_of(array, center, top)
    back = summary.value_of(bins, places, center, top)
    largest = np.abs(array - center).max()
    near = (
        np.abs(back - array)
        <= np.abs(array - center) * 2.0**-summary.BITS + largest * 2.0**-29 + 1e-6 * abs(center) * 1e-9
    )
    assert near.all()
    order = np.argsort(array, kind="stable")
    assert (np.diff(bins[order]) >= 0).all()


def test_merging_keeps_order_and_limit() -> None:
    rng = np.random.default_rng(0)
    values = np.sort(rng.standard_t(2, 50_000))
    bins, _ = summary.bins_of(values, 0.0, summary.exponent_of(values[0], values[-1], 0.0))
    names, bits = summary.merged(np.unique(bins), 1_000)
    assert np.unique(names).size <= 1_000
    assert (np.diff(names) >= 0).all()
    assert 3 <= bits < summary.BITS


@pytest.mark.parametrize("center", [0.0, -5.5])
def test_the_middle_of_the_axis_is_one_bin(center: float) -> None:
    top = math.frexp(100.0)[1]
    bins, _ = summary.bins_of(np.array([center, np.nextafter(center, -np.inf), center + 100.0]), center, top)
    assert bins[0] == bins[1] == 0
    assert bins[2] > 0
