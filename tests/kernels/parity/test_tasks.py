from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.parity.bootstrap import percentile_interval
from movfair_spark.kernels.parity.tasks import (
    AndersonDarlingTask,
    Block,
    BootstrapTask,
    PairTask,
    Task,
    blocks,
)
from tests.kernels.parity.samples import series

RNG = np.random.default_rng(2)
DATA = series([RNG.normal(size=60), RNG.normal(0.2, 1.5, size=25), RNG.normal(size=15)])
FEW = series([np.round(RNG.normal(size=600)), np.round(RNG.normal(size=250))], by_counts=True)


def tasks() -> list[Task]:
    floors = np.array([[0.1, 0.1, 0.2, 0.3, 0.5, 0.5]])
    return [
        PairTask((DATA,), ((0, 1),), floors, 1, ("g", "a", "b"), 301),
        PairTask((FEW,), ((0, 1),), floors, 1, ("g", "a", "b"), 101),
        AndersonDarlingTask(DATA, 1.5, 1, ("g",), 301),
        AndersonDarlingTask(FEW, 1.0, 1, ("g",), 101),
        BootstrapTask(DATA, 1, 1, ("g", "b"), 301),
        BootstrapTask(FEW, 1, 1, ("g", "b"), 101),
    ]


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("cuts", [1, 3, 8])
def test_the_same_bits_however_the_repetitions_are_cut(number: int, cuts: int) -> None:
    """CellphoneDB #231, squidpy #1233 and #1234: the result depends on the number of workers."""
    whole = tasks()[number].run(0, tasks()[number].repetitions)
    edges = np.linspace(0, tasks()[number].repetitions, cuts + 1).astype(int).tolist()
    parts = [tasks()[number].run(a, b) for a, b in zip(edges, edges[1:], strict=False)]
    assert np.array_equal(tasks()[number].join(parts), whole, equal_nan=True)


def test_another_seed_gives_another_answer() -> None:
    """DABEST-python #234: the user's seed never reaches the test."""
    draws = [BootstrapTask(DATA, 0, seed, ("g", "a"), 5).run(0, 5) for seed in (1, 2)]
    assert not np.array_equal(draws[0], draws[1])


def test_the_larger_group_may_stand_first_or_second() -> None:
    floors = np.array([[0.1, 0.1, 0.2, 0.3, 0.5, 0.5]])
    one = PairTask((DATA,), ((0, 1),), floors, 1, ("g",), 50).run(0, 50)
    other = PairTask((DATA,), ((1, 0),), floors, 1, ("g",), 50).run(0, 50)
    assert (one == other).all()


def test_blocks_cover_every_repetition_once() -> None:
    work = blocks(tasks(), 1e-5)
    for number, task in enumerate(tasks()):
        mine = [block for block in work if block.task == number]
        assert mine[0].first == 0
        assert mine[-1].last == task.repetitions
        assert all(a.last == b.first for a, b in zip(mine, mine[1:], strict=False))
    assert Block(0, 0, 1) < Block(0, 1, 2)


def test_bootstrap_moments_are_those_of_resamples() -> None:
    draws = BootstrapTask(DATA, 0, 1, ("g", "a"), 2_000).run(0, 2_000)
    _, table = DATA.table((0,))
    assert draws[:, 1].mean() == pytest.approx(1 - 1 / 60, abs=0.02)
    assert draws[:, 0].std() == pytest.approx(1 / np.sqrt(60), rel=0.1)
    assert table.sum() == 60


def test_a_percentile_interval_counts_undefined_draws() -> None:
    draws = np.array([np.nan, *range(41)])
    assert percentile_interval(draws, 0.95) == pytest.approx((1.0, 39.0, 1))
    low, high, undefined = percentile_interval(np.array([np.nan, np.nan, 1.0]), 0.95)
    assert np.isnan([low, high]).all()
    assert undefined == 2
