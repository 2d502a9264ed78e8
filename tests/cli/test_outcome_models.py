"""Classes and real outcomes from YAML to verdict, evidence and manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
import yaml

from movfair_spark.cli.main import main
from tests.cli import tiny

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MEETING = tiny.PEOPLE * 2 // 5


def audit(folder: Path, rows: list[str], **sections: Any) -> Path:
    """Run the tiny audit with another label table; give the run folder."""
    path = tiny.write(folder)
    (folder / "labels.csv").write_text("\n".join(rows) + "\n")
    content = yaml.safe_load(path.read_text())
    for name, section in sections.items():
        content[name] = {**content[name], **section}
    path.write_text(yaml.safe_dump(content))
    assert main(["audit", "--config", str(path), "--output", str(folder / "run")]) == 0
    return folder / "run"


def test_residuals_within_strata(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = ["uid,prediction,truth,region"]
    for uid in range(tiny.PEOPLE):
        error = (0.5 if uid < MEETING else -0.25) + (uid * 7 % 11) / 50
        labels.append(f"{uid},{100 + error + 40 * (uid % 2)},{100 + 40 * (uid % 2)},{'ns'[uid % 2]}")
    run = audit(
        tmp_path,
        labels,
        labels={"columns": {"outcome": "prediction", "stratum": "region"}},
        scan={"model": "normal", "outcome": "residual"},
    )
    told = " ".join(capsys.readouterr().out.split())
    assert told.startswith("UNFAIR")
    assert "mean residual (prediction - truth)" in told
    assert "compared within 2 strata" in told
    assert "16 people who share 1 place" in told
    assert "expected of their strata" in told
    assert "Largest single outcome: statistic" in told
    row = pq.read_table(run / "evidence.parquet").sort_by("rank").to_pylist()[0]
    assert (row["model"], row["n"], row["direction"]) == ("normal", MEETING, "high")
    assert row["detail"]["mean_in"] == pytest.approx(0.5 + sum(uid * 7 % 11 for uid in range(16)) / 50 / 16)
    answer = json.loads((run / "manifest.json").read_text())["verdict"]
    assert (answer["model"], answer["residual"], answer["strata"]) == ("normal", True, 2)


def test_equal_odds_of_classes(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = ["uid,outcome,truth"]
    for uid in range(tiny.PEOPLE):
        labels.append(f"{uid},{'low' if uid < MEETING else 'high'},{'high' if uid % 2 else 'low'}")
    run = audit(
        tmp_path,
        [*labels, "90,middle,low"],
        labels={"classes": ["low", "high"]},
        scan={"model": "multinomial", "notion": "equal_odds"},
    )
    told = " ".join(capsys.readouterr().out.split())
    assert "outcomes high 60.0%, low 40.0%" in told
    assert "equal odds" in told
    assert "truth high: 100.0% low, 40.0% expected; truth low: 100.0% low, 40.0% expected" in told
    row = pq.read_table(run / "evidence.parquet").sort_by("rank").to_pylist()[0]
    assert row["detail"]["observed"] == [[0, 8], [0, 8]]
    assert row["direction"] == "none"
    assert row["statistic"] == pytest.approx(sum(row["detail"]["part_statistic"]), rel=1e-12)
    rejects = pq.read_table(run / "rejects").to_pylist()
    assert [(r["reason"], r["rows"]) for r in rejects if r["source"] == "labels"] == [("bad_outcome", 1)]


def test_an_outlier_that_hides_everything_is_warned_of(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = ["uid,outcome"]
    for uid in range(tiny.PEOPLE):
        labels.append(f"{uid},{1e6 if uid == 39 else (uid < MEETING) + uid % 5 / 10}")
    audit(tmp_path, labels, scan={"model": "normal"})
    told = " ".join(capsys.readouterr().out.split())
    assert told.startswith("NO EVIDENCE")
    assert "Warning: one person alone reaches the critical value" in told
    assert "scan.transform: normal_scores" in told
    audit(tmp_path, labels, scan={"model": "normal", "transform": "normal_scores"})
    assert capsys.readouterr().out.startswith("UNFAIR")
