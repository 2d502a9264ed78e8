"""Outcomes in words: every model and notion says what was tested and how a pattern differs."""

from __future__ import annotations

import json

import pytest

from movfair_spark.report.outcome_words import OutcomeFigures, difference, outliers, sides, summary
from movfair_spark.report.verdict import verdict
from tests.report.evidence import figures, row, shown, zonings

CLASSES = OutcomeFigures("multinomial", classes=("high", "low"), class_counts=(25, 75))


@pytest.mark.parametrize(
    ("outcomes", "says"),
    [
        (OutcomeFigures(positives=25), "25 with a positive outcome (25.0%)"),
        (OutcomeFigures(positives=25, strata=4), "(25.0%), compared within 4 strata"),
        (CLASSES, "outcomes high 25.0%, low 75.0%"),
        (OutcomeFigures("normal", mean=2.5, deviation=0.125), "mean outcome 2.5, standard deviation 0.125"),
        (
            OutcomeFigures("normal", mean=-0.5, deviation=1.0, residual=True, scores=True),
            "mean residual (prediction - truth) -0.5, standard deviation 1 (tested as normal scores)",
        ),
    ],
)
def test_what_was_tested(outcomes, says):
    assert summary(outcomes, 100).endswith(says)


def test_classes_have_no_side():
    assert sides("multinomial", "both") is None
    assert sides("normal", "high") == "higher means only"
    assert sides("bernoulli", "low") == "lower rates only"


@pytest.mark.parametrize(
    ("detail", "outcomes", "says"),
    [
        (
            {"people": 20, "observed": 4, "expected": 10.0, "rate_in": 0.2, "rate_out": 0.55},
            OutcomeFigures(positives=5),
            "20.0% positive, 55.0% among the others",
        ),
        (
            {"people": 20, "observed": 4, "expected": 10.0, "rate_in": 0.2, "rate_out": 0.55},
            OutcomeFigures(positives=5, strata=3),
            "20.0% positive, 55.0% among the others, 50.0% expected of their strata",
        ),
        (
            {"people": 9, "observed": 9, "expected": 9.0, "rate_in": 1.0, "rate_out": None},
            OutcomeFigures(),
            "",
        ),
        ({"people": 4, "observed": [3, 1], "expected": [1.0, 3.0]}, CLASSES, "75.0% high, 25.0% expected"),
        (
            {"people": 4, "mean_in": 1.25, "mean_expected": 0.5, "mean_out": 0.75},
            OutcomeFigures("normal", mean=0.5, deviation=1.0),
            "mean 1.25, 0.75 among the others",
        ),
        (
            {"people": 4, "mean_in": 1.25, "mean_expected": 0.5, "mean_out": 0.75},
            OutcomeFigures("normal", mean=0.5, deviation=1.0, strata=2),
            "mean 1.25, 0.75 among the others, 0.5 expected of their strata",
        ),
        (
            {
                "people": 9,
                "part_n": [4, 5],
                "observed": [4, 0],
                "expected": [2.0, 2.0],
                "rate_in": [1.0, 0.0],
                "rate_out": [0.5, None],
                "part_statistic": [3.0, 1.0],
            },
            OutcomeFigures(positives=5, truths=("0", "1")),
            "truth 0: 100.0% positive, 50.0% among the others",
        ),
        (
            {
                "people": 6,
                "part_n": [4, 2],
                "observed": [[3, 1], [0, 2]],
                "expected": [[1.0, 3.0], [1.0, 1.0]],
                "part_statistic": [3.0, 1.0],
            },
            OutcomeFigures(
                "multinomial", classes=("high", "low"), class_counts=(1, 1), truths=("high", "low")
            ),
            "truth high: 75.0% high, 25.0% expected; truth low: 0.0% high, 50.0% expected",
        ),
    ],
)
def test_how_a_pattern_differs(detail, outcomes, says):
    assert difference(detail, outcomes) == says


def test_the_largest_single_outcome_is_told_and_warned_of():
    quiet = OutcomeFigures("normal", largest_single=9.8)
    assert outliers(quiet, 13.5, 1) == ["Largest single outcome: statistic 9.800."]
    loud = outliers(OutcomeFigures("normal", largest_single=723.0), 723.0, 1)
    assert "outliers can hide every group effect" in loud[1]
    assert "scan.transform: normal_scores or a scan.min_support above 1" in loud[1]
    scored = OutcomeFigures("normal", largest_single=15.0, scores=True)
    assert "normal_scores" not in outliers(scored, 13.5, 4)[1]
    assert outliers(OutcomeFigures(), 13.5, 1) == []
    assert outliers(OutcomeFigures("normal", largest_single=0.0, nothing=True), 0.0, 1) == []


def test_a_verdict_of_classes_is_strict_json_and_fits_a_terminal():
    detail = {"observed": [15, 5], "expected": [5.0, 15.0]}
    answer = verdict(figures(outcomes=CLASSES, people=100), shown(row(1, [(0, 0)], detail=detail)), zonings())
    assert "75.0% high, 25.0% expected" in answer.text
    assert "rates" not in answer.text
    assert json.loads(json.dumps(answer.as_json(), allow_nan=False))["classes"] == ["high", "low"]
    assert max(map(len, answer.text.splitlines())) <= 100
