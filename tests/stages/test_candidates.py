"""The table of candidates is the set of all candidates, by brute force."""

from __future__ import annotations

from movfair_spark.config.scan import ScanConfig
from movfair_spark.stages.candidates import candidates, memberships_left_out
from movfair_spark.stages.population import population
from movfair_spark.stages.prepare import prepared
from tests.oracle.scan import candidates as oracle
from tests.stages.frames import cellsets_frame, labels_frame
from tests.stages.populations import draw


def test_every_subset_that_somebody_holds(spark):
    cellsets, labels = draw(6)
    frame, config = cellsets_frame(spark, cellsets), ScanConfig()
    tested = population(frame, labels_frame(spark, labels), config)
    numbers = {uid: i for i, uid in enumerate(tested.uids.to_pylist())}
    expected = {
        (zoning_id, cells): len(members)
        for zoning_id, of in cellsets.items()
        for cells, members in oracle({numbers[u]: c for u, c in of.items() if u in numbers}).items()
    }
    with prepared(frame, tested, config) as scan:
        rows = candidates(scan, {0: 1, 1: 1, 2: 1}).collect()
        assert {(r["zoning_id"], tuple(r["cells"])): r["support"] for r in rows} == expected
        assert len({(r["zoning_id"], r["candidate_id"]) for r in rows}) == len(rows) == len(expected)
        assert memberships_left_out(scan, sum(expected.values())) == 0
        some = candidates(scan, {1: 4}).collect()
        kept = {key: n for key, n in expected.items() if key[0] == 1 and n >= 4}
        assert {(r["zoning_id"], tuple(r["cells"])): r["support"] for r in some} == kept
        assert memberships_left_out(scan, sum(kept.values())) == sum(expected.values()) - sum(kept.values())


def test_report_13_support_of_parts(spark):
    """mlxtend #690, python-fp-growth #2: seven candidates with the right supports, repeats counted once."""
    a, b, c = 1, 2, 3
    frame = cellsets_frame(spark, {0: {1: [a, b], 2: [a, c], 3: [c], 4: [a, b, c], 5: [a, b], 6: [a, a, a]}})
    tested = population(frame, labels_frame(spark, {i: i % 2 for i in range(1, 7)}), ScanConfig())
    with prepared(frame, tested, ScanConfig()) as scan:
        rows = {tuple(row["cells"]): row["support"] for row in candidates(scan, {0: 1}).collect()}
    assert rows == {(a,): 5, (b,): 3, (c,): 3, (a, b): 3, (a, c): 2, (b, c): 1, (a, b, c): 1}
