"""What a report may show: no small groups, no small complements, the best by rank, and a count of the rest."""

from __future__ import annotations

import pytest

from movfair_spark.config.report import ReportConfig
from movfair_spark.report.report import report
from movfair_spark.report.shown import shown
from movfair_spark.stages.evidence_geometry import with_geometry
from tests.report.evidence import UTM, figures
from tests.report.evidence_table import four_rows, layers


@pytest.fixture(scope="module")
def table(spark):
    frame = with_geometry(four_rows(spark), layers()).cache()
    yield frame
    frame.unpersist()


def test_small_groups_and_their_complements_are_not_shown(table):
    """Rows 1 (3 people) and 3 (998 of 1,000: 2 outside) are too small for the limit of 5."""
    rows = shown(table, UTM, 1000, ReportConfig())
    assert [row.rank for row in rows.rows] == [2, 4]
    assert (rows.total, rows.small, rows.beyond) == (4, 2, 0)


def test_best_rows_up_to_the_limit(table):
    best = shown(table, UTM, 1000, ReportConfig(max_features=1))
    assert [row.rank for row in best.rows] == [2]
    assert (best.small, best.beyond) == (2, 1)


def test_report_is_made_from_the_table(table):
    box = (739000.0, 3735000.0, 744000.0, 3740000.0)
    made = report(table, figures(), layers(), UTM, box, ReportConfig())
    assert made.verdict.significant
    assert "20 people who share 3 places" in made.verdict.text
    assert made.geojson.count('"Feature"') == 2
    assert made.map_png is not None and made.map_png.startswith(b"\x89PNG")


def test_no_map_when_none_is_wanted(table):
    box = (739000.0, 3735000.0, 744000.0, 3740000.0)
    assert report(table, figures(), layers(), UTM, box, ReportConfig(map=False)).map_png is None
