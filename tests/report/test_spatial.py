"""Verdict, GeoJSON and map of the audit of points for every kind of outcome."""

from __future__ import annotations

import io
import json
from typing import Any

import matplotlib.image
import numpy as np
import pytest
import shapely

from movfair_spark.crs import CoordinateSystem
from movfair_spark.report.spatial import regions_geojson, told, verdict
from movfair_spark.report.spatial_map import Panel, region_map

FIGURES: dict[str, Any] = {
    "people": 200,
    "regions": 9,
    "layers": 1,
    "n_simulations": 99,
    "alpha": 0.05,
    "statistic": 12.5,
    "p_value": 0.01,
    "critical_value": 5.0,
    "significant": True,
    "nothing_to_test": False,
    "outcome": "value",
    "transform": "none",
    "notion": "statistical_parity",
    "strata": None,
    "direction": "both",
    "meanvar": None,
}
BINARY = {**FIGURES, "model": "bernoulli", "positives": 120}
RATES = {"observed": 5, "expected": 12.0, "rate_in": 0.25, "rate_out": 0.65}


def row(detail: dict[str, Any], n: int = 20, **changes: Any) -> dict[str, Any]:
    return {
        "rank": 1,
        "layer": "3 x 3",
        "name": "0/1",
        "model": "bernoulli",
        "n": n,
        "statistic": 12.5,
        "p_value": 0.01,
        "non_overlapping": True,
        "direction": "low",
        "detail": detail,
        "geometry": shapely.box(0, 0, 1, 1),
        **changes,
    }


def test_rates_are_told_with_those_elsewhere():
    text = verdict(BINARY, [row(RATES)], 5).text
    assert "200 people, 60.0% with a positive outcome" in text
    assert "1. 3 x 3: 0/1: 20 people, 25.0% positive, elsewhere 65.0%; statistic 12.5, p = 0.01" in text


def test_strata_and_equal_odds_are_named():
    found = {**BINARY, "notion": "equal_odds", "strata": 4}
    assert verdict(found, [], 5).text.startswith("UNFAIR by equal odds within 4 strata:")


def test_parts_are_told_by_truth():
    detail = {
        "part_n": [12, 8],
        "observed": [3, 8],
        "rate_in": [0.25, 1.0],
        "rate_out": [0.5, None],
        "expected": [6.0, 4.0],
    }
    assert told(row(detail)) == (
        "20 people, by truth 25.0% of 12 positive (elsewhere 50.0%), 100.0% of 8 positive (elsewhere -)"
    )


def test_classes_are_told_as_counts_with_expectations():
    found = row({"observed": [4, 16], "expected": [10.0, 10.0]}, model="multinomial")
    assert told(found) == "20 people, per class 4 (10.0 expected), 16 (10.0 expected)"
    parts = row({"part_n": [2, 3], "observed": [[2, 0], [1, 2]], "expected": [[1.0, 1.0], [1.5, 1.5]]}, model="multinomial")  # fmt: skip
    assert told(parts).endswith("2 (1.0 expected), 0 (1.0 expected); 1 (1.5 expected), 2 (1.5 expected)")


@pytest.mark.parametrize(
    ("single", "words"),
    [(4.0, "below the critical value"), ("infinity", "Set scan.transform: normal_scores")],
)
def test_the_largest_single_value_is_told(single, words):
    found = {**FIGURES, "model": "normal", "mean": 3.5, "outcome": "residual", "largest_single": single}
    text = verdict(found, [row({"mean_in": 1.0, "mean_expected": 3.5, "mean_out": None})], 5).text
    assert "mean prediction - truth 3.5" in text
    assert "20 people, mean 1; statistic" in text
    assert words in text


def test_an_infinite_statistic_is_strict_json():
    text = regions_geojson([row(RATES, statistic=float("inf"))], CoordinateSystem.parse("planar"), 5, 10)
    assert json.loads(text)["features"][0]["properties"]["statistic"] == "infinity"


def pixels(view: tuple[float, float, float, float], panels: list[Panel], **how: Any) -> np.ndarray:
    png = region_map(view, np.array([[0.5, 0.5]]), panels, **how)
    return matplotlib.image.imread(io.BytesIO(png))[..., :3]


def reddish(image: np.ndarray) -> int:
    return int(((image[..., 0] > 0.7) & (image[..., 1] < 0.7) & (image[..., 2] < 0.6)).sum())


def test_a_region_takes_its_share_of_the_panel_in_its_colour():
    far = pixels((0, 0, 4, 4), [Panel("one", "", [row(RATES)])])
    near = pixels((0, 0, 2, 2), [Panel("one", "", [row(RATES)])])
    assert 2 < reddish(near) / reddish(far) < 6


def test_regions_outside_the_view_are_not_drawn():
    shown = pixels((5, 5, 9, 9), [Panel("none here", "", [row(RATES)])])
    legend = pixels((5, 5, 9, 9), [Panel("none", "", [])])
    assert reddish(shown) <= 1.2 * reddish(legend)


def test_two_panels_are_side_by_side():
    one = pixels((0, 0, 1, 1), [Panel("a", "", [])])
    two = pixels((0, 0, 1, 1), [Panel("a", "", []), Panel("b", "", [])], degrees=True)
    assert two.shape[1] == 2 * one.shape[1]
