"""The commands in one process: exit codes, what goes to stdout and what to stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from movfair_spark.cli.main import main
from tests.cli import tiny

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny")
    tiny.write(path)
    return path


@pytest.fixture(scope="module")
def run(spark: SparkSession, folder: Path) -> Path:
    assert main(["audit", "--config", str(folder / "audit.yaml"), "--output", str(folder / "run")]) == 0
    return folder / "run"


def _again(folder: Path, *arguments: str, command: str = "audit") -> int:
    return main(
        [command, "--config", str(folder / "audit.yaml"), "--output", str(folder / "run"), *arguments]
    )


def test_the_run_folder_holds_what_was_promised(run: Path) -> None:
    names = {path.name for path in run.iterdir()}
    assert names == {
        "stops",
        "labels",
        "rejects",
        "zonings",
        "cellsets",
        "null_distribution",
        "evidence.parquet",
        "evidence_objects",
        "manifest.json",
        "evidence.geojson",
        "verdict.txt",
        "steps",
    }
    assert (run / "evidence.parquet").is_file()


def test_stdout_carries_the_verdict_and_stderr_a_line_per_step(
    run: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _again(folder) == 0
    out, err = capsys.readouterr()
    assert out.startswith("UNFAIR")
    assert str(run) in out
    assert [line.split()[0] for line in err.splitlines()] == [
        "stops",
        "cellsets",
        "population",
        "null",
        "evidence",
        "report",
    ]
    assert err.count("found finished") == 6


def test_json_is_for_machines(run: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _again(folder, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"]["significant"] is True
    assert told["verdict"]["people"] == tiny.PEOPLE
    assert told["rows"]["points"]["read"] == tiny.PEOPLE * 16
    (null,) = told["verdict"]["nulls"]
    assert min(null["smallest_maximum"], null["observed_maximum"]) > (null["bound"] or 0.0)
    assert (null["support"] > 1, null["exact"], null["censored"]) == (null["bound"] is not None, True, 0)


def test_evidence_is_exit_code_3_when_asked(run: Path, folder: Path) -> None:
    assert _again(folder, "--fail-on-evidence") == 3


def test_without_evidence_the_exit_code_is_0_even_when_asked(run: Path, folder: Path) -> None:
    fair = folder / "fair"
    fair.mkdir()
    tiny.write(fair, outcome="fair")
    assert _again(folder, "--fail-on-evidence", "--set", f"labels.path={fair / 'labels.csv'}") == 0


def test_a_ceiling_that_ends_the_count_too_early_is_undecided(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(tiny.write(tmp_path, outcome="fair"))
    ceiling = ("--set", "scan.max_memberships=60")
    assert main(["audit", "--config", config, "--output", str(tmp_path / "run"), *ceiling]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("UNDECIDED:") and "(p >= 0.005)" in text
    assert (
        "scan.max_memberships = 60 stopped the count at patterns that 16 people share: a p-value that" in text
    )
    assert "Raise it, or raise scan.min_support." in text


def test_a_ceiling_that_may_hide_further_evidence_is_told(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(tiny.write(tmp_path))
    ceiling = ("--set", "scan.max_memberships=60")
    assert main(["audit", "--config", config, "--output", str(tmp_path / "run"), *ceiling]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("UNFAIR:") and "(p = 0.005" in text
    assert "at patterns that 16 people share: evidence that fewer people share may be missing." in text


def test_new_labels_do_not_redo_stops(run: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = folder / "other.csv"
    other.write_text((folder / "labels.csv").read_text().replace("39,0", "39,1").replace("\n0,1", "\n0,0"))
    assert _again(folder, "--set", f"labels.path={other}", "--until", "null") == 0
    lines = capsys.readouterr().err.splitlines()
    assert ["found finished" in line for line in lines] == [True, True, False, False]
    manifest = json.loads((folder / "run" / "manifest.json").read_text())
    # As many positive ones as before: the simulations are those of the first run.
    assert manifest["steps"][3]["facts"]["simulations_used_again"] == 199


def test_a_part_publishes_its_tables_only(
    spark: SparkSession, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["stops", "--config", str(folder / "audit.yaml"), "--output", str(tmp_path / "run")]
    assert main(arguments) == 0
    assert capsys.readouterr().out == ""
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        "stops",
        "rejects",
        "manifest.json",
        "steps",
    }


def test_strict_turns_a_reject_into_an_error(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny.write(tmp_path)
    with (tmp_path / "points.csv").open("a") as file:
        file.write("5,,1.0,2.0\n")
    arguments = ["stops", "--config", str(tmp_path / "audit.yaml"), "--output", str(tmp_path / "run")]
    assert main([*arguments, "--strict"]) == 2
    assert "null_time" in capsys.readouterr().err
    assert main(arguments) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--until", "stop"], "Did you mean 'stops'"),
        (["--from", "evidence", "--until", "stops"], "comes after"),
        (["--set", "labels.path=/nowhere/labels.csv"], "/nowhere/labels.csv does not exist"),
        (["--log-file", "x.log"], "--log-file"),
        (["--spark", "spark.executor.cores"], "no Spark setting"),
    ],
)
def test_mistakes(
    spark: SparkSession, folder: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _again(folder, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert "Traceback" not in err


def test_an_output_that_cannot_be_written(
    spark: SparkSession, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    arguments = ["audit", "--config", str(folder / "audit.yaml"), "--output", str(tmp_path / "file" / "run")]
    assert main(arguments) == 2
    assert "cannot create" in capsys.readouterr().err


def test_a_run_folder_in_use_is_refused(
    run: Path, folder: Path, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    from movfair_spark.runs.lock import RunLock
    from movfair_spark.session.filesystem import FileSystem

    with RunLock(FileSystem(spark), f"file://{run}", interval_s=0.2):
        assert _again(folder) == 2
    assert "another driver" in capsys.readouterr().err


def test_anything_else_is_exit_code_1(
    spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from movfair_spark.audits import movement

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by design")

    monkeypatch.setattr(movement, "audit", broken)
    assert _again(folder) == 1
    assert "unexpected error: ZeroDivisionError: by design" in capsys.readouterr().err


def test_the_manifest_is_strict_json_with_everything_in_it(run: Path) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    manifest = json.loads((run / "manifest.json").read_text(), parse_constant=refuse)
    assert manifest["configuration"]["scan"]["seed"] == 3
    assert manifest["seeds"] == {"scan.seed": 3}
    points = manifest["rows"]["points"]
    assert points["read"] == points["kept"] + points["duplicate"] + points["merged"] + sum(
        points["rejected"].values()
    )
    assert len(manifest["inputs"]["points"]["key"]) == 64
    assert {"movfair_spark", "spark", "numpy", "numba"} <= set(manifest["versions"])
    assert {"stops", "null"} <= set(manifest["memory"])
    assert all(step["seconds"] >= 0 for step in manifest["steps"])
