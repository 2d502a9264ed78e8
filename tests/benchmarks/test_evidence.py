"""The population of the benchmark from stops to evidence, and its small form."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from benchmarks.evidence import labels, run, stops


def test_people_have_about_46_stops_in_ten_days():
    table = stops(300)
    assert 45 * 300 < table.num_rows < 47 * 300
    assert pc.all(pc.less(table["arrive"], table["leave"])).as_py()
    assert len(pc.unique(table["uid"])) == 300


def test_outcomes_differ_at_one_workplace_only():
    outcome = labels(20_000)["outcome"].to_numpy()
    assert abs(outcome.mean() - 0.6) < 0.02
    assert np.array_equal(outcome, labels(20_000)["outcome"].to_numpy())


def test_small_form_runs_to_the_evidence():
    seconds, memory, same_null, other_null = run(small=True)
    assert seconds.ours > 0 and memory.ours > 0
    assert "40 zonings" in seconds.note and "rows of evidence" in seconds.note
    for second in (same_null, other_null):
        assert second.ours > 0 and "cellsets" not in second.note
