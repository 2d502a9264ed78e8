from __future__ import annotations

import pytest

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session.versions import LINES, line_of


def test_a_patch_version_finds_its_line():
    assert line_of("3.5.9") is LINES["3.5"]


def test_a_version_outside_the_table_is_refused_with_the_verified_ones():
    with pytest.raises(
        EnvironmentProblem, match=r"Spark 4\.3\.0 has no verified Sedona jars \(verified: 3\.5, 4\.0\)"
    ):
        line_of("4.3.0")


def test_every_jar_has_a_sha256():
    assert all(len(jar.sha256) == 64 for line in LINES.values() for jar in line.jars)
