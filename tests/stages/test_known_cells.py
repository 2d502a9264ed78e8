"""The known answers of zones hold (the report of ``make known-answers`` prints them)."""

from __future__ import annotations

from tests.known_answers.__main__ import difference
from tests.known_answers.zones import cases


def test_known_answers_of_zones(spark, shared_data):
    off = [
        case
        for case in cases(shared_data, spark)
        if difference(case["expected"], case["ours"]) > case["tolerance"]
    ]
    assert off == []
