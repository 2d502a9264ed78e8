from __future__ import annotations

import math

import numpy as np
import pytest

from movfair_spark.evaluation.planted import (
    Performance,
    Retrieval,
    performance,
    retrieval,
    retrieval_of_tables,
)


@pytest.mark.parametrize(
    ("found", "sensitivity", "ppv"),
    [
        (np.r_[0:300, 1000:1700], 0.5, 0.3),  # 1,000 people, 300 of them in the hotspot
        (np.arange(100_000), 1.0, 0.006),  # everybody; the paper prints 0.003, which is 300 / 100,000
        (np.arange(30), 0.05, 1.0),  # 30 of the hotspot alone
    ],
)
def test_the_toy_example_of_the_paper(found, sensitivity, ppv):
    """Paper, appendix F: a hotspot of 600 people."""
    result = retrieval(np.arange(600), found)
    assert (result.sensitivity, result.ppv) == (sensitivity, ppv)


def test_people_in_several_hotspots_or_candidates_count_once():
    assert retrieval(np.array([1, 2, 2, 3]), np.array([3, 3, 4])) == Retrieval(planted=3, found=2, both=1)


def test_no_evidence_has_no_ppv():
    result = retrieval(np.array([1, 2]), np.array([], dtype=np.int64))
    assert not result.detected
    assert result.sensitivity == 0
    assert math.isnan(result.ppv)


def test_performance_averages_over_the_data_sets_with_evidence():
    datasets = [Retrieval(10, 20, 5), Retrieval(10, 5, 5), Retrieval(10, 0, 0), Retrieval(10, 10, 10)]
    assert performance(datasets) == Performance(4, 0.75, (0.5 + 0.5 + 1) / 3, (0.25 + 1 + 1) / 3)


def test_performance_without_any_evidence_has_power_0():
    result = performance([Retrieval(10, 0, 0)])
    assert result.power == 0
    assert math.isnan(result.sensitivity)
    assert math.isnan(result.ppv)


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (
            Retrieval(1500, 3000, 1200),
            "the evidence covers 1,200 of the 1,500 people of the planted pattern (sensitivity 0.80) "
            "and 1,800 others (PPV 0.40)",
        ),
        (Retrieval(150, 0, 0), "the planted pattern of 150 people was not found"),
    ],
)
def test_the_verdict_says_it_in_words(item, text):
    assert item.describe() == text


def test_tables_are_compared_by_uid(spark):
    planted = spark.createDataFrame([(1, 0), (2, 0), (2, 1), (3, 1)], "uid bigint, hotspot int")
    found = spark.createDataFrame([(2, 0.001, 5), (3, 0.01, 1), (9, 0.01, 1)], "uid bigint, p double, n int")
    assert retrieval_of_tables(planted, found) == Retrieval(planted=3, found=3, both=2)
