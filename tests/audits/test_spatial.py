"""The audit of points end to end: evidence, partitions, the reduction, all kinds of regions, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from movfair_spark.audits.movement import audit
from movfair_spark.audits.place import spark_frame
from movfair_spark.audits.spatial import Spatial, spatial
from movfair_spark.errors import ConfigurationError, EmptyTableError, InputError, RejectsError

GRID = [{"kind": "grid", "columns": 4, "rows": 4}]
FAST: dict[str, Any] = {
    "input": {"crs": "planar", "columns": {"x": "x", "y": "y", "outcome": "outcome"}},
    "regions": GRID,
    "scan": {"n_simulations": 199, "alpha": 0.05},
}


def people(n: int = 400, seed: int = 1) -> pd.DataFrame:
    """People in a square of 1 km, several to a place; in its lower left corner outcomes are mostly negative."""
    rng = np.random.default_rng(seed)
    x, y = np.round(rng.uniform(0, 1000, n), -1), np.round(rng.uniform(0, 1000, n), -1)
    chance = np.where((x < 250) & (y < 250), 0.05, 0.6)
    outcome = (rng.uniform(size=n) < chance).astype(int)
    return pd.DataFrame(
        {"uid": np.arange(n) * 7 % 1009, "x": x, "y": y, "outcome": outcome, "truth": rng.integers(0, 2, n)}
    )


def with_(**changes: Any) -> dict[str, Any]:
    return {**FAST, **changes}


def evidence(found: Spatial) -> list[tuple[Any, ...]]:
    assert found.evidence is not None
    names = ["rank", "layer_id", "region", "n", "statistic", "p_value", "direction", "members_id"]
    return [tuple(row) for row in found.evidence.select(*names).orderBy("rank").collect()]


def null(found: Any) -> list[float]:
    return [row[0] for row in found.null_distribution.orderBy("simulation").select("max_statistic").collect()]


def test_the_planted_corner_is_the_best_evidence(spark: SparkSession, tmp_path: Path) -> None:
    data = people()
    path = tmp_path / "points.csv"
    data.to_csv(path, index=False)
    found = spatial(str(path), FAST, output=tmp_path / "run", spark=spark)
    assert found.verdict is not None
    assert found.verdict.significant
    assert found.verdict.text.startswith("UNFAIR by statistical parity")
    best = evidence(found)[0]
    corner = data[(data.x < data.x.max() / 4) & (data.y < data.y.max() / 4)]
    assert best[2:4] == (0, len(corner))
    assert best[6] == "low"
    assert json.loads((tmp_path / "run" / "evidence.geojson").read_text())["features"][0]["properties"][
        "n"
    ] == len(corner)
    assert (tmp_path / "run" / "map.png").stat().st_size > 10_000
    assert found.meanvar.first()["rank"] == 1
    again = spatial(str(path), FAST, output=tmp_path / "run", spark=spark)
    assert [step["reused"] for step in again.manifest["steps"]] == [True] * 5
    assert evidence(again) == evidence(found)


@pytest.mark.parametrize("draw", ["permutation", "counts"])
def test_the_same_bits_for_any_partitioning(spark: SparkSession, draw: str) -> None:
    """squidpy #1233 and #1234, CellphoneDB #231: the result depends on the number of workers."""
    frame = spark_frame(spark, people())
    settings = with_(scan={"n_simulations": 99, "alpha": 0.05, "draw": draw})
    found = [spatial(frame.repartition(n), settings) for n in (1, 3)]
    assert evidence(found[0]) == evidence(found[1])
    assert null(found[0]) == null(found[1])
    assert len(set(null(found[0]))) > 20


