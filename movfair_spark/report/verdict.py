"""The verdict: unfair or not, how sure, where, and what the test does not say, in a screenful of text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import shapely

from movfair_spark.report import outcome_words as words
from movfair_spark.report.geojson import to_lonlat
from movfair_spark.report.shown import EvidenceRow, Shown, json_number
from movfair_spark.tables.zonings import Zoning

WIDTH = 100
MAX_PATTERNS = 3
_MAX_CELLS = 4


@dataclass(frozen=True)
class TestFigures:
    """What the test was and what it found, for the verdict.

    Attributes
    ----------
    people : int
        N.
    outcomes : OutcomeFigures
    zonings : int
        How many were tested together.
    n_simulations, alpha : int, float
    statistic, p_value : float
        Largest statistic over all candidates, and its Monte Carlo p-value; 0 and 1 when there is nothing to test.
    significant : bool
        Whether there is evidence at ``alpha``.
    exact : bool
        Whether the p-value is exact; a lower bound of it otherwise (``scan.max_memberships`` stopped the count).
    decided : bool
        Whether the count went far enough to say that there is evidence or that there is none.
    notion, direction, null : str
        As configured.
    """

    __test__ = False  # not a test class, whatever its name says to pytest

    people: int
    outcomes: words.OutcomeFigures
    zonings: int
    n_simulations: int
    alpha: float
    statistic: float
    p_value: float
    significant: bool
    exact: bool = True
    decided: bool = True
    notion: str = "statistical_parity"
    direction: str = "both"
    null: str = "all_zonings"


@dataclass(frozen=True)
class Verdict:
    """The answer of an audit.

    Attributes
    ----------
    significant : bool
    text : str
        For people.
    data : mapping
        For machines: strict JSON values (an infinite statistic is the text ``infinity``).
    """

    significant: bool
    text: str
    data: Mapping[str, Any]

    def __str__(self) -> str:
        return self.text

    def as_json(self) -> dict[str, Any]:
        """Give a copy of the data."""
        return dict(self.data)


def verdict(
    figures: TestFigures,
    shown: Shown,
    zonings: Sequence[Zoning],
    *,
    apart: Sequence[int] | None = None,
    apart_by: str = "objects",
    notes: Sequence[str] = (),
) -> Verdict:
    """Put the answer into words.

    Parameters
    ----------
    figures : TestFigures
    shown : Shown
        Evidence that may be shown; groups under its limit appear nowhere, not even their place.
    zonings : sequence of Zoning
    apart : sequence of int, optional
        Positions in ``shown.rows`` that do not overlap, best first; they are named first. All rows by rank when
        left out.
    apart_by : 'objects' or 'area'
        What the rows of ``apart`` do not share.
    notes : sequence of str
        Further lines at the end, such as where the files are.
    """
    by_id = {zoning.zoning_id: zoning for zoning in zonings}
    chosen = list(apart) if apart is not None else list(range(len(shown.rows)))
    patterns = [_pattern(shown.rows[k], by_id[shown.rows[k].zoning_id], shown) for k in chosen]
    lines = [*_headline(figures), "", *_tested(figures)]
    if figures.significant:
        lines += ["", *_evidence(figures, shown, patterns, apart_by)]
    lines += ["", *_meaning(figures)]
    if notes:
        lines += ["", *notes]
    data = {
        "significant": figures.significant,
        "decided": figures.decided,
        "p_value": json_number(figures.p_value),
        "exact": figures.exact,
        "statistic": json_number(figures.statistic),
        "alpha": figures.alpha,
        "n_simulations": figures.n_simulations,
        "people": figures.people,
        **{name: json_number(value) for name, value in asdict(figures.outcomes).items()},
        "zonings": figures.zonings,
        "notion": figures.notion,
        "direction": figures.direction,
        "null": figures.null,
        **shown.left_out(),
        "non_overlapping": apart_by if apart is not None else None,
        "patterns": patterns,
    }
    return Verdict(figures.significant, "\n".join(lines) + "\n", data)


def _headline(figures: TestFigures) -> list[str]:
    smallest = 1.0 / (figures.n_simulations + 1)
    if figures.outcomes.nothing:
        within = " as the others of their stratum" if figures.outcomes.strata is not None else ""
        return _wrap(
            f"NOTHING TO TEST: all people in the test have the same outcome{within}, so no pattern can differ (p = 1)."
        )
    p_value = f"p {'=' if figures.exact else '>='} {figures.p_value:.3g}"
    if figures.exact and figures.p_value <= smallest * (1 + 1e-9):
        p_value += f", the smallest that {figures.n_simulations:,} simulations can give"
    if figures.significant:
        return _wrap(f"UNFAIR: people with certain movement patterns get different outcomes ({p_value}).")
    if not figures.decided:
        return _wrap(
            f"UNDECIDED: scan.max_memberships stopped the count before it could be said whether p <= {figures.alpha:g} "
            f"({p_value})."
        )
    return _wrap(
        f"NO EVIDENCE of unfairness tied to where people move ({p_value}; evidence would need "
        f"p <= {figures.alpha:g})."
    )


def _tested(figures: TestFigures) -> list[str]:
    notion, whom = words.NOTIONS.get(figures.notion, (figures.notion, "people"))
    sides = words.sides(figures.outcomes.model, figures.direction)
    parts = [
        f"Tested: {figures.people:,} {whom}, {words.summary(figures.outcomes, figures.people)}",
        f"{figures.zonings:,} zonings",
        notion,
        *([sides] if sides else []),
        f"{figures.n_simulations:,} simulations",
        f"alpha {figures.alpha:g}.",
    ]
    return _wrap("; ".join(parts), hang=8)


def _evidence(
    figures: TestFigures, shown: Shown, patterns: Sequence[Mapping[str, Any]], apart_by: str
) -> list[str]:
    lines = _wrap(f"Evidence: {shown.total:,} patterns{_left_out(shown)}.", hang=10)
    if not patterns:
        return lines
    several = "no person in common" if apart_by == "objects" else "no area in common"
    title = "Strongest:" if len(patterns) == 1 else f"Strongest, with {several}:"
    lines.append(title)
    for position, pattern in enumerate(patterns[:MAX_PATTERNS], start=1):
        differ = words.difference(pattern, figures.outcomes)
        cells = "1 place" if pattern["n_cells"] == 1 else f"{pattern['n_cells']} places"
        lines += _wrap(
            f"{position}. {pattern['people']:,} people who share {cells} ({pattern['cell_kind']}){': ' * bool(differ)}{differ} "
            f"(p = {pattern['p_value']:.3g})",
            indent=2,
            hang=5,
        )
        lines += _wrap("at " + _places(pattern), indent=5, hang=5)
    if len(patterns) > MAX_PATTERNS:
        lines.append(f"  and {len(patterns) - MAX_PATTERNS:,} more, see evidence.geojson and the map")
    return lines


def _left_out(shown: Shown) -> str:
    parts = []
    if shown.small:
        parts.append(f"{shown.small:,} of groups under {shown.min_report_objects} people not shown")
    if shown.beyond:
        parts.append(f"{shown.beyond:,} beyond the best {shown.max_features:,} not shown")
    return f" ({'; '.join(parts)})" if parts else ""


def _places(pattern: Mapping[str, Any]) -> str:
    unit = "x {0:.0f} y {1:.0f} m" if pattern["coordinates"] == "planar" else "lon {0:.5f} lat {1:.5f}"
    places = [unit.format(*place) for place in pattern["places"][:_MAX_CELLS]]
    more = len(pattern["places"]) - _MAX_CELLS
    return "; ".join(places) + (f"; and {more} more" if more > 0 else "")


def _meaning(figures: TestFigures) -> list[str]:
    if figures.significant:
        says = (
            "What this says: if outcomes had nothing to do with movement, a difference as large as the strongest "
            f"one would turn up somewhere in at most {figures.p_value:.2%} of cases; all patterns and zonings "
            "tried are allowed for."
        )
        if figures.null == "per_zoning":
            says = says.replace(
                "all patterns and zonings tried are", "all patterns of its zoning, but not the"
            )
            says = says.replace("not the allowed for", "not the other zonings, are allowed for")
    elif not figures.decided:
        says = (
            "What this says: nothing yet. Patterns that few people share were not counted, neither in the real "
            "outcomes nor in the simulated ones, and may hold larger differences than those that were."
        )
    else:
        says = (
            "What this says: differences as large as the strongest one turn up by chance. It does not prove that "
            "the model is fair: few people or weak differences go unseen."
        )
    silent = (
        "What it does not say: why. A pattern can stand for income, age or data quality as well as for a place; "
        "look at the map and at who lives there before acting. Neighbouring and overlapping patterns describe "
        "the same people again."
    )
    return [*_wrap(says), *(_wrap(silent) if figures.significant else [])]


def _pattern(row: EvidenceRow, zoning: Zoning, shown: Shown) -> dict[str, Any]:
    centroids = shapely.centroid(zoning.geometries(np.array(row.cells, dtype=np.int64)))
    places = [to_lonlat(point, zoning.crs) for point in centroids]
    return {
        "rank": row.rank,
        "zoning": zoning.name,
        "cell_kind": zoning.cell_kind,
        "people": row.n,
        "direction": row.direction,
        "statistic": json_number(row.statistic),
        "p_value": json_number(row.p_value),
        **{name: json_number(value) for name, value in row.detail.items()},
        "n_cells": len(row.cells),
        "coordinates": "planar" if shown.crs.is_planar else "EPSG:4326",
        "places": [[round(point.x, 7), round(point.y, 7)] for point in places],
    }


def _wrap(text: str, *, indent: int = 0, hang: int = 0) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * hang, break_long_words=False
    )
