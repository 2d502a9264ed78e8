"""The last step of the audit of points: the verdict, the map and the GeoJSON, without small groups."""

from __future__ import annotations

import json

import numpy as np
import shapely

from movfair_spark.audits.spatial_space import Space
from movfair_spark.kernels.spatial.partitionings import refinement
from movfair_spark.report.spatial import SpatialVerdict, regions_geojson, told, verdict
from movfair_spark.report.spatial_map import Panel, region_map
from movfair_spark.runs import Attempt, Finished
from movfair_spark.stages.spatial_layers import partitionings

MOST_DOTS = 20_000


def write_report(space: Space, attempt: Attempt) -> None:
    """Say it: verdict, map and evidence.geojson, without small groups."""
    step, settings = space.done["evidence"], space.config.report
    frame = space.spark.read.format("geoparquet").load(step.path("evidence.parquet"))
    rows = [
        row.asDict(recursive=True)
        for row in frame.selectExpr("*", "ST_AsBinary(geometry) AS wkb")
        .drop("geometry")
        .orderBy("rank")
        .collect()
    ]
    for row in rows:
        row["geometry"] = shapely.from_wkb(bytes(row.pop("wkb")))
    answer = verdict(step.facts["figures"], rows, settings.min_report_objects)
    attempt.write_text("verdict.txt", answer.text)
    attempt.write_json("verdict.json", dict(answer.data))
    least, most = settings.min_report_objects, settings.max_features
    attempt.write_text("evidence.geojson", regions_geojson(rows, space.crs, least, most))
    large = [row for row in rows if row["n"] >= least]
    figures, found = step.facts["figures"], space.findings
    mine = [{"geometry": row["geometry"], "direction": row["direction"]} for row in large[:most]]
    panels = [Panel(f"{len(mine):,} significant regions", f"first: {told(large[0])}" if large else "", mine)]
    theirs = [r for r in found.meanvar_regions(settings.meanvar_top) if found.supports[r] >= least]
    if theirs:
        overall = figures["positives"] / figures["people"]
        rates = found.positives[theirs] / found.supports[theirs]
        drawn = [
            {"geometry": shape, "direction": "high" if rate > overall else "low"}
            for shape, rate in zip(found.shapes(theirs), rates, strict=True)
        ]
        first = f"first: {found.supports[theirs[0]]:,} people, {rates[0]:.1%} positive"
        panels.append(Panel(f"MeanVar: {len(theirs):,} largest contributions", first, drawn))
    view = settings.view or space.box
    dots, spacing = _dots(space, least, view)
    picture = region_map(
        view, dots, panels, space.config.scan.model, degrees=space.crs.is_geographic, spacing=spacing
    )
    attempt.files.write(attempt.path("map.png"), picture)


def _dots(space: Space, least: int, view: tuple[float, float, float, float]) -> tuple[np.ndarray, float]:
    """Middles of a coarse raster's cells with enough people, so that no single place is shown; and their spacing."""
    west, south, east, north = view
    step = max(east - west, north - south, 1e-9) / 250
    spacing = step
    if space.atoms.cells is not None:
        cut = refinement(partitionings(space.config, space.box))
        columns, rows = np.divmod(space.atoms.cells, cut.rows)
        x, y = cut.x[columns] / 2 + cut.x[columns + 1] / 2, cut.y[rows] / 2 + cut.y[rows + 1] / 2
        spacing = max(step, float(np.diff(cut.x).min()))
    else:
        x, y = space.atoms.places
    shown = (x >= west) & (x <= east) & (y >= south) & (y <= north)
    columns, rows = (np.floor((v[shown] - low) / step).astype(np.int64) for v, low in ((x, west), (y, south)))
    ids, inverse = np.unique(columns * 1000 + rows, return_inverse=True)
    held = ids[np.bincount(inverse, weights=space.atoms.n[shown]) >= least][:MOST_DOTS]
    places = np.column_stack([west + (held // 1000 + 0.5) * step, south + (held % 1000 + 0.5) * step])
    return places, spacing


def verdict_of(step: Finished | None) -> SpatialVerdict | None:
    """Read the verdict that the last step wrote."""
    if step is None:
        return None
    data = json.loads(step.text("verdict.json"))
    return SpatialVerdict(data["significant"], step.text("verdict.txt"), data)
