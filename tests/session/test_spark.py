from __future__ import annotations

import pytest

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session.spark import require_sedona


class WithoutSedona:
    """Answers as a session does that was started without Sedona's extension."""

    def sql(self, query):
        raise RuntimeError("[UNRESOLVED_ROUTINE] Cannot resolve function `ST_Point`")


def test_a_session_with_sedona_passes(spark):
    require_sedona(spark)


def test_a_session_without_sedona_is_refused_with_the_remedy():
    """apache/sedona #2521, #2472, #2397: on a Spark of another vendor the extension fails without a word of its own."""
    with pytest.raises(EnvironmentProblem, match="movfair spark-args"):
        require_sedona(WithoutSedona())


def test_the_session_is_in_utc(spark):
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
