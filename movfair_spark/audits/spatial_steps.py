"""The steps of the audit of points: each calls its stage functions and writes their tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from movfair_spark.audits.given import Given
from movfair_spark.audits.notices import collected
from movfair_spark.config.spatial import SpatialConfig, Windows
from movfair_spark.config.zonings import PolygonZoning, SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.kernels.spatial.partitionings import refinement
from movfair_spark.kernels.spatial.regions import Regions, merged
from movfair_spark.kernels.spatial.worlds import DRAWS
from movfair_spark.models.regions import RegionScan
from movfair_spark.models.significance import critical_value, p_value
from movfair_spark.readers import reading
from movfair_spark.readers.outcome_points import read_outcome_points
from movfair_spark.report.spatial import SpatialVerdict, regions_geojson, verdict
from movfair_spark.report.spatial_map import region_map
from movfair_spark.runs import Attempt, Finished
from movfair_spark.runs.keys import Fingerprint
from movfair_spark.stages import spatial_points as points
from movfair_spark.stages.population import TRUTH
from movfair_spark.stages.rejects import rejects_table
from movfair_spark.stages.spatial_atoms import Atoms, people_in_order, positions, read_atoms
from movfair_spark.stages.spatial_centres import kmeans_centres
from movfair_spark.stages.spatial_evidence import Findings
from movfair_spark.stages.spatial_layers import (
    Cells,
    Layer,
    build_layers,
    only_partitionings,
    partitionings,
)
from movfair_spark.stages.spatial_null import simulate_regions
from movfair_spark.stages.spatial_polygons import polygon_cells
from movfair_spark.stages.zonings import build as build_zonings
from movfair_spark.tables import spatial as tables
from movfair_spark.tables.rejects import REASONS
from movfair_spark.tables.zonings import Zoning
from movfair_spark.writers.geoparquet import write_geoparquet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LARGEST_PERMUTATION = 1_000_000
"""``draw: auto`` permutes the labels of so many people, and draws counts per place above."""
MOST_DOTS = 20_000


@dataclass
class Space:
    """What the steps share."""

    spark: SparkSession
    config: SpatialConfig
    given: Given
    fingerprints: dict[str, Fingerprint]
    done: dict[str, Finished] = field(default_factory=dict)

    @property
    def crs(self) -> CoordinateSystem:
        """System of the points."""
        return CoordinateSystem.parse(self.done["points"].facts["crs"])

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Bounding box of the tested points."""
        return points.box_of(self.done["points"].facts["counts"])

    @cached_property
    def atoms(self) -> Atoms:
        """Places with their people."""
        step = self.done["points"]
        return read_atoms(step.table("places"), step.rows["places"])

    @cached_property
    def zonings(self) -> list[Zoning]:
        """Square zonings and polygon files."""
        sections = [s for s in self.config.regions if isinstance(s, SquareZonings | PolygonZoning)]
        if not sections:
            return []
        laid = ZoningsConfig(crs=self.config.crs, layers=sections)
        return build_zonings(laid, self.done["points"].table("places"), self.crs)

    @cached_property
    def layers(self) -> list[Layer]:
        """All layers of regions."""
        step = self.done["regions"]
        return self.lay(step.facts["centres"], step.table("polygon_cells") if self.has_polygons else None)

    @property
    def has_polygons(self) -> bool:
        """Whether a layer comes from a polygon file."""
        return any(zoning.polygons is not None for zoning in self.zonings)

    def lay(self, centres: Mapping[str, list[list[float]]], polygon_cells: DataFrame | None) -> list[Layer]:
        """Lay all regions over the places."""
        held: dict[int, Cells] = {}
        if polygon_cells is not None:
            table = to_arrow(polygon_cells)
            zoning_ids, cells = table["zoning_id"].to_numpy(), table["cell"].to_numpy()
            at = positions(table["x"].to_numpy(), table["y"].to_numpy(), self.atoms)
            for zoning in self.zonings:
                mine = zoning_ids == zoning.zoning_id
                held[zoning.zoning_id] = (at[mine], cells[mine])
        found = {int(position): np.array(each) for position, each in centres.items()}
        return build_layers(self.config, self.atoms, self.box, self.crs, self.zonings, held, found)

    @cached_property
    def findings(self) -> Findings:
        """All regions with their statistics."""
        return Findings(self.layers, self.atoms, self.config)


