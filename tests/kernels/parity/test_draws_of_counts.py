from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from movfair_spark.kernels.parity.ad_permutation import permute_anderson_darling
from movfair_spark.kernels.parity.counts import permute_anderson_darling_counts, permute_pair_counts
from movfair_spark.kernels.parity.draws_of_counts import (
    binomial,
    hypergeometric,
    permute_counts,
    resample_counts,
)
from movfair_spark.kernels.parity.pair import permute_pair
from movfair_spark.kernels.parity.philox import key_of

KEY = key_of(4, "counts")


def fits(draws: np.ndarray, low: int, high: int, pmf: np.ndarray) -> bool:
    seen = np.bincount(draws - low, minlength=high - low + 1)
    rare = pmf * draws.size < 5
    observed, expected = (
        np.append(seen[~rare], seen[rare].sum()),
        np.append(pmf[~rare], pmf[rare].sum()) * draws.size,
    )
    keep = expected > 0
    return (
        float(
            stats.chisquare(
                observed[keep], expected[keep] * observed[keep].sum() / expected[keep].sum()
            ).pvalue
        )
        > 1e-3
    )


@pytest.mark.parametrize(
    ("good", "bad", "sample"), [(30, 50, 20), (3, 7, 4), (500, 9_500, 4_000), (1, 1_000, 500)]
)
def test_hypergeometric(good: int, bad: int, sample: int) -> None:
    draws = np.array([hypergeometric(good, bad, sample, *KEY, np.uint64(0), b)[0] for b in range(6_000)])
    low, high = max(0, sample - bad), min(good, sample)
    assert fits(draws, low, high, stats.hypergeom(good + bad, good, sample).pmf(np.arange(low, high + 1)))


@pytest.mark.parametrize(("n", "p"), [(30, 0.3), (5, 0.9), (10_000, 0.02)])
def test_binomial(n: int, p: float) -> None:
    draws = np.array([binomial(n, p, *KEY, np.uint64(0), b)[0] for b in range(6_000)])
    assert fits(draws, 0, n, stats.binom(n, p).pmf(np.arange(n + 1)))


def test_no_choice_is_no_draw() -> None:
    assert hypergeometric(5, 0, 3, *KEY, np.uint64(9), 0) == (3, 9)
    assert hypergeometric(5, 7, 0, *KEY, np.uint64(9), 0) == (0, 9)


def test_a_permuted_table_keeps_both_margins() -> None:
    multiplicities, sizes = np.array([7, 1, 40, 2]), np.array([10, 25, 15])
    counts = np.zeros((4, 3), dtype=np.int64)
    for number in range(100):
        permute_counts(multiplicities, sizes, 1, counts, *KEY, number)
        assert counts.min() >= 0
        assert counts.sum(axis=0).tolist() == sizes.tolist()
        assert counts.sum(axis=1).tolist() == multiplicities.tolist()


def test_a_resampled_table_keeps_its_size() -> None:
    drawn = np.zeros(3, dtype=np.int64)
    total = np.zeros(3, dtype=np.int64)
    for number in range(2_000):
        resample_counts(np.array([10, 0, 30]), drawn, *KEY, number)
        assert drawn.sum() == 40
        total += drawn
    assert total[1] == 0
    assert total[0] / 80_000 == pytest.approx(0.25, abs=4 * math.sqrt(0.25 * 0.75 / 80_000))


def test_rows_and_counts_have_the_same_distribution() -> None:
    rng = np.random.default_rng(5)
    values, counts = np.unique(np.round(rng.normal(size=400)), return_counts=True)
    z = (values - np.average(values, weights=counts)) / math.sqrt(np.cov(values, fweights=counts, ddof=0))
    floor = np.array([0.1, 0.15, 0.2, 0.4, 1.0, 1.0])
    n = 2_000
    rows = permute_pair(np.repeat(z, counts)[None], 100, floor[None], *KEY, 0, n)[0]
    table = permute_pair_counts(z, counts, 100, floor, *KEY, 0, n)
    sizes = np.array([100, 300])
    rows = np.append(rows, permute_anderson_darling(counts, sizes, 1.0, *KEY, 0, n))
    table = np.append(table, permute_anderson_darling_counts(counts, sizes, 1.0, *KEY, 0, n))
    for a, b in zip(rows / n, table / n, strict=True):
        spread = math.sqrt(2 * max((a + b) / 2 * (1 - (a + b) / 2), 1 / n) / n)
        assert abs(a - b) < 4.5 * spread
