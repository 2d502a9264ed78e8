from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from movfair_spark.audits.error_parity import error_parity
from movfair_spark.config.error_parity import MovementGroup
from movfair_spark.errors import EmptyTableError, MissingColumnsError
from movfair_spark.stages.error_movement import membership

SQUARE = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]


@pytest.fixture(scope="module")
def run_folder(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of a movement audit: people 1-6, of whom 1, 2 and 3 stop in the square, 1 and 2 hold cells 7 and 8."""
    folder = tmp_path_factory.mktemp("movement")
    stops = [(uid, 0, 0.5 if uid <= 3 else 5.0, 0.5) for uid in range(1, 7)] + [(1, 1, 9.0, 9.0)]
    spark.createDataFrame(stops, "uid bigint, stop_id int, x double, y double").selectExpr(
        "uid", "stop_id", "timestamp'2024-01-01 00:00:00Z' AS arrive", "timestamp'2024-01-01 01:00:00Z' AS leave", "x", "y", "1 AS n_points"
    ).write.parquet(str(folder / "stops"))  # fmt: skip
    cells = [(0, uid, [7, 8] if uid <= 2 else [7], [1, 1]) for uid in range(1, 7)]
    spark.createDataFrame(
        cells, "zoning_id int, uid bigint, cells array<bigint>, days array<int>"
    ).write.parquet(str(folder / "cellsets"))
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [SQUARE]}}
    (folder / "zone.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    return folder


def by_polygon(folder: Path) -> MovementGroup:
    return MovementGroup(uid="uid", stops=str(folder / "stops"), polygons=str(folder / "zone.geojson"))


def by_cells(folder: Path, zoning: int = 0) -> MovementGroup:
    return MovementGroup(uid="uid", cellsets=str(folder / "cellsets"), zoning_id=zoning, cells=[7, 8])


def test_inside_is_who_has_a_stop_in_the_polygon(spark: SparkSession, run_folder: Path) -> None:
    found = {row["uid"]: row["group"] for row in membership(spark, by_polygon(run_folder)).collect()}
    assert found == {uid: "inside" if uid <= 3 else "outside" for uid in range(1, 7)}


def test_inside_is_whose_cellset_holds_all_cells(spark: SparkSession, run_folder: Path) -> None:
    found = {row["uid"]: row["group"] for row in membership(spark, by_cells(run_folder)).collect()}
    assert found == {uid: "inside" if uid <= 2 else "outside" for uid in range(1, 7)}


def test_wrong_tables_are_refused(spark: SparkSession, run_folder: Path) -> None:
    with pytest.raises(EmptyTableError, match="no zoning 5"):
        membership(spark, by_cells(run_folder, 5))
    wrong = MovementGroup(uid="uid", cellsets=str(run_folder / "stops"), zoning_id=0, cells=[7])
    with pytest.raises(MissingColumnsError, match="no column zoning_id"):
        membership(spark, wrong)


def test_an_audit_by_movement(spark: SparkSession, run_folder: Path) -> None:
    """Person 9 never moved: no group, counted."""
    rows = [(str(uid), float(uid), 1.0) for uid in (1, 2, 3, 4, 5, 6, 9)]
    frame = spark.createDataFrame(rows, "person string, prediction double, truth double")
    movement = by_polygon(run_folder).model_dump() | {"uid": "person"}
    config = {
        "prediction": "prediction",
        "truth": "truth",
        "groups": [{"name": "downtown", "movement": movement}],
        "bootstrap_draws": 20,
    }
    audit = error_parity(frame, config)
    assert audit.groups is not None
    assert {row["group"]: row["n"] for row in audit.groups.collect()} == {"inside": 3, "outside": 3, None: 6}
    assert [tuple(row)[:3] for row in audit.rejects.collect()] == [("downtown", "null_group", 1)]