def parameters(step: str, config: SpatialConfig) -> Mapping[str, Any]:
    """Give a step's own part of the configuration."""
    every = config.model_dump(mode="json")
    of_evidence = {"alpha"}
    match step:
        case "points":
            # Which places are counted together depends on the regions.
            places = {k: v for k, v in every["input"].items() if k != "path"}
            return {"input": places, "regions": every["regions"], "notion": config.scan.notion}
        case "regions":
            return {"regions": every["regions"], "crs": every["crs"]}
        case "null":
            return {k: v for k, v in every["scan"].items() if k not in of_evidence}
        case "evidence":
            return {"scan": every["scan"], "report": every["report"]}
    return every["report"]


def write_points(space: Space, attempt: Attempt) -> None:
    """Read the points, count the rejected ones, and sum people and positives per place."""
    config, notion = space.config, space.config.scan.notion
    section = config.input.model_copy(update={"path": space.given.paths})
    with reading(space.spark, space.given.paths):
        ingest = read_outcome_points(space.spark, section, space.given.frame, truth=TRUTH[notion] is not None)
        rows, duplicate = ingest.frame, 0
        if ingest.has_ids:
            rows, repeats = points.one_row_each(ingest.frame)
            duplicate = int(repeats.collect()[0]["duplicate"])
        found = points.counts(rows, notion)
        found |= {"duplicate": duplicate, "read": found["read"] + duplicate}
        inside = points.tested(rows, notion)
        if ingest.has_ids:
            inside = attempt.write("people", inside.select("uid", "x", "y", "outcome"))
        if only_partitionings(config) and not ingest.has_ids:
            cut = refinement(partitionings(config, points.box_of(found)))
            attempt.write("places", points.refined(inside, cut))
        else:
            attempt.write("places", points.locations(inside))
    reasons = {
        REASONS[int(name.split()[1])]: int(rows) for name, rows in found.items() if name.startswith("reason ")
    }
    attempt.write("rejects", rejects_table(space.spark, [("points", reasons, ingest.details)]).coalesce(1))
    counted = {k: v for k, v in found.items() if not k.startswith("reason ")}
    attempt.facts.update(
        crs=ingest.crs.definition, source=ingest.source, counts=counted, reasons=reasons, ids=ingest.has_ids
    )


def write_regions(space: Space, attempt: Attempt) -> None:
    """Find centres and polygon cells, lay all regions, and list the layers."""
    places = space.done["points"].table("places")
    centres = {
        str(at): kmeans_centres(places, section.centres, section.seed).tolist()
        for at, section in enumerate(space.config.regions)
        if isinstance(section, Windows) and isinstance(section.centres, int)
    }
    cells = None
    if space.has_polygons:
        cells = attempt.write("polygon_cells", polygon_cells(places, space.zonings, space.crs))
    laid = space.lay(centres, cells)
    layers = [(layer.layer_id, layer.kind, layer.name, layer.regions.count) for layer in laid]
    attempt.write("layers", space.spark.createDataFrame(layers, tables.LAYERS).coalesce(1))
    attempt.facts["centres"] = centres


def write_null(space: Space, attempt: Attempt) -> None:
    """Simulate: the largest statistic of every world over all regions of all layers."""
    scan, facts, settings = space.findings.scan, space.done["points"].facts, space.config.scan
    draw = settings.draw
    if draw == "auto":
        draw = "permutation" if scan.n_objects <= LARGEST_PERMUTATION else "counts"
    fewer, atom_of = merged(scan.regions, len(scan.sizes))
    people = None
    if draw == "permutation":
        if facts["ids"]:
            people = atom_of[people_in_order(space.done["points"].table("people"), space.atoms)]
        else:
            people = np.repeat(atom_of, scan.sizes).astype(np.int32)
    simulated = _over(scan, fewer, atom_of)
    maxima = simulate_regions(space.spark, simulated, settings.n_simulations, settings.seed, people)
    attempt.write(
        "null_distribution",
        space.spark.createDataFrame(list(enumerate(maxima.tolist())), tables.NULL).coalesce(1),
    )
    attempt.facts.update(
        draw=DRAWS[draw],
        atoms=len(simulated.sizes),
        places=len(scan.sizes),
        regions=int(len(scan.candidates)),
    )


