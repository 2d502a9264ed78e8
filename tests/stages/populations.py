"""Small random populations with a planted group, and a whole scan of them as plain values."""

from __future__ import annotations

import random

from movfair_spark.stages.evidence import evidence
from movfair_spark.stages.evidence_objects import evidence_objects
from movfair_spark.stages.null import simulate
from movfair_spark.stages.null_table import describe_nulls, null_distribution
from movfair_spark.stages.population import population
from movfair_spark.stages.prepare import prepared
from tests.stages.frames import cellsets_frame, labels_frame


def draw(seed: int, n: int = 20, zonings: int = 3, cells: int = 4, top: int = 4):
    """Cellsets {zoning: {uid: cells}} and labels {uid: 0/1}; holders of cell 0 in zoning 0 are mostly positive."""
    rng = random.Random(seed)
    uids = [3 * i - 7 for i in range(n)]
    cellsets = {
        zoning: {
            uid: rng.sample(range(cells + zoning), rng.randint(1, top)) for uid in uids if rng.random() < 0.95
        }
        for zoning in range(zonings)
    }
    labels = {
        uid: int(rng.random() < (0.95 if 0 in cellsets[0].get(uid, []) else 0.25))
        for uid in uids
        if rng.random() < 0.95
    }
    return cellsets, labels | {10_000: 1}


def scan(cellsets, labels, config):
    """Evidence rows in rank order, nulls and objects of a scan of two DataFrames, as plain values."""
    tested = population(cellsets, labels, config)
    with prepared(cellsets, tested, config) as ready:
        nulls = simulate(ready, config)
        found = ready.keep(evidence(ready, nulls, config))
        null = null_distribution(ready, nulls).collect()
        return {
            "rows": sorted(found.collect(), key=lambda row: row["rank"]),
            "objects": {
                r["uid"]: (r["p_value"], r["candidates"]) for r in evidence_objects(ready, found).collect()
            },
            "null": sorted(null, key=lambda row: (row["zoning_id"] or 0, row["simulation"])),
            "nulls": describe_nulls(nulls, config.alpha),
            "counts": tested.counts,
        }


def run(spark, cellsets, labels, config, *, partitions: int = 2):
    """Scan plain cellsets and labels from tables of some partitions."""
    return scan(
        cellsets_frame(spark, cellsets).repartition(partitions),
        labels_frame(spark, labels).repartition(partitions),
        config,
    )
