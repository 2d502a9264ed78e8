"""The main job on real input, from its files to evidence, with outcomes that the test plants."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import geopandas as gpd
import pandas as pd
from shapely.geometry import Point

from movfair_spark.cli.main import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SQUARE = 0.0003
# Fewer simulations than the configurations ask for: the planted difference is far above chance.
QUICK = ["--set", "scan.n_simulations=199", "--set", "report.map=false", "--set", "partitions=2"]


def _labels(folder: Path, ids: list, inside: Callable[[object], bool], *, outside: int = 1) -> Path:
    """Nobody inside the pattern has the positive outcome, one of ``outside`` people outside has."""
    path = folder / "labels.csv"
    outcome = [int(not inside(uid) and position % outside == 0) for position, uid in enumerate(sorted(ids))]
    pd.DataFrame({"uid": sorted(ids), "outcome": outcome}).to_csv(path, index=False)
    return path


def _audit(configuration: str, path: Path, labels: Path, output: Path) -> dict:
    sources = ["--set", f"input.path={path}", "--set", f"labels.path={labels}"]
    assert main(["audit", "--config", configuration, "--output", str(output), *sources, *QUICK]) == 0
    return json.loads((output / "manifest.json").read_text())


def test_check_ins_of_the_simulator(spark: SparkSession, shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "pol_atlanta" / "Checkin.tsv.gz"
    visits = pd.read_csv(path, sep="\t")
    venue = 1771
    guests = set(visits[visits.VenueId == venue].UserId)
    assert len(guests) == 215
    labels = _labels(tmp_path, list(visits.UserId.unique()), guests.__contains__, outside=2)
    manifest = _audit("pol_atlanta.yaml", path, labels, tmp_path / "run")
    points = manifest["rows"]["points"]
    assert points["read"] == len(visits) == 38_097
    assert points["kept"] + points["duplicate"] == 38_097
    assert manifest["rows"]["people"]["tested"] == 1_000
    assert manifest["verdict"]["significant"]
    assert manifest["verdict"]["p_value"] == 1 / 200
    evidence = gpd.read_parquet(tmp_path / "run" / "evidence.parquet").sort_values("rank")
    best = evidence.iloc[0]
    assert best.direction == "low"
    assert evidence.crs.to_epsg() == 26916
    at = visits[visits.VenueId == venue].iloc[0]
    assert best.geometry.covers(Point(at.X, at.Y))
    west, south, east, north = evidence.to_crs(4326).total_bounds
    assert -84.42 < west < east < -84.36
    assert 33.72 < south < north < 33.77


def test_pings_of_a_town(spark: SparkSession, shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "garden_city" / "single_parquet_part-0.parquet"
    pings = pd.read_parquet(path)
    # People who have a certain square of 33 m x 27 m among the eight where they are on most days.
    row, column = 122_233, -127_728
    pings["row"], pings["column"] = pings.latitude // SQUARE, pings.longitude // SQUARE
    pings["day"] = (pings.timestamp - 4 * 3600) // 86_400
    often = (
        pings.groupby(["uid", "row", "column"]).day.agg(["nunique", "size"]).query("size >= 10").reset_index()
    )
    often = (
        often.sort_values(["uid", "nunique", "size"], ascending=[True, False, False]).groupby("uid").head(8)
    )
    chosen = set(often[(often.row == row) & (often.column == column)].uid)
    assert len(chosen) == 27
    labels = _labels(tmp_path, list(pings.uid.unique()), chosen.__contains__)
    manifest = _audit("garden_city.yaml", path, labels, tmp_path / "run")
    assert manifest["rows"]["points"]["read"] == len(pings) == 114_526
    assert manifest["rows"]["people"]["labels"] == 100
    assert manifest["verdict"]["significant"]
    evidence = gpd.read_parquet(tmp_path / "run" / "evidence.parquet").sort_values("rank")
    assert evidence.iloc[0].direction == "low"
    middle = gpd.GeoSeries([Point((column + 0.5) * SQUARE, (row + 0.5) * SQUARE)], crs=4326).to_crs(
        evidence.crs
    )
    assert (evidence.geometry.distance(middle.iloc[0]) < 30).any()
    west, south, east, north = evidence.to_crs(4326).total_bounds
    assert pings.longitude.min() - 0.001 < west < east < pings.longitude.max() + 0.001
    assert pings.latitude.min() - 0.001 < south < north < pings.latitude.max() + 0.001
