"""The verdict: readable, complete, careful, and strict JSON."""

from __future__ import annotations

import json
import math

import pytest

from movfair_spark.report.outcome_words import OutcomeFigures
from movfair_spark.report.verdict import WIDTH, verdict
from tests.report.evidence import PLANAR, figures, row, shown, zonings

ATLANTA = [(3700, 18680), (3704, 18684)]


def words(text: str) -> str:
    return " ".join(text.split())


def test_says_how_many_people_rates_and_where():
    answer = verdict(figures(), shown(row(1, ATLANTA, n=143)), zonings())
    text = words(answer.text)
    assert answer.significant
    assert text.startswith("UNFAIR:")
    assert "p = 0.001, the smallest that 999 simulations can give" in text
    assert "143 people who share 2 places (200 m cells): 20.0% positive, 55.0% among the others" in text
    assert "lon -84.4" in text and "lat 33.7" in text
    assert "What this says" in text and "What it does not say" in text


def test_fits_a_terminal():
    rows = [row(k, [(3700 + k, 18680 + j) for j in range(9)]) for k in range(1, 9)]
    assert max(len(line) for line in verdict(figures(), shown(*rows), zonings()).text.splitlines()) <= WIDTH


def test_rows_that_do_not_overlap_come_first():
    rows = [row(1, ATLANTA), row(2, ATLANTA, zoning_id=1, non_overlapping=False), row(3, [(9, 9)], n=31)]
    evidence = shown(*rows)
    assert evidence.apart() == [0, 2]
    answer = verdict(figures(), evidence, zonings(), apart=evidence.apart())
    assert [pattern["rank"] for pattern in answer.data["patterns"]] == [1, 3]
    assert "no person in common" in answer.text


def test_apart_by_area():
    rows = [row(1, [(0, 0)]), row(2, [(0, 0)], zoning_id=1), row(3, [(1, 0)]), row(4, [(5, 5)])]
    assert shown(*rows).apart("area") == [0, 2, 3]  # neighbours share an edge, not an area


def test_no_evidence_does_not_claim_fairness():
    text = words(verdict(figures(significant=False, p_value=0.31), shown(), zonings()).text)
    assert text.startswith("NO EVIDENCE of unfairness")
    assert "does not prove that the model is fair" in text


def test_a_count_that_ended_too_early_is_undecided():
    answer = verdict(
        figures(significant=False, p_value=0.001, exact=False, decided=False), shown(), zonings()
    )
    text = words(answer.text)
    assert text.startswith("UNDECIDED:")
    assert "(p >= 0.001)" in text and "smallest" not in text
    assert "NO EVIDENCE" not in text and "by chance" not in text
    assert (answer.data["decided"], answer.data["exact"], answer.data["significant"]) == (False, False, False)


def test_a_lower_bound_over_alpha_is_no_evidence():
    text = words(verdict(figures(significant=False, p_value=0.388, exact=False), shown(), zonings()).text)
    assert text.startswith("NO EVIDENCE") and "(p >= 0.388;" in text


@pytest.mark.parametrize("positives", [0, 1000])
def test_equal_outcomes_are_nothing_to_test(positives):
    """JobCollins/fairness_pipeline_dev_toolkit #29: N = P is 'nothing to test' with p = 1, no rate of 0."""
    answer = verdict(
        figures(
            outcomes=OutcomeFigures(positives=positives, nothing=True),
            significant=False,
            p_value=1.0,
            statistic=0.0,
        ),
        shown(),
        zonings(),
    )
    assert answer.text.startswith("NOTHING TO TEST")
    assert answer.data["p_value"] == 1.0


def test_small_groups_are_counted_and_not_described():
    answer = verdict(figures(), shown(small=12), zonings())
    assert "12 of groups under 5 people not shown" in answer.text
    assert "lon" not in answer.text and answer.data["patterns"] == []


def test_json_form_is_strict():
    """OSGeo/gdal #1109: a perfect split has an infinite statistic, which is no JSON number."""
    answer = verdict(figures(statistic=math.inf), shown(row(1, ATLANTA, statistic=math.inf)), zonings())
    text = json.dumps(answer.as_json(), allow_nan=False)
    assert json.loads(text)["statistic"] == "infinity"


def test_planar_places_are_metres():
    answer = verdict(figures(), shown(row(1, [(2, 3)], crs=PLANAR), crs=PLANAR), zonings(PLANAR))
    assert "at x 500 y 700 m" in answer.text


def test_one_null_per_zoning_says_what_is_not_allowed_for():
    text = words(verdict(figures(null="per_zoning"), shown(row(1, ATLANTA)), zonings()).text)
    assert "not the other zonings" in text