@pytest.mark.parametrize("model", ["bernoulli", "normal"])
def test_people_with_one_place_give_the_same_through_both_audits(spark: SparkSession, model: str) -> None:
    """The reduction (movement paper, section 4.6), bit for bit, the simulated maxima included."""
    data = people(150)
    if model == "normal":
        data["outcome"] = data.outcome + np.random.default_rng(6).normal(0, 0.3, len(data))
    squares = {"kind": "square", "size_m": [200.0, 450.0], "shifts": 2}
    scan = {"model": model, "n_simulations": 99, "alpha": 0.99, "seed": 5}
    stops = data.assign(arrive="2024-01-01T08:00:00Z", leave="2024-01-01T12:00:00Z")
    moved = audit(
        spark_frame(spark, stops[["uid", "arrive", "leave", "x", "y"]]),
        spark_frame(spark, data[["uid", "outcome"]]),
        {
            "input": {"kind": "stops", "crs": "planar"},
            "zonings": {"crs": "input", "layers": [squares]},
            "scan": {**scan, "support_bound": False},
            "report": {"map": False},
        },
    )
    frame = spark_frame(spark, data)
    points = {
        "input": {"crs": "planar", "columns": {"uid": "uid", "x": "x", "y": "y", "outcome": "outcome"}},
        "regions": [squares],
        "crs": "input",
        "scan": {**scan, "draw": "permutation"},
    }
    fixed = spatial(frame, points)
    assert null(fixed) == null(moved)
    names = ["n", "statistic", "p_value", "direction"]
    details = ["detail.observed", "detail.rate_in"] if model == "bernoulli" else ["detail.mean_in"]
    theirs = moved.evidence.select("zoning_id", F.col("cells")[0], *names, *details).collect()
    ours = fixed.evidence.select("layer_id", "region", *names, *details).collect()
    assert len(ours) >= 3
    assert sorted(map(tuple, ours)) == sorted(map(tuple, theirs))
    if model == "bernoulli":
        drawn = spatial(frame, {**points, "scan": {**scan, "draw": "counts"}})
        p = [found.verdict.data["p_value"] for found in (fixed, drawn)]
        assert abs(p[0] - p[1]) <= 4 * (2 * p[0] * (1 - p[0]) / 99) ** 0.5


def test_random_partitionings_through_their_refinement_equal_those_over_places(spark: SparkSession) -> None:
    frame = spark_frame(spark, people())
    regions = [{"kind": "random", "count": 5, "least": 3, "most": 9}, *GRID]
    refined = spatial(frame, with_(regions=regions))
    ids = {**FAST["input"], "columns": {**FAST["input"]["columns"], "uid": "uid"}}
    places = spatial(frame, with_(regions=regions, input=ids))
    assert refined.verdict.data["meanvar"] == places.verdict.data["meanvar"]
    assert refined.verdict.data["regions"] == places.verdict.data["regions"]
    assert refined.verdict.data["statistic"] == places.verdict.data["statistic"]
    assert [tuple(r) for r in refined.meanvar.collect()] == [tuple(r) for r in places.meanvar.collect()]


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_windows_and_polygons_are_layers_of_one_test(spark: SparkSession, tmp_path: Path) -> None:
    boxes = [(0, 0, 250, 250), (250, 0, 1000, 1000)]
    path = tmp_path / "tracts.gpkg"
    geopandas.GeoDataFrame(geometry=[shapely.box(*box) for box in boxes], crs=None).to_file(path)
    data = people()
    regions = [
        {"kind": "polygons", "path": str(path)},
        {"kind": "squares", "centres": [[125.0, 125.0]], "least": 100, "most": 125, "sizes": 2},
        {"kind": "squares", "centres": 5, "least": 50, "most": 400, "sizes": 8},
        {"kind": "circles", "centres": [[0.0, 0.0]], "least": 100, "most": 300, "sizes": 3},
        {"kind": "nearest", "centres": [[0.0, 0.0], [900.0, 900.0]], "max_share": 0.2},
    ]
    found = spatial(spark_frame(spark, data), with_(regions=regions))
    rows = {(row["layer_id"], row["region"]): row for row in found.evidence.collect()}
    inside = [(data.x >= a) & (data.x <= c) & (data.y >= b) & (data.y <= d) for a, b, c, d in boxes]
    assert rows[0, 0]["n"] == inside[0].sum()
    # A square that is a tract of the file has the same members as Sedona's join finds, and the same name.
    assert rows[1, 1]["n"] == rows[0, 0]["n"]
    assert rows[1, 1]["members_id"] == rows[0, 0]["members_id"]
    assert rows[3, 2]["n"] == ((data.x**2 + data.y**2) <= 300**2).sum()
    assert {layer for layer, _ in rows} >= {0, 1, 3}
    assert found.verdict.data["layers"] == 5
    assert sum(bool(row["non_overlapping"]) for row in rows.values()) >= 1
    assert {row["best_of_centre"] for (layer, _), row in rows.items() if layer == 0} == {None}


