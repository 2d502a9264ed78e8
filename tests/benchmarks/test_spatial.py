"""The benchmark of the audit of points in its small form, on the session of the tests."""

from __future__ import annotations

from benchmarks.spatial import direct_seconds, same


def test_small_form_finds_what_numpy_finds(spark):
    assert same(spark, 20_000).ratio == 1.0


def test_the_direct_way_takes_time():
    assert direct_seconds(20_000) > 0.0
