"""Inputs that are too small or too equal to say anything, through the command: a documented end for each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from movfair_spark.cli.main import main
from tests.cli import tiny

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEADER = "uid,outcome"
ALL = [f"{uid},{uid % 2}" for uid in range(tiny.PEOPLE)]


def _audit(folder: Path, *, labels: list[str] | None = None, points: list[str] | None = None) -> int:
    config = tiny.write(folder)
    if labels is not None:
        (folder / "labels.csv").write_text("\n".join([HEADER, *labels]) + "\n")
    if points is not None:
        (folder / "points.csv").write_text("\n".join(["uid,time,x,y", *points]) + "\n")
    return main(["audit", "--config", str(config), "--output", str(folder / "run")])


ONE = [f"0,{1_704_100_000 + 300 * k},1000,2000" for k in range(4)]


@pytest.mark.parametrize(
    ("labels", "points", "told"),
    [
        ([], None, "no rows"),  # labels of 0 people
        ([f"{uid + 1_000},{uid % 2}" for uid in range(9)], None, "labels find their person"),
        (["0,1"], ONE, "1 objects are in the test"),  # one person, one stop
        (ALL, ["0,1704100000,1000,2000", "0,1704100060,9000,9000"], "no person has a stop"),  # no stop at all
    ],
    ids=["labels of nobody", "labels of strangers", "one person", "no stop"],
)
def test_too_little_is_one_line_and_exit_code_2(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], labels, points, told
) -> None:
    assert _audit(tmp_path, labels=labels, points=points) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert "Traceback" not in err


def test_one_stop_among_people_with_labels_is_too_little(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _audit(tmp_path, labels=["0,1", "1,0"], points=ONE) == 2
    assert "1 objects are in the test" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["0", "1"])
def test_equal_labels_are_nothing_to_test(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    assert _audit(tmp_path, labels=[f"{uid},{value}" for uid in range(tiny.PEOPLE)]) == 0
    assert capsys.readouterr().out.startswith("NOTHING TO TEST")
