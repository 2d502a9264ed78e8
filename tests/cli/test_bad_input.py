"""Bad files and rows through the command: the same cases as the readers', in one session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
import yaml

from movfair_spark.cli.main import main
from tests.bad_input import CASES, Case, write_good

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Fixes of the good rows are minutes apart and up to a kilometre from each other: one stop per person.
SETTINGS = {
    "time_zone": "UTC",
    "stops": {"radius_m": 5_000.0},
    "zonings": {"layers": [{"kind": "square", "size_m": [1_000.0], "shifts": 1}]},
    "partitions": 1,
}


def _arguments(case: Case, folder: Path) -> list[str]:
    write_good(folder)
    (folder / ("points.csv" if case.table == "input" else "labels.csv")).unlink()
    case.write(folder)
    content = {
        **SETTINGS,
        "input": {"path": str(folder / "points.csv")},
        "labels": {"path": str(folder / "labels.csv")},
        case.table: case.section(folder),
        "scan": dict(case.scan),
    }
    (folder / "audit.yaml").write_text(yaml.safe_dump(content))
    until = "population" if case.table == "labels" else "stops"
    return [
        "audit",
        "--config",
        str(folder / "audit.yaml"),
        "--output",
        str(folder / "run"),
        "--until",
        until,
    ]


@pytest.mark.parametrize("case", [case for case in CASES if case.error], ids=lambda case: case.name)
def test_a_bad_input_is_one_line_and_exit_code_2(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Case
) -> None:
    assert main(_arguments(case, tmp_path)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert case.says in err
    assert [line for line in err.splitlines() if line.startswith("movfair: ")] == err.splitlines()[-1:]
    assert "Traceback" not in err
    assert not (tmp_path / "run" / "stops").exists()


# Labels of people who are in no trajectory end as an error of their own, whatever their rows hold.
ACCEPTED = [case for case in CASES if not case.error and (case.table == "input" or case.name == "bad labels")]


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_bad_rows_are_counted_and_explained(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Case
) -> None:
    assert main(_arguments(case, tmp_path)) == 0, capsys.readouterr().err
    rows = pq.read_table(tmp_path / "run" / "rejects").to_pylist()
    # Conflicts between rows show in the pass behind the reader.
    single = [row for row in rows if row["reason"] != "conflicting_position"]
    assert {row["reason"]: row["rows"] for row in single} == dict(case.rejects)
    assert all(row["example"] for row in single)
