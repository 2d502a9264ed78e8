"""The benchmark of the paper's size: its sizes are for `make bench-paper`, its arithmetic is held here."""

from __future__ import annotations

import pytest

from benchmarks.paper import marginal_ratio, results


def test_marginal_cost_leaves_out_what_every_run_pays():
    assert marginal_ratio([(10, 5.0 + 1.0), (100, 5.0 + 10.0), (1000, 5.0 + 100.0)]) == 1.0
    assert marginal_ratio([(10, 6.0), (100, 15.0), (1000, 150.0)]) == pytest.approx(1.5)


def test_a_small_size_runs_through_and_prints_its_steps(capsys):
    assert list(results((0.02,))) == []
    shown = capsys.readouterr().out
    assert "144,000 fixes" in shown.replace("\n", " ") or "0.02 %" in shown
    assert "evidence" in shown
