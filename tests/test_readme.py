"""What the README shows is run: configuration, commands and Python, on a small city."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build, parse
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The README's code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """Every command line of the README, comments and continuations resolved."""
    text = "\n".join(blocks("bash")).replace("\\\n", " ")
    return [words for line in text.splitlines() if (words := shlex.split(line, comments=True))]


@pytest.fixture(scope="module")
def folder(spark, tmp_path_factory) -> Path:
    """A folder with the README's inputs and its configuration."""
    folder = tmp_path_factory.mktemp("readme")
    people = spark.range(60).selectExpr("id AS user", "id < 25 AS meets")
    hours = spark.range(48).selectExpr("id AS hour")
    slots = spark.range(2).withColumnRenamed("id", "slot")
    fixes = (
        people.crossJoin(hours)
        .crossJoin(slots)
        .selectExpr(
            "user",
            "timestamp_seconds(1717405200 + hour * 3600 + 600 * slot) AS ts",
            "12.4924 + 0.01 * IF(hour % 24 BETWEEN 9 AND 16, IF(meets, 0, 2 + user % 4), 7 + user % 10) AS lon",
            "41.8902 + 0.01 * IF(hour % 24 BETWEEN 9 AND 16, 0, user % 6) AS lat",
        )
    )
    fixes.write.parquet(str(folder / "points.parquet"))
    people.selectExpr("user", "CAST(NOT meets AS int) AS approved").write.parquet(
        str(folder / "labels.parquet")
    )
    loans = [f"{12 + i % 10 / 10},{41 + i % 7 / 10},{i % 2}" for i in range(60)]
    (folder / "loans.csv").write_text("\n".join(["lon,lat,approved", *loans]), encoding="utf-8")
    predictions = [f"{i * 7 % 31},{i * 5 % 29},{'ab'[i % 2]}" for i in range(60)]
    (folder / "predictions.csv").write_text(
        "\n".join(["prediction,truth,group", *predictions]), encoding="utf-8"
    )
    (folder / "audit.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    return folder


@pytest.mark.parametrize("text", blocks("yaml"))
def test_configurations_are_valid(text):
    build(AuditConfig, parse(text, "README.md"))


def test_make_targets_exist():
    targets = set(
        re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    wanted = {word for words in commands() if words[0] == "make" for word in words[1:] if "=" not in word}
    assert wanted and wanted <= targets


def test_files_that_are_named_exist():
    links = re.findall(r"\]\(([^)#]+)\)", README) + re.findall(
        r"`((?:conf|docs|notebooks|jobs|docker)/[^`*]*)`", README
    )
    assert [path for path in links if not (ROOT / path).exists()] == []


def test_movfair_commands_answer(folder, monkeypatch, capsys):
    from movfair_spark.cli.main import main

    monkeypatch.chdir(folder)
    wanted = [words[1:] for words in commands() if words[0] == "movfair"]
    assert wanted
    for words in wanted:
        assert main(words) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.startswith("UNFAIR")


@pytest.mark.parametrize("text", blocks("python"))
def test_python_runs(text, folder, spark, capsys):
    # Spark resolves relative paths in the JVM's working folder, which a test cannot change.
    text = text.replace('parquet("', f'parquet("{folder}/')
    exec(compile(text, "README.md", "exec"), {"spark": spark})
    assert "UNFAIR" in capsys.readouterr().out
