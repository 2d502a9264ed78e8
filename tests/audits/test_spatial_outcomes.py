"""The audit of points with classes, real values, equal odds and strata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from movfair_spark.audits.place import spark_frame
from movfair_spark.audits.spatial import Spatial, spatial
from movfair_spark.errors import InputError
from tests.audits.test_spatial import evidence, null, people

COLUMNS = {"x": "x", "y": "y", "outcome": "outcome"}


def settings(columns: dict[str, str] | None = None, **changes: Any) -> dict[str, Any]:
    scan = {"n_simulations": 99, "alpha": 0.05, **changes.pop("scan", {})}
    own = {"crs": "planar", "columns": {**COLUMNS, **(columns or {})}, **changes.pop("input", {})}
    return {"input": own, "regions": [{"kind": "grid", "columns": 4, "rows": 4}], "scan": scan, **changes}


def best(found: Spatial) -> Any:
    assert found.evidence is not None
    return found.evidence.orderBy("rank").first()


def corner(data: pd.DataFrame) -> pd.Series:
    return (data.x < data.x.max() / 4) & (data.y < data.y.max() / 4)


def test_classes_differ_in_the_planted_corner_and_unknown_ones_are_rejected(spark: SparkSession) -> None:
    data = people()
    rng = np.random.default_rng(2)
    data["outcome"] = np.where(corner(data) & (rng.uniform(size=len(data)) < 0.8), "no", rng.choice(["yes", "later"], len(data)))  # fmt: skip
    data.loc[:6, "outcome"] = "perhaps"
    given = settings(input={"classes": ["no", "later", "yes"]}, scan={"model": "multinomial"})
    found = spatial(spark_frame(spark, data), given)
    row, fine = best(found), data[7:]
    inside = fine[corner(fine)]
    assert row["n"] == len(inside)
    assert row["direction"] is None
    assert row["detail"]["observed"] == [
        int((inside.outcome == name).sum()) for name in ("later", "no", "yes")
    ]
    assert found.manifest["rows"]["points"]["bad_outcome"] == 7
    assert found.verdict is not None
    assert found.verdict.data["classes"] == fine.outcome.value_counts().to_dict()
    assert found.verdict.data["meanvar"] is None


@pytest.mark.parametrize("extra", [{}, {"weight": "weight"}, {"stratum": "truth"}])
def test_real_outcomes_are_the_same_for_any_partitioning(spark: SparkSession, extra: dict[str, str]) -> None:
    data = people()
    rng = np.random.default_rng(3)
    data["outcome"] = rng.normal(10, 2, len(data)) + np.where(corner(data), -4, 0)
    data["weight"] = rng.uniform(1, 2, len(data))
    frame = spark_frame(spark, data)
    given = settings(extra, scan={"model": "normal"})
    found = [spatial(frame.repartition(n), given) for n in (1, 3)]
    assert evidence(found[0]) == evidence(found[1])
    assert null(found[0]) == null(found[1])
    row, inside = best(found[0]), data[corner(data)]
    assert (row["n"], row["direction"]) == (len(inside), "low")
    weights = inside.weight if "weight" in extra else None
    assert row["detail"]["mean_in"] == pytest.approx(np.average(inside.outcome, weights=weights))


def test_residuals_are_prediction_less_truth_and_an_outlier_is_named(spark: SparkSession) -> None:
    data = people()
    rng = np.random.default_rng(4)
    data["truth"] = rng.normal(100, 50, len(data))
    data["outcome"] = data.truth + rng.normal(0, 1, len(data)) + np.where(corner(data), 2, 0)
    data.loc[399, "outcome"] += 10_000
    frame = spark_frame(spark, data)
    found = spatial(frame, settings(scan={"model": "normal", "outcome": "residual"}))
    assert found.verdict is not None
    assert not found.verdict.significant
    assert "outliers can hide every effect" in found.verdict.text
    assert any("normal_scores" in text for text in found.manifest["notices"])
    scores = settings(scan={"model": "normal", "outcome": "residual", "transform": "normal_scores"})
    row = best(spatial(frame, scores))
    assert (row["n"], row["direction"]) == (int(corner(data).sum()), "high")


def test_equal_odds_within_strata_over_the_refinement_equal_those_over_places(spark: SparkSession) -> None:
    data = people()
    data["group"] = np.random.default_rng(5).choice(["a", "b", "c"], len(data))
    frame = spark_frame(spark, data)
    scan = {"notion": "equal_odds", "draw": "counts"}
    refined = spatial(frame, settings({"stratum": "group"}, scan=scan))
    places = spatial(frame, settings({"stratum": "group", "uid": "uid"}, scan=scan))
    row, inside = best(refined), data[corner(data)]
    assert row["detail"]["part_n"] == [int((inside.truth == t).sum()) for t in (0, 1)]
    assert row["detail"]["observed"] == [int(inside.outcome[inside.truth == t].sum()) for t in (0, 1)]
    assert row["statistic"] == pytest.approx(sum(row["detail"]["part_statistic"]))
    assert refined.verdict.data["strata"] == 3
    assert [r[2:5] for r in evidence(refined)] == [r[2:5] for r in evidence(places)]


def test_what_a_test_needs_and_a_row_has_not_is_rejected_with_its_reason(spark: SparkSession) -> None:
    data = people(60).astype({"outcome": float, "truth": float})
    data["weight"], data["group"] = 1.0, "a"
    data.loc[0, "weight"], data.loc[1, "weight"], data.loc[2, "weight"] = -1.0, 0.0, np.nan
    data.loc[3, "outcome"], data.loc[4, "outcome"] = np.nan, np.inf
    data.loc[5, "truth"] = np.nan
    # A table from pandas brings NaN as null: here it is a number that is none.
    frame = spark_frame(spark, data).withColumn("outcome", F.coalesce("outcome", F.lit(float("nan"))))
    weighted = spatial(frame, settings({"weight": "weight"}, scan={"model": "normal", "outcome": "residual"}))  # fmt: skip
    rows = weighted.manifest["rows"]["points"]
    assert {name: rows[name] for name in ("bad_weight", "bad_outcome", "null_truth", "tested")} == {"bad_weight": 3, "bad_outcome": 2, "null_truth": 1, "tested": 54}  # fmt: skip
    data = people(60)
    data["group"] = [None, " "] + ["a", "b"] * 29
    found = spatial(spark_frame(spark, data), settings({"stratum": "group"}))
    assert found.manifest["rows"]["points"]["null_stratum"] == 2


def test_too_many_classes_are_refused_before_the_work(spark: SparkSession) -> None:
    data = people(60)
    data["outcome"] = [f"class {i}" for i in range(60)]
    with pytest.raises(InputError, match="60 classes"):
        spatial(spark_frame(spark, data), settings(scan={"model": "multinomial"}))


def test_windows_joined_by_sedona_are_those_told_by_comparison(spark: SparkSession) -> None:
    data = people()
    regions = [
        {"kind": "squares", "centres": "locations", "least": 20, "most": 100, "sizes": 5},
        {"kind": "circles", "centres": "locations", "least": 20, "most": 100, "sizes": 5},
    ]
    found = spatial(spark_frame(spark, data), {**settings(scan={"alpha": 0.99}), "regions": regions})
    rows = found.evidence.select("kind", "name", "n").collect()
    assert {row["kind"] for row in rows} == {"squares", "circles"}
    places = data[["x", "y"]].drop_duplicates().sort_values(["x", "y"]).to_numpy()
    for row in rows:
        _, centre, width, _ = row["name"].replace(",", "").split()
        cx, cy = places[int(centre)]
        dx, dy, h = data.x - cx, data.y - cy, float(width) / 2
        inside = (dx.abs() <= h) & (dy.abs() <= h) if row["kind"] == "squares" else dx**2 + dy**2 <= h**2
        assert row["n"] == inside.sum()


def test_more_cells_than_people_are_told_and_only_occupied_ones_are_tested(spark: SparkSession) -> None:
    regions = [{"kind": "grid", "columns": 30, "rows": 30}]
    found = spatial(spark_frame(spark, people(40)), {**settings(), "regions": regions})
    assert found.verdict is not None
    assert found.verdict.data["regions"] <= 40
    assert any("more cells than the 40 people" in text for text in found.manifest["notices"])


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_invalid_polygons_are_made_valid_and_counted(spark: SparkSession, tmp_path: Path) -> None:
    bow = shapely.Polygon([(0, 0), (1000, 1000), (1000, 0), (0, 1000)])
    path = tmp_path / "bow.gpkg"
    geopandas.GeoDataFrame(geometry=[bow], crs=None).to_file(path)
    data = people()
    given = {**settings(scan={"alpha": 0.99}), "regions": [{"kind": "polygons", "path": str(path)}]}
    found = spatial(spark_frame(spark, data), given)
    # Left and right of both diagonals, edges included.
    inside = (data.y - data.x) * (data.y + data.x - 1000) <= 0
    assert best(found)["n"] == inside.sum()
    assert any("1 invalid polygons were made valid" in text for text in found.manifest["notices"])
