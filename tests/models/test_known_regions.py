"""Every known answer of the point-based audit holds; MeanVar ranks sparse cells first."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.spatial.meanvar import meanvar
from tests.known_answers.__main__ import difference
from tests.known_answers.spatial import cases, grid, squares


def test_known_answers(shared_data):
    for case in cases(shared_data, None):
        assert difference(case["expected"], case["ours"]) <= case["tolerance"], case


def test_meanvar_ranks_sparse_cells_without_a_positive_first(shared_data):
    """The paper's Figures 2 and 3: its top 50 hold negatives only."""
    lending = grid(shared_data / "lar" / "lar_2021.csv.gz", "approved", 100, 50)
    top = meanvar([(lending.scan.sizes, lending.positives)]).ranking[:50]
    assert not lending.positives[top].any()
    assert lending.scan.sizes[top].max() < 20
    assert np.all(np.diff(lending.scan.sizes[top]) <= 0)


@pytest.mark.slow
def test_squares_about_k_means_centres(shared_data, spark):
    for case in squares(shared_data, spark):
        assert difference(case["expected"], case["ours"]) <= case["tolerance"], case