def test_bad_rows_are_counted_and_the_truth_chooses(spark: SparkSession) -> None:
    data = people(60).astype({"x": float, "outcome": float, "truth": float})
    data.loc[0, "x"] = np.nan
    data.loc[1, "outcome"] = np.nan
    data.loc[2, "outcome"] = 3.0
    data.loc[3, "truth"] = np.nan
    data.loc[4, "truth"] = 7.0
    settings = with_(scan={**FAST["scan"], "notion": "equal_opportunity"})
    found = spatial(spark_frame(spark, data), settings)
    rows = found.manifest["rows"]["points"]
    assert {r["reason"]: r["rows"] for r in found.rejects.collect()}.keys() >= {"bad_truth", "bad_outcome"}
    fine = data.iloc[5:]
    assert rows["tested"] == (fine.truth == 1).sum()
    assert rows["other_truth"] == (fine.truth == 0).sum()
    assert rows["read"] == 60 == rows["tested"] + rows["other_truth"] + 5
    with pytest.raises(RejectsError):
        spatial(spark_frame(spark, data), {**settings, "strict": True})


def test_people_with_ids_count_once_and_conflicts_are_set_aside(spark: SparkSession) -> None:
    data = people(50)
    twice = pd.concat([data, data.iloc[:3], data.iloc[3:5].assign(outcome=1 - data.iloc[3:5].outcome)])
    ids = {**FAST["input"], "columns": {**FAST["input"]["columns"], "uid": "uid"}}
    found = spatial(spark_frame(spark, twice), with_(input=ids))
    rows = found.manifest["rows"]["points"]
    assert (rows["read"], rows["tested"], rows["duplicate"], rows["conflicting_label"]) == (55, 48, 3, 4)


def test_one_outcome_is_nothing_to_test(spark: SparkSession) -> None:
    found = spatial(spark_frame(spark, people(30).assign(outcome=1)), FAST)
    assert not found.verdict.significant
    assert found.verdict.data["p_value"] == 1.0
    assert "nothing to test" in found.verdict.text


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"regions": [{"kind": "grid", "columns": 0, "rows": 1}]}, ConfigurationError, "columns"),
        (
            {"regions": [{"kind": "squares", "centres": 500, "least": 1, "most": 2}]},
            ConfigurationError,
            "fewer centres",
        ),
        ({"scan": {"n_simulations": 9, "alpha": 0.01}}, ConfigurationError, "at least 99"),
        ({"scan": {"n_simulations": 199, "notion": "equal"}}, ConfigurationError, "equal_opportunity"),
        ({"input": {"crs": "planar", "columns": {"outcome": "nothing"}}}, InputError, "nothing"),
        ({"input": {"crs": "EPSG:4326"}}, InputError, "metres"),
    ],
)
def test_a_users_mistake_is_one_error(
    spark: SparkSession, change: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        spatial(spark_frame(spark, people(20)), with_(**change))


def test_a_table_without_rows_says_so(spark: SparkSession) -> None:
    with pytest.raises(EmptyTableError):
        spatial(spark_frame(spark, people(5)).where("x < 0"), FAST)
