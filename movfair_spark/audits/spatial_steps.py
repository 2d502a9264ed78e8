"""The steps of the audit of points: each calls its stage functions and writes their tables."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np

from movfair_spark.audits.spatial_space import Space
from movfair_spark.config.spatial import Windows
from movfair_spark.errors import LimitError
from movfair_spark.kernels.spatial.partitionings import refinement
from movfair_spark.kernels.spatial.worlds import DRAWS
from movfair_spark.models.region_values import ValueRegions
from movfair_spark.models.significance import critical_value, p_value, reaches
from movfair_spark.readers import reading
from movfair_spark.readers.outcome_points import read_outcome_points
from movfair_spark.report.shown import json_number
from movfair_spark.runs import Attempt
from movfair_spark.stages import spatial_points as points
from movfair_spark.stages.rejects import rejects_table
from movfair_spark.stages.spatial_centres import kmeans_centres
from movfair_spark.stages.spatial_layers import (
    only_partitionings,
    partitionings,
)
from movfair_spark.stages.spatial_model import people_of, positives
from movfair_spark.stages.spatial_null import simulate_regions
from movfair_spark.stages.spatial_polygons import located_cells
from movfair_spark.stages.spatial_windows import MOST_PAIRS
from movfair_spark.tables import spatial as tables
from movfair_spark.tables.rejects import REASONS
from movfair_spark.writers.geoparquet import write_geoparquet

LOG = logging.getLogger(__name__)

LARGEST_PERMUTATION = 1_000_000
"""``draw: auto`` permutes the labels of so many people, and draws counts per place above."""


def write_points(space: Space, attempt: Attempt) -> None:
    """Read the points, count the rejected ones, and sum people per place and class, or list them one by one."""
    config, notion = space.config, space.config.scan.notion
    section = config.input.model_copy(update={"path": space.given.paths})
    with reading(space.spark, space.given.paths):
        ingest = read_outcome_points(
            space.spark, config.model_copy(update={"input": section}), space.given.frame
        )
        rows, duplicate = ingest.frame, 0
        if ingest.has_ids:
            rows, repeats = points.one_row_each(ingest.frame)
            duplicate = int(repeats.collect()[0]["duplicate"])
        found = points.counts(rows, notion)
        found |= {"duplicate": duplicate, "read": found["read"] + duplicate}
        inside = points.tested(rows, notion)
        if ingest.has_ids or config.scan.model == "normal":
            attempt.write("people", points.people(inside))
        elif only_partitionings(config):
            cut = refinement(partitionings(config, points.box_of(found)))
            binary = (
                config.scan.model == "bernoulli"
                and notion != "equal_odds"
                and config.input.columns.stratum is None
            )
            attempt.write("tally", points.refined(inside, cut, binary=binary))
        else:
            attempt.write("tally", points.locations(inside))
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
    centres = {
        str(at): kmeans_centres(space.places, section.centres, section.seed).tolist()
        for at, section in enumerate(space.config.regions)
        if isinstance(section, Windows) and isinstance(section.centres, int)
    }
    people = space.done["points"].facts["counts"]["tested"]
    fine = [
        f"{p.columns} x {p.rows}"
        for p in partitionings(space.config, space.box)
        if p.columns * p.rows > people
    ]
    if fine:
        LOG.warning(
            "%d partitionings have more cells than the %d people in the test (the first: %s): most of their cells hold one "
            "person or nobody, and only occupied ones are tested",
            len(fine),
            people,
            fine[0],
        )
    standing, cells = space.standing(centres), None
    polygons, windows = space.to_join(standing)
    if polygons or windows:
        cells = attempt.write("located_cells", located_cells(space.places, polygons, windows, space.crs))
        if attempt.rows["located_cells"] > MOST_PAIRS:
            raise LimitError(
                f"{attempt.rows['located_cells']} places in polygons and windows, over the limit of {MOST_PAIRS} of "
                "one driver",
                "give fewer centres or smaller windows",
            )
    laid = space.lay(standing, cells)
    layers = [(layer.layer_id, layer.kind, layer.name, layer.regions.count) for layer in laid]
    attempt.write("layers", space.spark.createDataFrame(layers, tables.LAYERS).coalesce(1))
    attempt.facts["centres"] = centres


def write_null(space: Space, attempt: Attempt) -> None:
    """Simulate: the largest statistic of every world over all regions of all layers."""
    found, settings = space.findings, space.config.scan
    draw = settings.draw
    if draw == "auto":
        few = found.model.n_objects <= LARGEST_PERMUTATION or settings.model == "normal"
        draw = "permutation" if few else "counts"
    people = people_of(space.tally, found.atom_of) if draw == "permutation" else None
    maxima = simulate_regions(space.spark, found.model, settings.n_simulations, settings.seed, people)
    attempt.write(
        "null_distribution",
        space.spark.createDataFrame(list(enumerate(maxima.tolist())), tables.NULL).coalesce(1),
    )
    attempt.facts.update(
        draw=DRAWS[draw],
        atoms=int(found.atom_of.max(initial=-1)) + 1,
        places=len(space.atoms.n),
        regions=int(len(found.model.candidates)),
    )


def write_evidence(space: Space, attempt: Attempt) -> None:
    """List the significant regions, and MeanVar's beside them."""
    found, null = space.findings, space.null
    ranked = found.evidence(null)
    rows = found.rows(ranked, null)
    schema = tables.evidence_schema(found.model.detail_schema)
    frame = space.spark.createDataFrame(rows, f"{schema}, wkb binary")
    located = frame.selectExpr("*", "ST_GeomFromWKB(wkb) AS geometry").drop("wkb")
    write_geoparquet(located, attempt.path("parts"), space.crs, order_by="rank")
    attempt.single_file("evidence.parquet", "parts")
    attempt.note_rows("evidence", len(rows))
    cells = found.meanvar_rows(space.config.report.max_features)
    attempt.write("meanvar", space.spark.createDataFrame(cells, tables.MEANVAR).coalesce(1))
    model, settings = found.model, space.config.scan
    critical = critical_value(null, settings.alpha)
    figures = {
        "people": model.n_objects,
        **_outcomes(space),
        "regions": int(len(model.candidates)),
        "layers": len(space.layers),
        "n_simulations": settings.n_simulations,
        "alpha": settings.alpha,
        "statistic": found.best,
        "p_value": p_value(found.best, null),
        "critical_value": critical,
        "significant": bool(ranked),
        "nothing_to_test": model.nothing_to_test,
        "model": model.name,
        "outcome": settings.outcome,
        "transform": settings.transform,
        "notion": settings.notion,
        "strata": len(space.tally.strata) if space.config.input.columns.stratum else None,
        "direction": settings.direction,
        "draw": space.done["null"].facts["draw"],
        "meanvar": None if found.meanvar is None else found.meanvar.value,
    }
    if isinstance(model, ValueRegions) and not model.nothing_to_test:
        figures["largest_single"] = model.largest_single
        if reaches(model.largest_single, critical):
            LOG.warning(
                "the largest single value alone has statistic %.4g, which reaches the critical value %.4g: outliers can "
                "hide every effect; set scan.transform: normal_scores, or a larger scan.min_support",
                model.largest_single,
                critical,
            )
    attempt.facts["figures"] = json_number(figures)


def _outcomes(space: Space) -> dict[str, Any]:
    """Put the outcomes of the people in the test in figures."""
    tally = space.tally
    if tally.outcome is not None and space.config.scan.model == "normal":
        weights = np.ones(len(tally.outcome)) if tally.weight is None else tally.weight
        return {"mean": math.fsum(weights * tally.outcome) / math.fsum(weights)}
    held = np.zeros(len(tally.codes), dtype=np.int64)
    np.add.at(held, tally.code, tally.n)
    if space.config.scan.model == "bernoulli":
        return {"positives": int(positives(tally).sum())}
    return {"classes": dict(zip(tally.codes, held.tolist(), strict=True))}
