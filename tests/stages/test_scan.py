"""The scan from cellsets and labels to evidence equals the brute-force oracle, however it is distributed."""

from __future__ import annotations

import json

import pytest

from movfair_spark.config.scan import ScanConfig
from movfair_spark.kernels.worlds import order
from movfair_spark.stages.null import simulate
from movfair_spark.stages.population import population
from movfair_spark.stages.prepare import prepared
from tests.oracle.scan import Scan as OracleScan
from tests.oracle.scan import non_overlapping, p_value
from tests.oracle.scan import scan as oracle
from tests.stages.frames import cellsets_frame, labels_frame
from tests.stages.populations import draw, run


def assert_equal(found: dict, expected: OracleScan) -> None:
    """Members, counts, ranks and p-values exactly; statistics within 1e-12 max(1, T)."""
    assert found["counts"].tested == len(expected.uids)
    assert found["counts"].positives == expected.positives
    null = {}
    for row in found["null"]:
        null.setdefault(row["zoning_id"], []).append(row["max_statistic"])
        assert not row["censored"]
    assert null.keys() == expected.null.keys()
    for key, values in expected.null.items():
        assert null[key] == pytest.approx(values, rel=1e-12, abs=1e-12)
    assert [
        (r["rank"], r["zoning_id"], tuple(r["cells"]), r["n_cellsets"], r["n"], r["detail"]["observed"], r["p_value"],
         r["direction"])
        for r in found["rows"]
    ] == [
        (e.rank, e.zoning_id, e.cells, e.n_cellsets, e.n, e.p, e.p_value, e.direction) for e in expected.evidence
    ]  # fmt: skip
    for row, each in zip(found["rows"], expected.evidence, strict=True):
        assert row["statistic"] == pytest.approx(each.statistic, rel=1e-12, abs=1e-12)
        assert row["detail"]["expected"] == pytest.approx(each.n * expected.positives / len(expected.uids))
    names = {
        row["members_id"]: each.members for row, each in zip(found["rows"], expected.evidence, strict=True)
    }
    assert len(set(names.values())) == len(names)
    assert all(
        names[r["members_id"]] == e.members for r, e in zip(found["rows"], expected.evidence, strict=True)
    )
    objects: dict = {}
    for each in expected.evidence:
        for number in each.members:
            best, count = objects.get(expected.uids[number], (1.0, 0))
            objects[expected.uids[number]] = (min(best, each.p_value), count + 1)
    assert found["objects"] == objects
    chosen = [row["rank"] for row in found["rows"] if row["non_overlapping"]]
    assert chosen == non_overlapping(expected.evidence)


@pytest.mark.parametrize(
    ("partitions", "distribution", "seed"), [(1, "worlds", 6), (3, "blocks", 6), (8, "worlds", 3)]
)
def test_whole_chain_equals_the_oracle(spark, partitions, distribution, seed):
    cellsets, labels = draw(seed)
    config = ScanConfig(n_simulations=99, alpha=0.5, seed=17, distribution=distribution)
    expected = oracle(cellsets, labels, order, n_simulations=99, alpha="0.5", seed=17)
    assert len(expected.evidence) >= 5
    found = run(spark, cellsets, labels, config, partitions=partitions)
    assert_equal(found, expected)
    # SpatialEpi #41, Fiona #684 (report 16): no NaN and no Infinity in what goes into JSON.
    json.dumps(found["nulls"], allow_nan=False)


def test_one_null_per_zoning_in_one_direction_with_objects_without_stops(spark):
    cellsets, labels = draw(3)
    config = ScanConfig(
        n_simulations=49,
        alpha=0.3,
        seed=2,
        null="per_zoning",
        direction="low",
        objects_without_stops="include",
    )
    expected = oracle(
        cellsets,
        labels,
        order,
        n_simulations=49,
        alpha="0.3",
        seed=2,
        per_zoning=True,
        direction="low",
        include=True,
    )
    assert len(expected.uids) == len(labels)
    found = run(spark, cellsets, labels, config)
    assert_equal(found, expected)
    assert {row["direction"] for row in found["rows"]} == {"low"}


def test_all_subsets_are_listed_on_request(spark):
    cellsets, labels = draw(3)
    config = ScanConfig(n_simulations=49, alpha=0.5, seed=17, all_subsets=True, distribution="blocks")
    expected = oracle(cellsets, labels, order, n_simulations=49, alpha="0.5", seed=17)
    rows = {
        (zoning_id, cells): (len(members), sum(who == members for who in of.values()))
        for zoning_id, of in expected.candidates.items()
        for cells, members in of.items()
        if p_value(expected.statistics[zoning_id][cells], expected.null[None]) <= 0.5
    }
    found = run(spark, cellsets, labels, config)
    assert {(r["zoning_id"], tuple(r["cells"])): (r["n"], r["n_cellsets"]) for r in found["rows"]} == rows
    assert len(rows) > len(expected.evidence)
    assert [row["rank"] for row in found["rows"]] == list(range(1, len(rows) + 1))
    assert {uid: count for uid, (_, count) in found["objects"].items()} == {
        expected.uids[number]: sum(number in each.members for each in expected.evidence)
        for number in set().union(*(each.members for each in expected.evidence))
    }


def test_report_1_ties_with_the_observed_maximum_count(spark):
    """fieldtrip #2608, mlxtend #718, permute #108: exact p = 0.1 for both; a strict > gives 0.001."""
    cellsets = cellsets_frame(spark, {0: {i: [0 if i <= 3 else 1] for i in range(1, 7)}})
    config = ScanConfig(seed=11)
    tested = population(cellsets, labels_frame(spark, {i: int(i <= 3) for i in range(1, 7)}), config)
    with prepared(cellsets, tested, config) as ready:
        null = simulate(ready, config)[None]
    assert null.best == pytest.approx(4.158883, abs=5e-7)
    assert 0.062 <= null.result.p_value <= 0.138
    assert not null.significant(0.01)


def test_report_13_same_members_are_one_finding(spark):
    """mlxtend #690 and #709: support never exceeds that of a part; ab, n = 3, p = 3, once and not twice."""
    a, b, c = 1, 2, 3
    cellsets = {0: {1: [a, b], 2: [a, c], 3: [c], 4: [a, b, c], 5: [a, b], 6: [a]}}
    labels = {uid: int(uid in (1, 4, 5)) for uid in range(1, 7)}
    found = run(spark, cellsets, labels, ScanConfig(n_simulations=199, alpha=0.3, seed=1))
    best = found["rows"][0]
    assert (best["cells"], best["n"], best["detail"]["observed"], best["n_cellsets"]) == ([a, b], 3, 3, 2)
    assert best["statistic"] == pytest.approx(4.158883, abs=5e-7)
    assert [row["rank"] for row in found["rows"] if row["statistic"] == best["statistic"]] == [1]


def test_equal_outcomes_leave_nothing_to_test(spark):
    cellsets, labels = draw(6, n=10, zonings=2)
    found = run(spark, cellsets, dict.fromkeys(labels, 1), ScanConfig(n_simulations=99, seed=1))
    assert found["rows"] == [] and found["objects"] == {}
    assert [row["max_statistic"] for row in found["null"]] == [0.0] * 99
    assert (found["nulls"][0]["p_value"], found["nulls"][0]["significant"]) == (1.0, False)
