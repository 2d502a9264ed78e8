"""Published names are replaced together, and a crash in between is rolled forward."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from movfair_spark.errors import OutputError
from movfair_spark.runs.publish import publish, recover
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _table(folder: Path, text: str) -> str:
    folder.mkdir(parents=True)
    (folder / "part-0").write_text(text)
    return f"file://{folder}"


def _state(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_names_and_texts_appear_and_nothing_else(spark: SparkSession, tmp_path: Path) -> None:
    out = tmp_path / "out"
    source = _table(tmp_path / "steps" / "a", "1")
    publish(FileSystem(spark), f"file://{out}", {"stops": source}, {"manifest.json": "{}"})
    assert _state(out) == {"stops/part-0": "1", "manifest.json": "{}"}


def test_old_names_are_replaced_and_dropped_ones_go(spark: SparkSession, tmp_path: Path) -> None:
    out, files = tmp_path / "out", FileSystem(spark)
    first, second = _table(tmp_path / "s" / "a", "1"), _table(tmp_path / "s" / "b", "2")
    publish(files, f"file://{out}", {"stops": first, "evidence": first}, {"manifest.json": "1"})
    publish(files, f"file://{out}", {"stops": second}, {"manifest.json": "2"}, drop=["stops", "evidence"])
    assert _state(out) == {"stops/part-0": "2", "manifest.json": "2"}


def test_a_crash_before_the_journal_leaves_the_old_names(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, files = tmp_path / "out", FileSystem(spark)
    first, second = _table(tmp_path / "s" / "a", "1"), _table(tmp_path / "s" / "b", "2")
    publish(files, f"file://{out}", {"stops": first}, {"manifest.json": "1"})
    monkeypatch.setattr(files, "write", lambda *_: (_ for _ in ()).throw(OutputError("full")))
    with pytest.raises(OutputError):
        publish(files, f"file://{out}", {"stops": second}, {"manifest.json": "2"})
    recover(FileSystem(spark), f"file://{out}")
    assert _state(out) == {"stops/part-0": "1", "manifest.json": "1"}


def test_a_crash_between_two_names_is_rolled_forward(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, files = tmp_path / "out", FileSystem(spark)
    first, second = _table(tmp_path / "s" / "a", "1"), _table(tmp_path / "s" / "b", "2")
    names = ("stops", "cellsets")
    publish(files, f"file://{out}", dict.fromkeys(names, first), {"manifest.json": "1"})
    moved = []

    def rename_once(source: str, target: str) -> None:
        if moved:
            raise OutputError("gone")
        moved.append(target)
        FileSystem.rename(files, source, target)

    monkeypatch.setattr(files, "rename", rename_once)
    with pytest.raises(OutputError):
        publish(files, f"file://{out}", dict.fromkeys(names, second), {"manifest.json": "2"})
    assert json.loads((out / "manifest.json").read_text()) == 1
    recover(FileSystem(spark), f"file://{out}")
    assert _state(out) == {"stops/part-0": "2", "cellsets/part-0": "2", "manifest.json": "2"}
