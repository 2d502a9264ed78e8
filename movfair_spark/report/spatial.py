"""Verdict and GeoJSON of the audit of points, without small groups."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from movfair_spark.crs import CoordinateSystem
from movfair_spark.report.geojson import to_lonlat
from movfair_spark.report.shown import json_number

_NOTIONS = {
    "statistical_parity": "statistical parity",
    "equal_opportunity": "equal opportunity",
    "false_positive_parity": "false positive parity",
}
_LISTED = 5


@dataclass(frozen=True)
class SpatialVerdict:
    """The answer in words and in figures.

    Attributes
    ----------
    significant : bool
    text : str
    data : mapping
        Strict JSON values.
    """

    significant: bool
    text: str
    data: Mapping[str, Any]


def verdict(figures: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], least: int) -> SpatialVerdict:
    """Say it in words.

    Parameters
    ----------
    figures : mapping
        ``people, positives, regions, layers, n_simulations, alpha, statistic, p_value, critical_value, significant,
        nothing_to_test, notion, direction, draw, meanvar`` (None without partitionings).
    rows : sequence of mapping
        Evidence by rank.
    least : int
        Groups of fewer people are counted, not described.
    """
    shown = [row for row in rows if row["n"] >= least]
    apart = [row for row in shown if row["non_overlapping"]]
    people, positives = figures["people"], figures["positives"]
    rate = positives / people
    notion = _NOTIONS[figures["notion"]]
    head = "UNFAIR" if figures["significant"] else "No evidence of unfairness"
    test = (
        f"{people:,} people, {rate:.1%} with a positive outcome; {figures['regions']:,} regions in "
        f"{figures['layers']:,} layers, {figures['n_simulations']:,} simulated worlds."
    )
    lines = [f"{head} by {notion}: do outcomes depend on where people are?", test]
    if figures["nothing_to_test"]:
        lines.append("Every person has the same outcome: nothing to test (p = 1).")
    elif figures["significant"]:
        lines.append(
            f"p = {figures['p_value']:.4g}; {len(rows):,} regions exceed {figures['critical_value']:.4g} "
            f"(alpha = {figures['alpha']:g}); {sum(bool(r['non_overlapping']) for r in rows):,} of them do not overlap."
        )
        lines += [_line(number, row) for number, row in enumerate(apart[:_LISTED], 1)]
        lines.append(
            "Other regions may inherit a signal by overlap, or show its opposite by exclusion. The test says that "
            "outcomes depend on location; it does not say why, nor that it is illegitimate."
        )
    else:
        lines.append(
            f"p = {figures['p_value']:.4g}: a region as extreme as the best one (statistic "
            f"{figures['statistic']:.4g}) is no surprise when outcomes do not depend on location."
        )
    if figures["meanvar"] is not None:
        lines.append(f"MeanVar, to compare: {figures['meanvar']:.6g} (no level tells fair from unfair).")
    if len(shown) < len(rows):
        lines.append(f"{len(rows) - len(shown):,} regions of fewer than {least} people are not described.")
    data = {**figures, "evidence": len(rows), "not_described": len(rows) - len(shown)}
    return SpatialVerdict(bool(figures["significant"]), "\n".join(lines) + "\n", data)


def _line(number: int, row: Mapping[str, Any]) -> str:
    detail = row["detail"]
    out = "" if detail["rate_out"] is None else f", elsewhere {detail['rate_out']:.1%}"
    return (
        f"  {number}. {row['layer']}: {row['name']}: {row['n']:,} people, {detail['rate_in']:.1%} positive{out}; "
        f"statistic {row['statistic']:.6g}, p = {row['p_value']:.4g}"
    )


def regions_geojson(rows: Sequence[Mapping[str, Any]], crs: CoordinateSystem, least: int, most: int) -> str:
    """Write regions as a strict FeatureCollection in EPSG:4326 (``planar`` keeps its metres and says so).

    Parameters
    ----------
    rows : sequence of mapping
        With ``geometry`` (shapely) and ``n``; the other entries become properties.
    crs : CoordinateSystem
        Of the geometry.
    least, most : int
        Smaller groups and later rows are left out and counted.
    """
    large = [row for row in rows if row["n"] >= least]
    features = [
        {
            "type": "Feature",
            "geometry": json.loads(
                shapely.to_geojson(shapely.reverse(shapely.normalize(to_lonlat(row["geometry"], crs))))
            ),
            "properties": {name: _plain(value) for name, value in row.items() if name != "geometry"},
        }
        for row in large[:most]
    ]
    document = {
        "type": "FeatureCollection",
        "movfair": {
            "coordinates": "planar" if crs.is_planar else "EPSG:4326",
            "small_groups_left_out": len(rows) - len(large),
            "further_rows_left_out": max(0, len(large) - most),
        },
        "features": features,
    }
    return json.dumps(document, allow_nan=False, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return json_number(value) if isinstance(value, float) else value
