from __future__ import annotations

import hashlib

import pytest

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session import jars
from movfair_spark.session.versions import Jar, SparkLine

CONTENT = b"not really a jar"
JAR = Jar("org.example", "thing", "1.0", hashlib.sha256(CONTENT).hexdigest())
LINE = SparkLine(spark="3.5", java=(11, 17), jars=(JAR,), bundled_java=True)


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("MOVFAIR_JARS", str(tmp_path))
    return tmp_path


def test_a_jar_copied_by_hand_is_used_as_it_is(folder):
    (folder / "thing-1.0.jar").write_bytes(CONTENT)
    assert jars.fetch(LINE) == [folder / "thing-1.0.jar"]


def test_a_jar_with_another_content_is_refused(folder):
    (folder / "thing-1.0.jar").write_bytes(b"something else")
    with pytest.raises(EnvironmentProblem, match=r"SHA-256 .* expected"):
        jars.fetch(LINE)


def test_missing_jars_are_named_with_their_folder_and_the_remedy(folder):
    with pytest.raises(EnvironmentProblem, match=r"thing-1\.0\.jar.*make setup.*MOVFAIR_JARS"):
        jars.paths(LINE)


def test_a_jar_that_no_repository_has_is_one_error_with_the_remedy(folder):
    with pytest.raises(
        EnvironmentProblem, match=r"org\.example:thing:1\.0 cannot be had: .*copy thing-1\.0\.jar"
    ):
        jars.fetch(LINE)
    assert not list(folder.glob("*.jar"))
