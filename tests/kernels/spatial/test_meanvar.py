"""MeanVar and the order of its cells."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.spatial.meanvar import meanvar


def test_two_partitionings_by_hand():
    # Rates 1, 0, 1/2: mean 1/2, variance 1/6; rates 1/4, 3/4: variance 1/16.
    found = meanvar([(np.array([2, 3, 4]), np.array([2, 0, 2])), (np.array([4, 4]), np.array([1, 3]))])
    assert found.variances == pytest.approx((1 / 6, 1 / 16))
    assert found.value == pytest.approx((1 / 6 + 1 / 16) / 2)
    assert found.contributions == pytest.approx([0.25 / 6, 0.25 / 6, 0, 0.0625 / 4, 0.0625 / 4])
    assert found.contributions.sum() == pytest.approx(found.value)


def test_equal_contributions_rank_by_size_then_partitioning_then_cell():
    found = meanvar([(np.array([1, 5, 1]), np.array([0, 0, 1])), (np.array([1, 1, 5]), np.array([0, 1, 0]))])
    # Rates 0, 0, 1 and 0, 1, 0: the ones contribute most; of the zeros the two of five people come first.
    assert list(found.ranking) == [2, 4, 1, 5, 0, 3]


def test_contributions_that_differ_by_rounding_alone_are_equal():
    found = meanvar([(np.array([10, 20]), np.array([3, 14]))])
    assert list(found.ranking) == [1, 0]
