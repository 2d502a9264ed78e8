"""Scans of other outcomes than 0 and 1 from tables to evidence equal brute force, however they are distributed."""

from __future__ import annotations

import pytest

from movfair_spark.config.scan import ScanConfig
from movfair_spark.kernels.worlds import order
from movfair_spark.stages.evidence import evidence
from movfair_spark.stages.null import simulate
from movfair_spark.stages.population import population
from movfair_spark.stages.prepare import prepared
from tests.models.questions import QUESTIONS
from tests.models.questions import population as draw
from tests.oracle.models import answer, equal
from tests.stages.frames import cellsets_frame

SIMULATIONS, ALPHA, SEED = 59, 0.9, 4


def people_frame(spark, people, question):
    """The label table as the reader gives it, with some people that the test cannot look at."""
    text = question.model == "multinomial"
    rows = [(uid, p.outcome, p.truth, p.stratum, p.weight) for uid, p in people.items()]
    kind = "string" if text else "double"
    names = ("outcome_class", "truth_class") if text else ("outcome", "truth")
    schema = f"uid bigint, {names[0]} {kind}, {names[1]} {kind}, stratum string, weight double"
    rows = [
        (u, y, t, s, w) if text else (u, float(y), None if t is None else float(t), s, w)
        for u, y, t, s, w in rows
    ]
    return spark.createDataFrame(rows, schema)


@pytest.mark.parametrize(
    ("name", "partitions", "distribution"),
    [
        ("equal odds, strata", 3, "blocks"),
        ("classes, equal odds", 1, "worlds"),
        ("real, weights", 3, "worlds"),
        ("residual, strata, high", 1, "blocks"),
    ],
)
def test_a_scan_of_tables_equals_brute_force(spark, name, partitions, distribution):
    question = QUESTIONS[name]
    cellsets, people = draw(21, question.model, 30)
    lacking = {
        "stratum": question.stratum,
        "weight": question.weight,
        "truth": "odds" in name or question.residual,
    }
    missing = sorted(people)[:3]
    for uid, role in zip(missing, [role for role, needed in lacking.items() if needed], strict=False):
        people[uid] = type(people[uid])(**{**vars(people[uid]), role: None})
    expected = answer(cellsets, people, question, order, n_simulations=SIMULATIONS, alpha=ALPHA, seed=SEED)
    config = ScanConfig(
        model=question.model,
        notion=question.notion,
        direction=question.direction,
        outcome="residual" if question.residual else "value",
        n_simulations=SIMULATIONS,
        alpha=ALPHA,
        seed=SEED,
        distribution=distribution,
    )
    cells = cellsets_frame(spark, cellsets).repartition(partitions)
    labels = people_frame(spark, people, question).repartition(partitions)
    tested = population(cells, labels, config, stratum=question.stratum, weight=question.weight)
    assert tested.uids.to_pylist() == expected.uids
    counts = tested.counts.as_dict()
    assert sum(counts[f"without_{role}"] for role in lacking) == sum(lacking.values())
    with prepared(cells, tested, config) as ready:
        nulls = simulate(ready, config)
        rows = evidence(ready, nulls, config).collect()
    assert all(equal(a, b) for a, b in zip(nulls[None].maxima, expected.null, strict=True))
    assert {(r["zoning_id"], tuple(r["cells"])): (r["n"], r["p_value"], r["direction"]) for r in rows} == {
        key: (len(row.members), row.p_value, row.direction) for key, row in expected.evidence.items()
    }
    for row in rows:
        assert equal(row["statistic"], expected.evidence[row["zoning_id"], tuple(row["cells"])].statistic)
        assert row["model"] == question.model
        assert row["detail"].asDict().keys() == set(ready.model.detail_columns)
