"""Which model goes with which notion: the combinations of the table in the README, and no others."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from movfair_spark.config.notion import NotionConfig

ALLOWED = [
    ("bernoulli", "statistical_parity"),
    ("bernoulli", "equal_opportunity"),
    ("bernoulli", "false_positive_parity"),
    ("bernoulli", "equal_odds"),
    ("multinomial", "statistical_parity"),
    ("multinomial", "equal_odds"),
    ("normal", "statistical_parity"),
]


@pytest.mark.parametrize("model", ["bernoulli", "multinomial", "normal"])
@pytest.mark.parametrize(
    "notion", ["statistical_parity", "equal_opportunity", "false_positive_parity", "equal_odds"]
)
def test_models_and_notions(model, notion):
    if (model, notion) in ALLOWED:
        assert NotionConfig(model=model, notion=notion).notion == notion
        return
    with pytest.raises(ValidationError, match=f"notion '{notion}' is for outcomes 0 and 1"):
        NotionConfig(model=model, notion=notion)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"model": "multinomial", "direction": "high"}, "classes have both only"),
        ({"outcome": "residual"}, "set model: normal"),
        ({"model": "multinomial", "transform": "normal_scores"}, "set model: normal"),
    ],
)
def test_settings_of_other_models_are_refused(settings, says):
    with pytest.raises(ValidationError, match=says):
        NotionConfig(**settings)


@pytest.mark.parametrize(
    ("settings", "truth"),
    [
        ({}, False),
        ({"notion": "equal_opportunity"}, True),
        ({"notion": "equal_odds", "model": "multinomial"}, True),
        ({"model": "normal", "outcome": "residual"}, True),
        ({"model": "normal"}, False),
    ],
)
def test_what_needs_a_truth(settings, truth):
    assert NotionConfig(**settings).needs_truth is truth
