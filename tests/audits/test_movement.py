"""The Python API: DataFrames or paths, a session that is left as it was, a frozen answer."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from movfair_spark import Audit, audit
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build
from movfair_spark.errors import ConfigurationError
from tests.cli import tiny

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.sql.session.timeZone": "Europe/Rome",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "false",
    "spark.sql.shuffle.partitions": "3",
}
CONFIG = {key: value for key, value in tiny.SECTION.items() if key != "partitions"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny")
    tiny.write(path)
    return path


@pytest.fixture(scope="module")
def from_paths(spark: SparkSession, folder: Path) -> Audit:
    return audit(folder / "points.csv", folder / "labels.csv", tiny.SECTION, output=folder / "run")


@pytest.fixture(scope="module")
def from_frames(spark: SparkSession, folder: Path) -> Iterator[tuple[Audit, dict[str, str]]]:
    """The same from DataFrames, in a session in another time zone and ANSI mode, with other partitions."""
    points = spark.read.csv(str(folder / "points.csv"), header=True, inferSchema=True)
    labels = spark.read.csv(str(folder / "labels.csv"), header=True, inferSchema=True)
    before = {key: spark.conf.get(key) for key in SETTINGS}
    for key, value in SETTINGS.items():
        spark.conf.set(key, value)
    try:
        config = build(AuditConfig, {**CONFIG, "partitions": 5})
        answer = audit(points.repartition(3), labels, config)
        yield answer, {key: str(spark.conf.get(key)) for key in SETTINGS}
    finally:
        for key, text in before.items():
            spark.conf.set(key, text)


def _bits(answer: Audit) -> list[Any]:
    assert answer.evidence is not None
    rows = answer.evidence.orderBy("rank").drop("geometry").collect()
    return [_exact(row.asDict(recursive=True)) for row in rows]


def _exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    return struct.pack("<d", value) if isinstance(value, float) else value


def test_the_planted_difference_is_found(from_paths: Audit) -> None:
    assert from_paths.verdict is not None
    assert from_paths.verdict.significant
    assert from_paths.verdict.data["p_value"] == 1 / 200
    best = from_paths.evidence.orderBy("rank").first()
    assert (best.n, best.detail.observed, best.direction) == (16, 16, "high")


def test_the_answer_is_frozen(from_paths: Audit) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        from_paths.verdict = None  # type: ignore[misc]


def test_dataframes_give_the_same_bits(from_paths: Audit, from_frames: tuple[Audit, dict[str, str]]) -> None:
    answer, _ = from_frames
    assert _bits(answer) == _bits(from_paths)
    assert answer.verdict.text == from_paths.verdict.text


def test_a_given_session_keeps_its_settings(from_frames: tuple[Audit, dict[str, str]]) -> None:
    assert from_frames[1] == SETTINGS


def test_dataframes_have_no_key_and_the_manifest_says_so(from_frames: tuple[Audit, dict[str, str]]) -> None:
    manifest = from_frames[0].manifest
    assert [step["key"] for step in manifest["steps"]] == [None] * 6
    assert any("DataFrames" in notice for notice in manifest["notices"])


def test_without_output_a_temporary_folder_goes_with_the_answer(
    from_frames: tuple[Audit, dict[str, str]],
) -> None:
    folder = Path(from_frames[0].output.removeprefix("file:").replace("//", "/"))
    assert (folder / "manifest.json").exists()


def test_tables_are_readable(from_paths: Audit) -> None:
    assert from_paths.null_distribution.count() == 199
    assert from_paths.cellsets.where("zoning_id = 0").count() == tiny.PEOPLE
    assert set(from_paths.tables) >= {"stops", "zonings", "cellsets", "rejects", "evidence_objects"}
    members = from_paths.tables["evidence_objects"].where("p_value = 0.005").count()
    assert members >= 16


def test_missing_inputs_are_named(spark: SparkSession) -> None:
    with pytest.raises(ConfigurationError, match="input.path and labels.path are missing"):
        audit(None, None, {}, spark=spark)
    with pytest.raises(ConfigurationError, match="labels.path is missing"):
        audit("points.csv", None, {}, spark=spark)


def test_a_mapping_is_validated_like_a_file(spark: SparkSession) -> None:
    with pytest.raises(ConfigurationError, match="Did you mean 'alpha'"):
        audit(None, None, {"scan": {"alhpa": 0.1}}, spark=spark)
