"""All that people get to see of an audit, from one look at the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import shapely

from movfair_spark.config.report import ReportConfig
from movfair_spark.crs import BBox, CoordinateSystem
from movfair_spark.report.geojson import evidence_geojson
from movfair_spark.report.map import evidence_map
from movfair_spark.report.shown import shown
from movfair_spark.report.verdict import MAX_PATTERNS, TestFigures, Verdict, verdict
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Report:
    """Verdict, ``evidence.geojson`` and ``map.png`` (None when the configuration wants none)."""

    verdict: Verdict
    geojson: str
    map_png: bytes | None


def report(
    evidence: DataFrame,
    figures: TestFigures,
    zonings: Sequence[Zoning],
    crs: CoordinateSystem,
    box: BBox,
    config: ReportConfig,
    *,
    background: Sequence[shapely.Geometry] = (),
    outlines: Sequence[tuple[str, shapely.Geometry]] = (),
    notes: Sequence[str] = (),
) -> Report:
    """Make the reports of an audit; groups under ``min_report_objects`` appear in none of them.

    Parameters
    ----------
    evidence : DataFrame
        Table ``evidence`` with its Sedona geometry in ``crs``.
    figures : TestFigures
    zonings : sequence of Zoning
    crs : CoordinateSystem
        System of the geometry.
    box : BBox
        Extent of the data in ``crs``.
    config : ReportConfig
    background, outlines : sequence
        See :func:`movfair_spark.report.map.evidence_map`.
    notes : sequence of str
        Further lines of the verdict.
    """
    rows = shown(evidence, crs, figures.people, config)
    apart = rows.apart(config.non_overlapping)
    words = verdict(figures, rows, zonings, apart=apart, apart_by=config.non_overlapping, notes=notes)
    image = None
    if config.map:
        title = (
            "Evidence of unfairness by movement pattern"
            if figures.significant
            else "No evidence of unfairness"
        )
        image = evidence_map(
            rows,
            box,
            title=title,
            subtitle=f"{figures.people:,} people, {figures.zonings:,} zonings, p = {figures.p_value:.3g}",
            background=background,
            numbered=apart[:MAX_PATTERNS],
            outlines=outlines,
        )
    return Report(words, evidence_geojson(rows, zonings), image)