def _over(scan: RegionScan, regions: Regions, atom_of: np.ndarray) -> RegionScan:
    sizes = np.zeros(int(atom_of.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(sizes, atom_of, scan.sizes)
    return RegionScan(regions, sizes, scan.positives, scan.direction, scan.min_support, scan.max_support)


def write_evidence(space: Space, attempt: Attempt) -> None:
    """List the significant regions, and MeanVar's beside them."""
    found, null = space.findings, _null(space)
    ranked = found.evidence(null)
    rows = found.rows(ranked, null)
    frame = space.spark.createDataFrame(rows, f"{tables.EVIDENCE}, wkb binary")
    located = frame.selectExpr("*", "ST_GeomFromWKB(wkb) AS geometry").drop("wkb")
    write_geoparquet(located, attempt.path("parts"), space.crs, order_by="rank")
    attempt.single_file("evidence.parquet", "parts")
    attempt.note_rows("evidence", len(rows))
    cells = found.meanvar_rows(space.config.report.max_features)
    attempt.write("meanvar", space.spark.createDataFrame(cells, tables.MEANVAR).coalesce(1))
    scan, settings = found.scan, space.config.scan
    attempt.facts["figures"] = {
        "people": scan.n_objects,
        "positives": scan.positives,
        "regions": int(len(scan.candidates)),
        "layers": len(space.layers),
        "n_simulations": settings.n_simulations,
        "alpha": settings.alpha,
        "statistic": found.best,
        "p_value": p_value(found.best, null),
        "critical_value": critical_value(null, settings.alpha),
        "significant": bool(ranked),
        "nothing_to_test": scan.nothing_to_test,
        "notion": settings.notion,
        "direction": settings.direction,
        "draw": space.done["null"].facts["draw"],
        "meanvar": None if found.meanvar is None else found.meanvar.value,
    }


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
    mine = [{"geometry": row["geometry"], "high": row["direction"] == "high"} for row in large[:most]]
    panels = [(f"{len(mine):,} significant regions", mine)]
    found = space.findings
    theirs = [r for r in found.meanvar_regions(settings.meanvar_top) if found.scan.supports[r] >= least]
    if theirs:
        overall = found.scan.positives / found.scan.n_objects
        rates = found.positives[theirs] / found.scan.supports[theirs]
        drawn = [
            {"geometry": shape, "high": bool(rate > overall)}
            for shape, rate in zip(found.shapes(theirs), rates, strict=True)
        ]
        panels.append((f"MeanVar: {len(theirs):,} largest contributions", drawn))
    attempt.files.write(attempt.path("map.png"), region_map(space.box, _dots(space, least), panels))


def _dots(space: Space, least: int) -> np.ndarray:
    """Middles of a coarse raster's cells with enough people: no single place is shown."""
    west, south, east, north = space.box
    if space.atoms.cells is not None:
        cut = refinement(partitionings(space.config, space.box))
        columns, rows = np.divmod(space.atoms.cells, cut.rows)
        x, y = cut.x[columns] / 2 + cut.x[columns + 1] / 2, cut.y[rows] / 2 + cut.y[rows + 1] / 2
    else:
        x, y = space.atoms.places
    step = max(east - west, north - south, 1e-9) / 250
    cells = np.floor((x - west) / step).astype(np.int64) * 1000 + np.floor((y - south) / step).astype(
        np.int64
    )
    ids, inverse = np.unique(cells, return_inverse=True)
    held = ids[np.bincount(inverse, weights=space.atoms.n) >= least][:MOST_DOTS]
    return np.column_stack([west + (held // 1000 + 0.5) * step, south + (held % 1000 + 0.5) * step])


def _null(space: Space) -> np.ndarray:
    table = to_arrow(space.done["null"].table("null_distribution")).sort_by("simulation")
    return table["max_statistic"].to_numpy()


def verdict_of(step: Finished | None) -> SpatialVerdict | None:
    """Read the verdict that the last step wrote."""
    if step is None:
        return None
    data = json.loads(step.text("verdict.json"))
    return SpatialVerdict(data["significant"], step.text("verdict.txt"), data)


def _noticed(work: Callable[[Space, Attempt], None]) -> Callable[[Space, Attempt], None]:
    def run(space: Space, attempt: Attempt) -> None:
        with collected() as notices:
            work(space, attempt)
        attempt.facts["notices"] = notices

    return run


WORK: dict[str, Callable[[Space, Attempt], None]] = {
    "points": _noticed(write_points),
    "regions": _noticed(write_regions),
    "null": _noticed(write_null),
    "evidence": _noticed(write_evidence),
    "report": _noticed(write_report),
}
