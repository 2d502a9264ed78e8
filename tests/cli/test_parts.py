"""The commands for single steps, and simulate, each run once: exit code, tables, and the same answer as audit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from movfair_spark.cli.main import main
from tests.cli import tiny

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLES = {
    "cellsets": {"stops", "rejects", "zonings", "cellsets"},
    "scan": {
        "stops",
        "rejects",
        "zonings",
        "cellsets",
        "labels",
        "null_distribution",
        "evidence.parquet",
        "evidence_objects",
    },
    "candidates": {"candidates", "null_distribution"},
}


@pytest.mark.parametrize("command", TABLES)
def test_a_part_publishes_its_tables(spark: SparkSession, tmp_path: Path, command: str) -> None:
    config = tiny.write(tmp_path)
    assert main([command, "--config", str(config), "--output", str(tmp_path / "run")]) == 0
    assert {path.name for path in (tmp_path / "run").iterdir()} >= TABLES[command]
    if command == "candidates":
        rows = pq.read_table(tmp_path / "run" / "candidates").to_pylist()
        assert max(row["support"] for row in rows) >= 16


def test_points_are_kept_on_request(spark: SparkSession, tmp_path: Path) -> None:
    config = tiny.write(tmp_path)
    arguments = ["stops", "--config", str(config), "--output", str(tmp_path / "run")]
    assert main([*arguments, "--set", "keep_points=true"]) == 0
    assert pq.read_table(tmp_path / "run" / "points").num_rows == tiny.PEOPLE * 16


def test_the_embedded_city_from_simulate_to_a_verdict(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--config", "city.yaml", "--set", "city.people=300", "--set", "city.days=2"]
    small += ["--set", "city.pattern.people=60", "--set", "city.interval_seconds=600"]
    assert main(["simulate", *small, "--output", str(tmp_path / "city")]) == 0
    assert "300 people" in capsys.readouterr().out
    quick = ["--set", "scan.n_simulations=99", "--set", "partitions=2"]
    assert main(["audit", *small, *quick, "--output", str(tmp_path / "run")]) == 0
    told = capsys.readouterr().out
    assert "Planted: " in told
    assert f"Map:     {tmp_path / 'run'}/map.png" in told
    assert (tmp_path / "run" / "map.png").is_file()
