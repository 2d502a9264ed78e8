"""The choice of what fans out, on paper."""

from __future__ import annotations

import pytest

from movfair_spark.errors import ConfigurationError
from movfair_spark.fanout.planner import plan


def test_memberships_that_fit_are_broadcast():
    chosen = plan(memberships_bytes=17_600_000, world_bytes=1_250, n_zonings=40, n_worlds=1_000, slots=2)
    assert (chosen.distribution, chosen.broadcast_bytes) == ("worlds", 17_600_000)
    assert (chosen.passes, chosen.tasks) == (1, 4)
    assert "17.6 MB" in chosen.reason and "64 MB" in chosen.reason


def test_memberships_over_the_ceiling_stay_in_blocks():
    """A ceiling makes the planner choose blocks instead of failing."""
    chosen = plan(memberships_bytes=64_000_001, world_bytes=12_500, n_zonings=40, n_worlds=1_000, slots=2)
    assert (chosen.distribution, chosen.broadcast_bytes) == ("blocks", 12_800_000)
    assert (chosen.passes, chosen.tasks) == (1, 40)
    assert "over the limit" in chosen.reason


def test_a_distribution_that_was_asked_for():
    small = dict(memberships_bytes=100, world_bytes=1.25, n_zonings=1, n_worlds=10, slots=2)
    assert plan(**small, asked="blocks").distribution == "blocks"
    assert plan(**small, asked="worlds").distribution == "worlds"
    with pytest.raises(ConfigurationError, match="broadcast_limit_mb = 1e-05"):
        plan(**small, asked="worlds", limit_mb=0.00001)


def test_forty_zonings_of_a_million_people_on_64_cores():
    """9,999 simulations: 10 jobs per round, every core busy, memory per worker below 500 MB."""
    chosen = plan(memberships_bytes=840_000_000, world_bytes=125_000, n_zonings=40, n_worlds=10_000, slots=64)
    assert chosen.distribution == "blocks"
    assert chosen.passes == 10
    assert chosen.tasks >= 4 * 64
    assert chosen.broadcast_bytes == 128 * 10**6
    assert chosen.worker_bytes < 500_000_000


def test_many_worlds_share_few_blocks():
    chosen = plan(memberships_bytes=1_000_000, world_bytes=125, n_zonings=40, n_worlds=100_000, slots=64)
    assert (chosen.worlds_per_pass, chosen.passes) == (64 * 1024, 2)
    assert chosen.tasks == 128


def test_large_outcomes_are_counted_in_fewer_worlds_at_once():
    """A million real values take 4 MB per world: 128 worlds are within 512 MB."""
    chosen = plan(memberships_bytes=10**6, world_bytes=4e6, n_zonings=40, n_worlds=1_000, slots=2)
    assert (chosen.lane, chosen.worlds_per_pass, chosen.passes) == (128, 256, 4)
    blocks = plan(memberships_bytes=10**9, world_bytes=4e6, n_zonings=40, n_worlds=1_000, slots=2)
    assert (blocks.lane, blocks.worlds_per_pass, blocks.broadcast_bytes) == (128, 128, 512 * 10**6)
