from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from movfair_spark.cli.main import main
from tests.audits.test_error_parity import people


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("input") / "people.csv"
    people(200).to_csv(path, index=False)
    return path


def smallest(table: Path, output: Path) -> list[str]:
    return ["error-parity", "--set", f"input={table}", "--set", "prediction=prediction", "--set", "truth=truth", "--set", "groups=[group]", "--output", str(output)]  # fmt: skip


def test_the_smallest_call(
    spark: SparkSession, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(smallest(table, tmp_path / "run")) == 0
    assert capsys.readouterr().out.startswith("UNFAIR by error parity")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["verdict"]["significant"] is True
    assert manifest["configuration"]["pair_permutations"] == 100_000
    assert [step["reused"] for step in manifest["steps"]] == [False, False, False]
    assert (tmp_path / "run" / "error_pairs.csv").is_file()
    # Once more: finished steps are used again; evidence gives another exit code when asked for.
    assert main([*smallest(table, tmp_path / "run"), "--fail-on-evidence", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["verdict"]["significant"] is True
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert [step["reused"] for step in manifest["steps"]] == [True, True, True]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--set", "alhpa=0.05"], "Did you mean 'alpha'?"),
        (["--set", "groups=[sex]"], "no column 'sex'"),
        (["--set", "input=/nowhere.csv"], "/nowhere.csv"),
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


def test_an_output_is_needed(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(smallest(table, tmp_path)[:-2]) == 2
    assert "--output is missing" in capsys.readouterr().err
