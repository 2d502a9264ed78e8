"""The manifest of an audit, and the audit itself as the caller gets it."""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

from movfair_spark.audits.loop import manifest_of
from movfair_spark.audits.result import Audit
from movfair_spark.audits.workspace import Workspace
from movfair_spark.report.verdict import Verdict
from movfair_spark.runs import Finished, Run
from movfair_spark.stages.rejects import rejected

TABLES = {
    "stops": ("stops",),
    "points": ("points",),
    "cellsets": ("zonings", "cellsets"),
    "population": ("population", "rejects"),
    "null": ("null_distribution",),
    "evidence": ("evidence_objects",),
    "candidates": ("candidates",),
}


def describe(space: Workspace, run: Run) -> dict[str, Any]:
    """Put the manifest of a run together."""
    config = space.config
    answer = verdict_of(space.done.get("report"))
    seeds = {"scan.seed": config.scan.seed}
    if space.simulated and config.city is not None:
        seeds |= {"city.seed": config.city.seed, "city.pattern.seed": config.city.pattern.seed}
        seeds |= {"city.outcomes.seed": config.city.outcomes.seed}
    zone = ["time_zone is not set: calendar days are those of UTC"] if config.time_zone is None else []
    return manifest_of(
        space,
        run,
        seeds=seeds,
        rows=rows(space),
        notices=zone,
        memory=memory(space),
        verdict=None if answer is None else answer.as_json(),
    )


def rows(space: Workspace) -> dict[str, Any]:
    """Count rows read = kept + duplicate + merged + rejected per input, and who is in the test."""
    found: dict[str, Any] = {}
    for name, step, fact in (("points", "stops", "counts"), ("labels", "population", "label_rows")):
        if step in space.done:
            counts = space.done[step].facts[fact]
            kept = {key: counts.get(key, 0) for key in ("read", "kept", "duplicate", "merged")}
            found[name] = {**kept, "rejected": rejected(counts)}
    if "population" in space.done:
        found["people"] = space.done["population"].facts["counts"]
    return found


def memory(space: Workspace) -> dict[str, str]:
    """State the bound of each step's memory, with this run's figures."""
    batch = space.spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
    found = {"driver peak so far": f"{_peak_mb():,.0f} MB of Python"}
    if "stops" in space.done:
        window = space.done["stops"].facts["largest_window"]
        found["stops"] = (
            f"a million rows while they are cut into strips; then one Arrow batch ({batch} strips of at most 16 fixes, 24 "
            f"bytes each) and 16 bytes per fix of the largest open window ({window:,} fixes, "
            f"{16 * window / 1e6:,.1f} MB) per task"
        )
    if "cellsets" in space.done:
        found["cellsets"] = "one Arrow batch and the stops of the person with the most of them, per task"
    if "population" in space.done:
        tested = space.done["population"].rows["population"]
        found["population"] = f"ids and labels of {tested:,} people on the driver"
    if "null" in space.done:
        plan = space.done["null"].facts["plan"]
        found["null"] = (
            f"{plan['reason']}; {plan['broadcast_bytes'] / 1e6:,.1f} MB broadcast per Python worker, "
            f"{plan['worlds_per_pass']} worlds per pass"
        )
    return found


def assemble(space: Workspace, run: Run, content: dict[str, Any]) -> Audit:
    """Give the caller tables that read from the attempts, which later runs in the folder leave alone."""
    tables = {
        name: done.table(name)
        for step, names in TABLES.items()
        if (done := space.done.get(step)) is not None
        for name in names
    }
    evidence = None
    if "evidence" in space.done:
        evidence = space.spark.read.format("geoparquet").load(space.done["evidence"].path("evidence.parquet"))
        tables["evidence"] = evidence
    if "city" in space.done:
        tables["planted"] = space.spark.read.parquet(space.done["city"].path("truth/people"))
    return Audit(
        verdict=verdict_of(space.done.get("report")),
        evidence=evidence,
        null_distribution=tables.get("null_distribution"),
        cellsets=tables.get("cellsets"),
        manifest=content,
        output=run.folder,
        tables=tables,
    )


def verdict_of(report: Finished | None) -> Verdict | None:
    """Read the verdict that the last step wrote."""
    if report is None:
        return None
    data = json.loads(report.text("verdict.json"))
    return Verdict(data["significant"], report.text("verdict.txt"), data)


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
