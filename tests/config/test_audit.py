"""Labels and model must go together: one message that names both."""

from __future__ import annotations

import pytest

from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build
from movfair_spark.errors import ConfigurationError


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            {"labels": {"positive": "yes"}, "scan": {"model": "multinomial"}},
            "labels.positive is for outcomes 0 and 1, scan.model is multinomial",
        ),
        ({"labels": {"classes": ["a", "b"]}}, "labels.classes is for scan.model multinomial, not bernoulli"),
        ({"labels": {"columns": {"weight": "w"}}}, "labels.columns.weight is for real outcomes"),
        (
            {"labels": {"columns": {"weight": "w", "stratum": "s"}}, "scan": {"model": "normal"}},
            "exclude each other",
        ),
        (
            {"scan": {"model": "normal", "notion": "equal_odds"}},
            "notion 'equal_odds' is for outcomes 0 and 1",
        ),
        ({"labels": {"classes": ["a"]}, "scan": {"model": "multinomial"}}, "labels.classes"),
        ({"scan": {"model": "poisson"}}, "scan.model"),
    ],
)
def test_what_does_not_go_together(content, says):
    with pytest.raises(ConfigurationError) as raised:
        build(AuditConfig, content)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_residuals_are_one_line():
    config = build(AuditConfig, {"scan": {"model": "normal", "outcome": "residual"}})
    assert config.scan.needs_truth
    assert config.scan.kind == "real"


def test_numbers_written_bare_are_names_of_classes():
    config = build(AuditConfig, {"labels": {"classes": [1, 2, 3]}, "scan": {"model": "multinomial"}})
    assert config.labels.classes == ["1", "2", "3"]
