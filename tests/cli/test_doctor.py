"""``movfair doctor``: every failure comes with its remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from movfair_spark.cli import checks
from movfair_spark.cli.main import main
from movfair_spark.errors import EnvironmentProblem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_all_is_well_here(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--output", str(tmp_path / "out")]) == 0
    found = {item["check"]: item["state"] for item in json.loads(capsys.readouterr().out)}
    assert set(found) == {"python", "spark", "sedona", "executors", "workers", "output", "memory"}
    assert "failure" not in found.values()
    assert not (tmp_path / "out").exists()


def test_an_output_that_cannot_be_written_is_a_failure(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["doctor", "--output", str(tmp_path / "file")]) == 2
    told = capsys.readouterr().out
    assert "FAIL  output" in told
    assert "1 of 7 checks failed" in told


def test_a_known_problem_keeps_its_remedy() -> None:
    def ask() -> checks.Finding:
        raise EnvironmentProblem("Java 8 is too old", "install Java 17")

    assert checks.of("java", ask) == checks.Finding("java", "failure", "Java 8 is too old", "Install Java 17")


def test_an_unknown_problem_is_a_finding_too() -> None:
    finding = checks.of("spark", lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    assert (finding.state, finding.found) == ("failure", "division by zero")


def test_without_java_it_stops_before_spark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from movfair_spark.cli import sessions

    def no_java() -> checks.Finding:
        raise EnvironmentProblem(
            "Spark 3.5 needs Java 11 or 17: none", "install Java 11 or 17 and set JAVA_HOME"
        )

    monkeypatch.setattr(sessions, "active", lambda: None)
    monkeypatch.setattr(checks, "java", no_java)
    assert main(["doctor"]) == 2
    assert "-> Install Java 11 or 17 and set JAVA_HOME" in capsys.readouterr().out
