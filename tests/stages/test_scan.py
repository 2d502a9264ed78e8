"""The scan from cellsets and labels to evidence equals the brute-force oracle, however it is distributed."""

from __future__ import annotations

import json

import pytest

from movfair_spark.config.scan import ScanConfig
from movfair_spark.kernels.worlds import order
from tests.oracle.scan import Scan as OracleScan
from tests.oracle.scan import non_overlapping
from tests.oracle.scan import scan as oracle
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
    names = {row["members_id"]: each.members for row, each in zip(found["rows"], expected.evidence, strict=True)}
    assert len(set(names.values())) == len(names)
    assert all(names[r["members_id"]] == e.members for r, e in zip(found["rows"], expected.evidence, strict=True))
    objects: dict = {}
    for each in expected.evidence:
        for number in each.members:
            best, count = objects.get(expected.uids[number], (1.0, 0))
            objects[expected.uids[number]] = (min(best, each.p_value), count + 1)
    assert found["objects"] == objects
    chosen = [row["rank"] for row in found["rows"] if row["non_overlapping"]]
    assert chosen == non_overlapping(expected.evidence)


@pytest.mark.parametrize(
    ("partitions", "distribution", "seed"), [(1, "worlds", 6), (3, "blocks", 6), (8, "worlds", 3), (8, "blocks", 8)]
)
def test_whole_chain_equals_the_oracle(spark, partitions, distribution, seed):
    cellsets, labels = draw(seed)
    config = ScanConfig(n_simulations=99, alpha=0.5, seed=17, distribution=distribution)
    expected = oracle(cellsets, labels, order, n_simulations=99, alpha="0.5", seed=17)
    assert len(expected.evidence) >= 5
    assert_equal(run(spark, cellsets, labels, config, partitions=partitions), expected)


def test_one_null_per_zoning_in_one_direction(spark):
    cellsets, labels = draw(3)
    config = ScanConfig(n_simulations=49, alpha=0.3, seed=2, null="per_zoning", direction="low")
    expected = oracle(
        cellsets, labels, order, n_simulations=49, alpha="0.3", seed=2, per_zoning=True, direction="low"
    )
    found = run(spark, cellsets, labels, config)
    assert_equal(found, expected)
    assert {row["direction"] for row in found["rows"]} <= {"low"}


def test_objects_without_stops_can_be_included(spark):
    cellsets, labels = draw(4)
    config = ScanConfig(n_simulations=39, alpha=0.3, seed=2, direction="high", objects_without_stops="include")
    expected = oracle(
        cellsets, labels, order, n_simulations=39, alpha="0.3", seed=2, direction="high", include=True
    )
    assert len(expected.uids) == len(labels)
    assert_equal(run(spark, cellsets, labels, config), expected)


def test_report_1_ties_with_the_observed_maximum_count(spark):
    """fieldtrip #2608, mlxtend #718, permute #108: exact p = 0.1 for both; a strict > gives 0.001."""
    cellsets = {0: {i: [0 if i <= 3 else 1] for i in range(1, 7)}}
    found = run(spark, cellsets, {i: int(i <= 3) for i in range(1, 7)}, ScanConfig(alpha=0.2, seed=11))
    p = 0.1
    assert [round(row["statistic"], 6) for row in found["rows"]] == [4.158883, 4.158883]
    for row in found["rows"]:
        assert abs(row["p_value"] - p) <= 4 * (p * (1 - p) / 999) ** 0.5
        assert 0.062 <= row["p_value"] <= 0.138


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


def test_report_16_every_number_is_json(spark):
    """SpatialEpi #41, Fiona #684: no NaN and no Infinity in what goes into JSON."""
    cellsets, labels = draw(5, n=12, zonings=1)
    found = run(spark, cellsets, labels, ScanConfig(n_simulations=19, alpha=0.5, seed=1))
    json.dumps(found["nulls"], allow_nan=False)
    assert found["nulls"][0]["verdict_possible"]


@pytest.mark.parametrize("outcome", [0, 1])
def test_equal_outcomes_leave_nothing_to_test(spark, outcome):
    cellsets, labels = draw(6, n=10, zonings=2)
    found = run(spark, cellsets, dict.fromkeys(labels, outcome), ScanConfig(n_simulations=99, seed=1))
    assert found["rows"] == [] and found["objects"] == {}
    assert [row["max_statistic"] for row in found["null"]] == [0.0] * 99
    assert (found["nulls"][0]["p_value"], found["nulls"][0]["significant"]) == (1.0, False)
