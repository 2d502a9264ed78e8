"""The benchmark of one and two workers: what counts to which part, and its small form."""

from __future__ import annotations

from benchmarks.events import Stage
from benchmarks.executors import PARTS, run, stage_seconds


def test_stages_count_to_the_turn_and_the_part_that_their_description_names():
    found = [
        Stage("turn", 0.1),
        Stage("stops", 3.0),
        Stage("scan: worlds 0-999 and observed, support 13 and over", 2.0),
        Stage("scan: worlds 0-999 and observed, support 5 and over", 1.0),
        Stage("scan: mine the evidence", 7.0),
        Stage("candidates", 4.0),
        Stage("", 9.0),
        Stage("turn", 0.1),
        Stage("stops", 2.0),
    ]
    assert {part: stage_seconds(found, PARTS[part]) for part in PARTS} == {
        "stops": [3.0, 2.0],
        "candidates": [4.0, 0.0],
        "simulations": [3.0, 0.0],
    }


def test_small_form_measures_all_parts_on_both_clusters():
    results = list(run(small=True))
    assert len(results) == 3
    assert all(result.ours > 0 and result.other > 0 for result in results)
