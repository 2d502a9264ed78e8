"""Keys of steps and of inputs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from movfair_spark.errors import InputError
from movfair_spark.runs.keys import canonical, fingerprint, step_key
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_a_key_is_a_sha_256_that_other_processes_find_again() -> None:
    assert step_key("stops", 1, {"radius_m": 50.0}, ["a"]) == (
        "240a319edad228bf118041797f2509f42a83af34f17d75d59d5db6183cd7009e"
    )


def test_the_order_of_parameters_does_not_matter() -> None:
    assert step_key("s", 1, {"a": 1, "b": 2}, []) == step_key("s", 1, {"b": 2, "a": 1}, [])


@pytest.mark.parametrize(
    "other",
    [
        ("stop", 1, {"a": 1}, ["x", "y"]),
        ("stops", 2, {"a": 1}, ["x", "y"]),
        ("stops", 1, {"a": 2}, ["x", "y"]),
        ("stops", 1, {"a": 1}, ["y", "x"]),
    ],
)
def test_name_version_parameters_and_inputs_all_count(other: tuple) -> None:
    assert step_key(*other) != step_key("stops", 1, {"a": 1}, ["x", "y"])


def test_an_input_without_a_key_gives_a_step_without_one() -> None:
    assert step_key("stops", 1, {}, ["x", None]) is None


def test_nan_has_no_spelling() -> None:
    with pytest.raises(ValueError, match="NaN|nan|Out of range"):
        canonical({"x": float("nan")})


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "points"
    (folder / "day=1").mkdir(parents=True)
    (folder / "day=1" / "a.csv").write_text("1")
    (folder / "b.csv").write_text("22")
    (folder / "_SUCCESS").write_text("")
    (folder / ".b.csv.crc").write_text("x")
    return folder


def test_a_folder_is_its_visible_files(spark: SparkSession, tmp_path: Path) -> None:
    found = fingerprint(FileSystem(spark), str(_folder(tmp_path)))
    assert (found.files, found.size) == (2, 3)


def test_a_new_modification_time_is_a_new_key(spark: SparkSession, tmp_path: Path) -> None:
    folder, files = _folder(tmp_path), FileSystem(spark)
    before = fingerprint(files, str(folder)).key
    assert fingerprint(files, str(folder)).key == before
    os.utime(folder / "b.csv", (1_700_000_000, 1_700_000_000))
    assert fingerprint(files, str(folder)).key != before


def test_by_content_a_new_modification_time_changes_nothing(spark: SparkSession, tmp_path: Path) -> None:
    folder, files = _folder(tmp_path), FileSystem(spark)
    before = fingerprint(files, str(folder), content=True).key
    os.utime(folder / "b.csv", (1_700_000_000, 1_700_000_000))
    assert fingerprint(files, str(folder), content=True).key == before
    (folder / "b.csv").write_text("23")
    assert fingerprint(files, str(folder), content=True).key != before


def test_overlapping_globs_count_a_file_once(spark: SparkSession, tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    found = fingerprint(FileSystem(spark), [f"{folder}/*.csv", f"{folder}/b*"])
    assert found.files == 1


def test_a_path_that_names_nothing_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        fingerprint(FileSystem(spark), str(tmp_path / "nowhere"))
