"""From the tables of an audit to what people read: verdict, map, evidence.geojson."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import shapely

from movfair_spark.audits.workspace import Workspace
from movfair_spark.crs import BBox, CoordinateSystem
from movfair_spark.report.outcome_words import OutcomeFigures, outliers
from movfair_spark.report.verdict import TestFigures
from movfair_spark.stages.zonings import bounding_box
from movfair_spark.tables.zonings import Zoning

BACKGROUND_M = 200.0
MOST_BACKGROUND_CELLS = 20_000


def figures(space: Workspace, nulls: Sequence[Mapping[str, Any]]) -> TestFigures:
    """Put the figures of the test together; of several nulls the one with the smallest p-value speaks.

    Parameters
    ----------
    space : Workspace
    nulls : sequence of mapping
        As `stages.null_table.describe_nulls` gives them.
    """
    scan, tested = space.config.scan, space.done["population"].facts
    significant = any(null["significant"] for null in nulls)
    best = min(nulls, key=lambda null: (null["p_value"], -(null["observed_maximum"] or 0.0)))
    return TestFigures(
        people=tested["counts"]["tested"],
        outcomes=outcome_figures(space),
        zonings=len(space.done["cellsets"].facts["kept"]),
        n_simulations=scan.n_simulations,
        alpha=scan.alpha,
        statistic=float("inf") if best["observed_maximum"] is None else best["observed_maximum"],
        p_value=best["p_value"],
        significant=significant,
        exact=best["exact"],
        decided=significant or all(null["verdict_possible"] for null in nulls),
        notion=scan.notion,
        direction=scan.direction,
        null=scan.null,
    )


def outcome_figures(space: Workspace) -> OutcomeFigures:
    """Say what the tested outcomes are like."""
    scan, tested, null = space.config.scan, space.done["population"].facts, space.done["null"].facts
    mean, deviation = tested["moments"] or (None, None)
    return OutcomeFigures(
        model=scan.model,
        positives=tested["counts"]["positives"],
        classes=tuple(tested["classes"]),
        class_counts=tuple(tested["class_counts"]),
        truths=tuple(tested["truths"]),
        strata=tested["strata"],
        mean=mean,
        deviation=deviation,
        residual=scan.outcome == "residual",
        scores=scan.transform == "normal_scores",
        nothing=null["nothing_to_test"],
        largest_single=None if null["largest_single"] is None else float(null["largest_single"]),
    )


def caveats(space: Workspace, nulls: Sequence[Mapping[str, Any]]) -> list[str]:
    """Lines for what a reader of the verdict must know about the test."""
    lines: list[str] = []
    criticals = [null["critical_value"] for null in nulls if null["critical_value"] is not None]
    lines += outliers(outcome_figures(space), min(criticals, default=None), space.config.scan.min_support)
    stopped = [null for null in nulls if not (null["exact"] and null["verdict_possible"])]
    if stopped:
        support = max(null["support"] for null in stopped)
        if all(null["verdict_possible"] for null in stopped):
            left = "the p-value is a lower bound"
        elif all(null["exact"] for null in stopped):
            left = "evidence that fewer people share may be missing"
        else:
            left = "a p-value that is only a lower bound cannot be compared with alpha"
        lines.append(
            f"scan.max_memberships = {space.config.scan.max_memberships:,} stopped the count at patterns that {support:,} "
            f"people share: {left}. Raise it, or raise scan.min_support."
        )
    return lines


def extent(space: Workspace, system: CoordinateSystem) -> BBox:
    """Bounding box of the stops in the system of the map."""
    west, south, east, north = bounding_box(space.done["stops"].table("stops"), space.crs)
    xs, ys = space.crs.transform(
        np.array([west, east, west, east]), np.array([south, south, north, north]), system
    )
    return (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))


def background(space: Workspace, system: CoordinateSystem) -> list[shapely.Geometry]:
    """Cells that at least ``min_report_objects`` people visit, so that the city shows behind the evidence."""
    from pyspark.sql import functions as F

    zoning = min(space.kept_zonings, key=lambda each: abs((each.size_m or BACKGROUND_M) - BACKGROUND_M))
    cells = (
        space.done["cellsets"]
        .table("cellsets")
        .where(F.col("zoning_id") == zoning.zoning_id)
        .select(F.explode("cells").alias("cell"))
        .groupBy("cell")
        .count()
        .where(F.col("count") >= space.config.report.min_report_objects)
        .orderBy("cell")
        .limit(MOST_BACKGROUND_CELLS)
    )
    ids = np.array([row["cell"] for row in cells.collect()], dtype=np.int64)
    return _in_system(list(zoning.geometries(ids)), zoning, system) if len(ids) else []


def planted(space: Workspace, system: CoordinateSystem) -> list[tuple[str, shapely.Geometry]]:
    """Outlines of what the embedded city planted."""
    if "city" not in space.done or system.is_planar:
        return []
    rows = space.spark.read.parquet(space.done["city"].path("truth/regions")).collect()
    lonlat = CoordinateSystem.parse("EPSG:4326")
    shapes = [
        shapely.transform(
            shapely.from_wkt(row["wkt"]),
            lambda p: np.column_stack(lonlat.transform(p[:, 0], p[:, 1], system)),
        )
        for row in rows
    ]
    return [("planted pattern", shapely.union_all(shapes))] if shapes else []


def _in_system(
    shapes: Sequence[shapely.Geometry], zoning: Zoning, system: CoordinateSystem
) -> list[shapely.Geometry]:
    if zoning.crs == system:
        return list(shapes)
    return [
        shapely.transform(s, lambda p: np.column_stack(zoning.crs.transform(p[:, 0], p[:, 1], system)))
        for s in shapes
    ]
