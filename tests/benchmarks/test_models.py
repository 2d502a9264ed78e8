"""The benchmark of outcome models in its small form: every model at both supports, no meaning in the times."""

from __future__ import annotations

from benchmarks.models import run


def test_small_form_counts_every_model():
    results = list(run(small=True))
    with_target = [result.name for result in results if result.target == 10.0]
    assert with_target == [
        "null of multinomial, 5 classes, min_support 16 (CPU seconds, beside Bernoulli)",
        "null of normal, min_support 16 (CPU seconds, beside Bernoulli)",
    ]
    assert len(results) == 8
    assert all(result.ours > 0 and result.other > 0 for result in results)
