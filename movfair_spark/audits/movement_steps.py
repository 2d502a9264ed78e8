"""The steps of an audit by movement pattern: each calls its stage functions and writes their tables."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from movfair_spark.audits import null_store, reporting
from movfair_spark.audits.workspace import Workspace
from movfair_spark.errors import IdTypeError
from movfair_spark.models.outcomes import largest_single
from movfair_spark.readers import reading
from movfair_spark.report.report import report
from movfair_spark.runs import Attempt
from movfair_spark.stages.candidates import candidates, memberships_left_out
from movfair_spark.stages.cell_shares import apply_share_limit, zonings_table
from movfair_spark.stages.cellset_parts import split_cellsets
from movfair_spark.stages.cellsets import cellsets
from movfair_spark.stages.evidence import evidence
from movfair_spark.stages.evidence_geometry import geometry_system, with_geometry
from movfair_spark.stages.evidence_objects import evidence_objects
from movfair_spark.stages.given_stops import given_stops
from movfair_spark.stages.null import Nulls, simulate
from movfair_spark.stages.null_table import describe_nulls, null_distribution
from movfair_spark.stages.population import Population, population
from movfair_spark.stages.population_table import facts_of, to_table
from movfair_spark.stages.rejects import rejects_table
from movfair_spark.stages.stops import detect_stops, split_stops
from movfair_spark.synth.simulate import simulate as simulate_city
from movfair_spark.tables.stops import LARGEST_WINDOW
from movfair_spark.writers.geoparquet import write_geoparquet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def write_city(space: Workspace, attempt: Attempt) -> None:
    """Simulate the embedded city: points, labels and the planted truth."""
    assert space.config.city is not None
    simulate_city(space.spark, space.config.city, attempt.folder)


def write_stops(space: Workspace, attempt: Attempt) -> None:
    """Read the input and find the stops; count rows read, kept, duplicate, merged and rejected on the way."""
    ingest = space.ingest
    if "population" in space.ahead:
        # What headers and first rows of the labels tell is told before the long work, not after it.
        _ = space.label_rows
    with reading(space.spark, space.points.paths):
        if ingest.kind == "points":
            found = detect_stops(
                ingest.frame,
                space.config.stops,
                ingest.crs,
                partitions=space.partitions,
                same_time_radius_m=space.config.input.same_time_radius_m,
            )
        else:
            found = given_stops(ingest.frame, partitions=space.partitions)
        found.write.parquet(attempt.path("detected"))
    stops, counts = split_stops(space.spark.read.schema(found.schema).parquet(attempt.path("detected")))
    rows = {row["reason"]: int(row["rows"]) for row in counts.collect()}
    attempt.write("stops", stops, crs=ingest.crs.definition)
    attempt.write("rejects", rejects_table(space.spark, [(ingest.kind, rows, ingest.details)]))
    attempt.files.delete(attempt.path("detected"))
    attempt.facts.update(
        crs=ingest.crs.definition,
        source=ingest.source,
        largest_window=rows.pop(LARGEST_WINDOW, 0),
        counts=rows,
    )


def write_points(space: Workspace, attempt: Attempt) -> None:
    """Keep the points that were not rejected."""
    from pyspark.sql import functions as F

    fine = space.ingest.frame.where("reason = 0")
    times = [
        F.timestamp_micros(name).alias(name) for name in ("ts", "arrive", "leave") if name in fine.columns
    ]
    with reading(space.spark, space.points.paths):
        attempt.write("points", fine.select("uid", *times, "x", "y"), crs=space.ingest.crs.definition)


def write_cellsets(space: Workspace, attempt: Attempt) -> None:
    """Lay the zonings over the stops and rank every person's cells, in one pass for all zonings.

    The pass's own table stays: later steps read cellsets in parts from it.
    """
    stops = space.done["stops"].table("stops")
    assigned = cellsets(
        stops, space.zonings, space.config.cellsets, space.time_zone, space.crs, partitions=space.partitions
    )
    assigned.write.parquet(attempt.path("assigned"))
    written = space.spark.read.schema(assigned.schema).parquet(attempt.path("assigned"))
    zonings = attempt.write("zonings", zonings_table(written, space.zonings))
    kept = apply_share_limit(zonings, space.config.zonings)
    attempt.write("cellsets", split_cellsets(written, kept))
    # Square grids have one system, so whoever has a cell in one of them has one in each.
    square = {zoning.zoning_id for zoning in space.zonings if zoning.polygons is None}
    others = [each for each in kept if each in square][1:]
    attempt.facts.update(kept=kept, covering=[each for each in kept if each not in others])


def write_population(space: Workspace, attempt: Attempt) -> None:
    """Keep the labels, one per person, and find the objects in the test: those with a label and a cellset."""
    labels = space.label_rows
    counts = labels.counts()
    with reading(space.spark, space.labels.paths):
        labelled = attempt.write("labels", labels.frame)
        try:
            tested = _population(space, labelled, None)
        except IdTypeError:
            # Too few labels find a person with a stop. Who never stops is a person too: look at all of them, which
            # takes a scan of the input, before it is called an error.
            with reading(space.spark, space.points.paths):
                everybody = space.ingest.frame.where("reason = 0").select("uid")
                tested = _population(space, labelled, everybody)
    _upload(attempt, "population", to_table(tested))
    attempt.note_rows("population", tested.size)
    before = space.done["stops"].table("rejects")
    mine = rejects_table(space.spark, [("labels", counts, labels.details)])
    attempt.write("rejects", before.unionByName(mine).coalesce(1))
    attempt.facts.update(
        label_rows=counts, source=labels.source, objects=_digest(tested.uids), **facts_of(tested)
    )


def write_null(space: Workspace, attempt: Attempt) -> None:
    """Simulate: the largest statistic of every world over all candidates (one null, or one per zoning)."""
    scan = space.scan
    key = null_store.null_key(space.key("cellsets"), space.done["population"].facts, space.config.scan)
    known = attempt.notes.get(null_store.NULLS, key)
    before = null_store.from_json(known) if known else None
    nulls = simulate(
        scan,
        space.config.scan,
        known=before,
        record=null_store.recorder(attempt.notes, key, space.done["population"].facts["outcomes"]),
        progress=space.progress,
    )
    if before is None or _size(before) < _size(nulls):
        attempt.notes.put(null_store.NULLS, key, null_store.to_json(nulls))
    attempt.write("null_distribution", null_distribution(scan, nulls))
    attempt.write_text("nulls.json", null_store.to_json(nulls))
    attempt.facts.update(
        plan=asdict(scan.plan),
        simulations_used_again=min(_size(before), _size(nulls)) if before else 0,
        zonings=len(scan.zonings),
        candidates=sum(null.candidates for null in nulls.values()),
        memberships=sum(null.memberships for null in nulls.values()),
        nothing_to_test=scan.model.nothing_to_test,
        largest_single=_as_text(largest_single(scan.model)),
    )


def write_evidence(space: Workspace, attempt: Attempt) -> None:
    """Mine the candidates that exceed the critical value, with their places and their people."""
    scan, nulls = space.scan, space.nulls
    found = attempt.write("findings", evidence(scan, nulls, space.config.scan))
    attempt.write("evidence_objects", evidence_objects(scan, found))
    system = geometry_system(space.kept_zonings)
    write_geoparquet(with_geometry(found, space.kept_zonings), attempt.path("parts"), system, order_by="rank")
    attempt.single_file("evidence.parquet", "parts")
    attempt.note_rows("evidence", attempt.rows.pop("findings"))
    attempt.files.delete(attempt.path("findings"))
    attempt.facts["nulls"] = describe_nulls(nulls, space.config.scan.alpha)


def write_candidates(space: Workspace, attempt: Attempt) -> None:
    """Write the stream of candidates at the supports that the test used."""
    supports = {zoning: null.support for null in space.nulls.values() for zoning in null.zonings}
    written = attempt.write("candidates", candidates(space.scan, supports))
    kept = int(written.agg({"support": "sum"}).collect()[0][0] or 0)
    attempt.facts["memberships_left_out"] = memberships_left_out(space.scan, kept)


def write_report(space: Workspace, attempt: Attempt) -> None:
    """Say it: verdict, map and evidence.geojson, without small groups and without ids of people."""
    facts, zonings = space.done["evidence"].facts["nulls"], space.kept_zonings
    system = geometry_system(zonings)
    made = report(
        space.spark.read.format("geoparquet").load(space.done["evidence"].path("evidence.parquet")),
        reporting.figures(space, facts),
        zonings,
        system,
        reporting.extent(space, system),
        space.config.report,
        background=reporting.background(space, system) if space.config.report.map else (),
        outlines=reporting.planted(space, system),
        notes=reporting.caveats(space, facts),
    )
    attempt.write_text("verdict.txt", made.verdict.text)
    # How each null was certified stands beside the verdict: support, bound, smallest and observed maximum, censored.
    attempt.write_json("verdict.json", made.verdict.as_json() | {"nulls": facts})
    attempt.write_text("evidence.geojson", made.geojson)
    if made.map_png is not None:
        attempt.files.write(attempt.path("map.png"), made.map_png)


def _population(space: Workspace, labelled: DataFrame, people: DataFrame | None) -> Population:
    return population(
        space.holders,
        labelled,
        space.config.scan,
        min_matched_share=space.config.labels.min_matched_share,
        people=people,
        stratum=space.config.labels.columns.stratum is not None,
        weight=space.config.labels.columns.weight is not None,
    )


def _size(nulls: Nulls) -> int:
    return min(len(null.maxima) for null in nulls.values())


def _as_text(value: float | None) -> str | None:
    """Write a number that may be infinite, which JSON has no word for."""
    return None if value is None else repr(value)


def _digest(uids: pa.Array) -> str:
    """SHA-256 of ids in order: a name for a set of objects, whatever file it came from."""
    digest = hashlib.sha256(str(uids.type).encode())
    # Through IPC: buffers of an array may carry offsets and padding of the one that it was sliced from.
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("uid", uids.type)])) as stream:
        stream.write_table(pa.table({"uid": uids.take(pa.array(range(len(uids)), pa.int64()))}))
    digest.update(sink.getvalue())
    return digest.hexdigest()


def _upload(attempt: Attempt, name: str, table: pa.Table) -> None:
    """Write a table that the driver holds as a folder with one Parquet file."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "part-0.parquet"
        pq.write_table(table, path)
        attempt.files.make_folder(attempt.path(name))
        attempt.upload(f"{name}/part-0.parquet", path)
