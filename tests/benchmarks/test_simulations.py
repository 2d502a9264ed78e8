"""The simulation benchmark in its small form: right maxima, no meaning in the times."""

from __future__ import annotations

import numpy as np

from benchmarks.population import places, zonings
from benchmarks.simulations import model_of, ours, run, theirs


def test_small_form_gives_equal_maxima():
    results = list(run(small=True))
    assert [result.name for result in results if result.target == 300.0] == [
        "simulations, rate 0.6 (CPU seconds)"
    ]
    assert results[-1].ratio == 1.0


def test_population_has_eight_cells_at_most():
    (m,) = zonings(places(50), (100,), 1)
    assert m.n_objects == 50
    assert m.sizes.max() <= 8


def test_all_rounds_are_counted():
    population = list(zonings(places(150), (600,), 2))
    model = model_of(150, 0.1)
    assert np.array_equal(ours(population, model, 50).maxima, theirs(population, model, 50))
