"""Medians of slices."""

from __future__ import annotations

import math
from statistics import median

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.medians import median_inplace, medians

NO_WEIGHTS = np.empty(0, dtype=np.int64)


def of(values, weights=NO_WEIGHTS, degrees=False):
    bounds = np.array([0]), np.array([len(values)])
    return medians(np.array(values, dtype=float), np.asarray(weights, dtype=np.int64), *bounds, degrees)[0]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6)), min_size=1, max_size=120))
def test_equals_the_standard_library(values):
    assert median_inplace(np.array(values), len(values)) == median(values)


def test_orders_that_are_hard_for_a_quick_selection():
    n = 5001
    for values in (
        np.arange(n),
        np.arange(n)[::-1],
        np.zeros(n),
        np.arange(n) % 2,
        np.abs(np.arange(n) - n // 2),
    ):
        assert median_inplace(values.astype(float), n) == np.median(values)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), min_size=1, max_size=30))
def test_weights_repeat_values(pairs):
    values, weights = zip(*pairs, strict=True)
    repeated = [float(v) for v, w in pairs for _ in range(w)]
    assert of(values, weights) == median(repeated)


def test_longitudes_are_unwrapped_about_the_first():
    assert of([179.0, -179.0, -178.0], degrees=True) == -179.0
    assert of([179.0, -179.0, -178.0]) == -178.0


def test_nan_makes_the_median_nan():
    assert math.isnan(of([1.0, math.nan, 2.0]))


def test_slices_that_are_left_out():
    found = medians(np.array([1.0, 5.0, 9.0]), NO_WEIGHTS, np.array([-1, 1]), np.array([1, 3]), False)
    assert math.isnan(found[0])
    assert found[1] == 7.0
