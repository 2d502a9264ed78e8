"""Stops and labels to evidence: the whole audit equals the plain-Python re-statement of the paper."""

from __future__ import annotations

import random

import pytest

from movfair_spark import audit
from movfair_spark.kernels.worlds import order
from tests.oracle.cellsets import Stop, cellsets, grids
from tests.oracle.scan import scan

HOUR = 3_600_000_000
START = 1_729_728_000_000_000  # 2024-10-24 00:00 UTC: Rome's summer time ends on the 27th
SIZES, SHIFTS, TOP, ZONE = [100.0, 200.0], 2, 4, "Europe/Rome"


def draw(seed: int, people: int = 20) -> tuple[list[Stop], dict[int, int]]:
    """Stops of some people over five days in a square of 500 m, and outcomes that lean on one corner of it."""
    rng = random.Random(seed)
    stops = []
    for uid in range(-3, 3 * people - 3, 3):
        spots = [(rng.uniform(-250, 250), rng.uniform(-250, 250)) for _ in range(3)]
        for _ in range(rng.randint(0, 7)):
            x, y = rng.choice(spots)
            arrive = START + rng.randint(0, 240) * HOUR // 2 + rng.randint(0, 999)
            stops.append(Stop(uid, arrive, arrive + rng.choice([0, 1, 3, 30]) * HOUR // 2, x, y))
    corner = {stop.uid for stop in stops if stop.x > 0 and stop.y > 0}
    labels = {
        uid: int(rng.random() < (0.95 if uid in corner else 0.15))
        for uid in range(-3, 3 * people - 3, 3)
        if rng.random() < 0.95
    }
    return stops, labels


@pytest.mark.parametrize(
    ("partitions", "distribution"), [(1, "worlds"), (3, "blocks"), (8, "worlds"), (1, "blocks")]
)
def test_the_whole_chain_from_stops_on(spark, partitions, distribution):
    stops, labels = draw(6)
    ranked = cellsets(stops, grids(SIZES, SHIFTS), top_cells=TOP, zone=ZONE)
    cells = {z: {uid: [cell for cell, _ in mine] for uid, mine in of.items()} for z, of in ranked.items()}
    # alpha 0.99: every candidate but those that no world fails to reach is compared, statistic and p-value.
    expected = scan(cells, labels, order, n_simulations=99, alpha="0.99", seed=17)
    rows = [(s.uid, s.arrive, s.leave, s.x, s.y) for s in stops]
    points = spark.createDataFrame(rows, "uid bigint, arrive bigint, leave bigint, x double, y double")
    outcomes = spark.createDataFrame(list(labels.items()), "uid bigint, outcome int")
    found = audit(
        points.repartition(partitions),
        outcomes.repartition(partitions),
        {
            "time_zone": ZONE,
            "input": {"kind": "stops", "crs": "planar", "time_unit": "us"},
            "labels": {"min_matched_share": 0.0},
            "zonings": {"layers": [{"kind": "square", "size_m": SIZES, "shifts": SHIFTS}]},
            "cellsets": {"top_cells": TOP},
            "scan": {"n_simulations": 99, "alpha": 0.99, "seed": 17, "distribution": distribution},
            "report": {"map": False},
            "partitions": partitions,
        },
    )
    table = {(r.zoning_id, r.uid): list(zip(r.cells, r.days, strict=True)) for r in found.cellsets.collect()}
    assert table == {(z, uid): mine for z, of in ranked.items() for uid, mine in of.items()}
    null = [r.max_statistic for r in found.null_distribution.orderBy("simulation").collect()]
    assert null == pytest.approx(expected.null[None], rel=1e-12, abs=1e-12)
    evidence = found.evidence.orderBy("rank").collect()
    assert len(expected.evidence) > 5
    assert [
        (r["rank"], r.zoning_id, tuple(r.cells), r.n_cellsets, r.n, r.detail.observed, r.p_value, r.direction)
        for r in evidence
    ] == [
        (e.rank, e.zoning_id, e.cells, e.n_cellsets, e.n, e.p, e.p_value, e.direction)
        for e in expected.evidence
    ]
    for row, each in zip(evidence, expected.evidence, strict=True):
        assert row.statistic == pytest.approx(each.statistic, rel=1e-12, abs=1e-12)
