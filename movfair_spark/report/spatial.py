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
    "equal_odds": "equal odds",
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
        ``people, regions, layers, n_simulations, alpha, statistic, p_value, critical_value, significant, nothing_to_test,
        model, outcome, transform, notion, strata, direction, draw, meanvar`` (None without partitionings), and by model
        ``positives``, ``classes`` (name to people), or ``mean`` and ``largest_single``.
    rows : sequence of mapping
        Evidence by rank.
    least : int
        Groups of fewer people are counted, not described.
    """
    shown = [row for row in rows if row["n"] >= least]
    apart = [row for row in shown if row["non_overlapping"]]
    notion = _NOTIONS[figures["notion"]]
    if figures["strata"] is not None:
        notion += f" within {figures['strata']:,} strata"
    head = "UNFAIR" if figures["significant"] else "No evidence of unfairness"
    test = (
        f"{figures['people']:,} people, {_outcomes(figures)}; {figures['regions']:,} regions in "
        f"{figures['layers']:,} layers, {figures['n_simulations']:,} simulated worlds."
    )
    lines = [f"{head} by {notion}: do outcomes depend on where people are?", test]
    if figures["nothing_to_test"]:
        lines.append("Every person has the same outcome: nothing to test (p = 1).")
    elif figures["significant"]:
        lines.append(
            f"p = {figures['p_value']:.4g}; {len(rows):,} regions exceed {float(figures['critical_value']):.4g} "
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
            f"{float(figures['statistic']):.4g}) is no surprise when outcomes do not depend on location."
        )
    if figures.get("largest_single") is not None:
        lines.append(_single(figures))
    if figures["meanvar"] is not None:
        lines.append(f"MeanVar, to compare: {figures['meanvar']:.6g} (no level tells fair from unfair).")
    if len(shown) < len(rows):
        lines.append(f"{len(rows) - len(shown):,} regions of fewer than {least} people are not described.")
    data = {**figures, "evidence": len(rows), "not_described": len(rows) - len(shown)}
    return SpatialVerdict(bool(figures["significant"]), "\n".join(lines) + "\n", data)


def _outcomes(figures: Mapping[str, Any]) -> str:
    if figures["model"] == "normal":
        what = "prediction - truth" if figures["outcome"] == "residual" else "outcome"
        scores = ", tested by normal scores" if figures["transform"] == "normal_scores" else ""
        return f"mean {what} {figures['mean']:.4g}{scores}"
    if figures["model"] == "multinomial":
        people = figures["people"]
        return "outcomes " + ", ".join(f"{name} {n / people:.1%}" for name, n in figures["classes"].items())
    return f"{figures['positives'] / figures['people']:.1%} with a positive outcome"


def _single(figures: Mapping[str, Any]) -> str:
    text = f"The largest single value alone has statistic {float(figures['largest_single']):.4g}"
    if float(figures["largest_single"]) < float(figures["critical_value"]):
        return f"{text}, below the critical value."
    return (
        f"{text}, which reaches the critical value {float(figures['critical_value']):.4g}: outliers can hide every effect. "
        "Set scan.transform: normal_scores, or a larger scan.min_support."
    )


def _line(number: int, row: Mapping[str, Any]) -> str:
    return (
        f"  {number}. {row['layer']}: {row['name']}: {told(row)}; "
        f"statistic {row['statistic']:.6g}, p = {row['p_value']:.4g}"
    )


def told(row: Mapping[str, Any]) -> str:
    """Say how many people a region of the evidence has, what they have, and what others have or one expects of them."""
    return f"{row['n']:,} people, {_outcome_of(row)}"


def _outcome_of(row: Mapping[str, Any]) -> str:
    detail = row["detail"]
    if "mean_in" in detail:
        out = "" if detail["mean_out"] is None else f", elsewhere {detail['mean_out']:.4g}"
        return f"mean {detail['mean_in']:.4g}{out}"
    if row["model"] == "multinomial":
        several = "part_n" in detail
        pairs = (
            zip(detail["observed"], detail["expected"], strict=True)
            if several
            else [(detail["observed"], detail["expected"])]
        )
        texts = [
            ", ".join(f"{o:,} ({e:.1f} expected)" for o, e in zip(observed, expected, strict=True))
            for observed, expected in pairs
        ]
        return "per class " + "; ".join(texts)
    if "part_n" in detail:
        rates = zip(detail["part_n"], detail["rate_in"], detail["rate_out"], strict=True)
        return "by truth " + ", ".join(
            f"{_share(inside)} of {n:,} positive (elsewhere {_share(outside)})"
            for n, inside, outside in rates
        )
    out = "" if detail["rate_out"] is None else f", elsewhere {detail['rate_out']:.1%}"
    return f"{detail['rate_in']:.1%} positive{out}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


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
            "properties": json_number({name: value for name, value in row.items() if name != "geometry"}),
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
