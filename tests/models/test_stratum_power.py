"""Conditioning on many strata keeps its power; a sum of one statistic per stratum loses it (notes, section 1)."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.models.parts import Parts
from movfair_spark.models.significance import critical_value, exceeds
from tests.kernels.subsets import packed

PEOPLE, GROUPS, RUNS = 1_000, 10, 20


def found(n_strata: int, run: int, *, summed: bool = False) -> bool:
    """Whether a group of 100, 0.2 above the rates of its strata, is evidence at 0.05."""
    rng = np.random.default_rng([n_strata, run])
    strata = rng.permutation(np.arange(PEOPLE) % n_strata)
    group = rng.permutation(np.arange(PEOPLE) % GROUPS)
    rates = np.linspace(0.2, 0.7, n_strata)[strata] + 0.2 * (group == 0)
    codes = (rng.random(PEOPLE) < rates).astype(np.int64)
    model = Parts(codes, 2, part=strata) if summed else Parts(codes, 2, strata=strata)
    counter = model.counter(model.worlds(run, range(199), observed=True), 200)
    counter.walk(packed([{g} for g in group.tolist()]), 1)
    maxima = counter.maxima()
    return exceeds(float(maxima[-1]), critical_value(maxima[:-1], 0.05))


@pytest.mark.parametrize("n_strata", [1, 5, 20, 50])
def test_a_planted_effect_is_found_at_any_number_of_strata(n_strata):
    assert sum(found(n_strata, run) for run in range(RUNS)) >= 0.8 * RUNS


def test_a_sum_over_strata_would_find_it_seldom():
    assert sum(found(50, run, summed=True) for run in range(RUNS)) <= 0.4 * RUNS
