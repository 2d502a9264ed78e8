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


def test_aggregates_skip_a_missing_geometry(spark):
    """apache/sedona #2565: one row without a geometry must not end the aggregate of all others."""
    rows = "VALUES (ST_Point(0, 0)), (CAST(NULL AS GEOMETRY)), (ST_Point(2, 1)) AS t(g)"
    box = spark.sql(f"SELECT ST_AsText(ST_Envelope_Aggr(g)) FROM {rows}").first()[0]
    assert box == "POLYGON ((0 0, 0 1, 2 1, 2 0, 0 0))"
