from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from movfair_spark.cli.main import main
from tests.audits.test_spatial import people


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("input") / "points.csv"
    people().to_csv(path, index=False)
    return path


def smallest(table: Path, output: Path) -> list[str]:
    return ["spatial", "--set", f"input.path={table}", "--set", "input.crs=planar", "--set", "scan.n_simulations=99", "--output", str(output)]  # fmt: skip


def test_the_smallest_call(
    spark: SparkSession, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = ["--set", "regions=[{kind: grid, columns: 4, rows: 4}]", "--fail-on-evidence"]
    assert main([*smallest(table, tmp_path / "run"), *grid]) == 3
    assert capsys.readouterr().out.startswith("UNFAIR by statistical parity")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["verdict"]["significant"] is True
    assert {"evidence.parquet", "meanvar", "map.png", "verdict.txt"} <= set(manifest["published"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--set", "scan.alhpa=0.05"], "Did you mean 'alpha'?"),
        (["--set", "regions=[{kind: grid, colums: 4, rows: 4}]"], "Did you mean 'columns'?"),
        (["--set", "input.path=/nowhere.csv"], "/nowhere.csv"),
        (["--set", "input.columns.outcome=label"], "no column 'label'"),
    ],
)
def test_a_users_mistake_is_one_line_and_exit_code_2(
    spark: SparkSession,
    table: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: list[str],
    words: str,
) -> None:
    assert main([*smallest(table, tmp_path / "run"), *change]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert "Traceback" not in captured.err
