from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from movfair_spark.kernels.parity import pair
from movfair_spark.kernels.parity.enumeration import enumerate_pair, splits_exceed
from movfair_spark.kernels.parity.moments import compare, floors, weighted_moments
from movfair_spark.kernels.parity.pair import compare_split, permute_pair
from movfair_spark.kernels.parity.philox import key_of
from movfair_spark.kernels.parity.series import standardise
from movfair_spark.kernels.parity.subsets import draw_labels

KEY = key_of(3, "pair")


def pooled(values: np.ndarray) -> np.ndarray:
    distinct, counts = np.unique(values, return_counts=True)
    z, _, _ = standardise(distinct, counts)
    return np.repeat(z, counts)


def observed(z: np.ndarray, labels: np.ndarray) -> np.ndarray:
    one = (np.ones(int((labels == g).sum()), dtype=np.int64) for g in (0, 1))
    return np.array(
        compare(*weighted_moments(z[labels == 0], next(one)), *weighted_moments(z[labels == 1], next(one)))
    )


def by_hand(z: np.ndarray, m: int, floor: np.ndarray, number: int) -> list[bool]:
    """The same permutation with scipy's moments."""
    labels = np.empty(z.size, dtype=np.int16)
    draw_labels(labels, np.array([m, z.size - m]), 1, np.empty(m, dtype=np.uint32), *KEY, number)
    a, b = z[labels == 0], z[labels == 1]
    differences = [f(a) - f(b) for f in (np.mean, np.var, stats.skew, stats.kurtosis)]
    return [not abs(d) < f for d, f in zip(differences, floor, strict=False)]


@pytest.mark.parametrize("n", [100, 400])
def test_counts_equal_scipys_moments_permutation_by_permutation(n: int) -> None:
    rng = np.random.default_rng(n)
    z, m = pooled(rng.standard_t(4, n)), n // 5
    floor = np.array([0.1, 0.2, 0.3, 0.5, math.nan, math.nan])
    counts = permute_pair(z[None], m, floor[None], *KEY, 0, 200)
    assert counts[0, :4].tolist() == np.sum([by_hand(z, m, floor, b) for b in range(200)], axis=0).tolist()


def test_power_sums_and_two_passes_give_the_same_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    z = pooled(np.round(rng.lognormal(0, 1, 500), 2))
    labels = (np.arange(500) % 4 == 0).astype(np.int16)
    floor = floors(observed(z, labels))[None]
    m = int(labels.sum())
    fast = permute_pair(z[None], m, floor, *KEY, 0, 300)
    slow = np.zeros((1, 6), dtype=np.int64)
    drawn = np.empty(500, dtype=np.int16)
    for number in range(300):
        draw_labels(drawn, np.array([m, 500 - m]), 1, np.empty(m, dtype=np.uint32), *KEY, number)
        pair.count_extreme(slow[0], compare_split(z, drawn), floor[0])
    assert (fast == slow).all()


def test_an_outlier_costs_no_digits() -> None:
    """One error of 1e9 among others near 0: what is left without it is far below the last digit of the sums."""
    rng = np.random.default_rng(6)
    values = np.append(rng.normal(size=599), 1e9)
    z = pooled(values)
    floor = np.array([1e-9, 1e-9, 100.0, 500.0, 1.0, 1.0])
    counts = permute_pair(z[None], 150, floor[None], *KEY, 0, 40)
    expected = np.sum([by_hand(z, 150, floor, b) for b in range(40)], axis=0)
    assert counts[0, :4].tolist() == expected.tolist()


def test_a_permutation_without_a_moment_counts() -> None:
    """Of 300 errors 298 are equal: most smaller groups are constant and have no skewness."""
    z = pooled(np.array([0.0] * 298 + [1.0, 2.0]))
    counts = permute_pair(z[None], 10, np.array([[9.0, 99.0, 99.0, 999.0, 99.0, 99.0]]), *KEY, 0, 100)[0]
    constant = 0
    for number in range(100):
        labels = np.empty(300, dtype=np.int16)
        draw_labels(labels, np.array([10, 290]), 1, np.empty(10, dtype=np.uint32), *KEY, number)
        constant += len(set(z[labels == 0])) == 1
    assert constant > 80
    assert counts.tolist() == [0, 0, constant, constant, 0, constant]


def test_series_of_one_task_share_draws_and_nothing_else() -> None:
    rng = np.random.default_rng(8)
    z = np.stack([pooled(rng.normal(size=300)), pooled(rng.exponential(size=300))])
    floor = np.full((2, 6), 0.2)
    together = permute_pair(z, 60, floor, *KEY, 0, 100)
    alone = [permute_pair(z[[v]], 60, floor[[v]], *KEY, 0, 100)[0] for v in range(2)]
    assert (together == np.stack(alone)).all()


def test_all_splits_of_unequal_groups() -> None:
    """simple-statistics #804: p = 0 from groups cut in the middle; a full enumeration holds the observed split."""
    z = pooled(np.array([1.0, 1.0, 9.0, 9.0, 9.0, 9.0]))
    statistics = observed(z, np.array([0, 0, 1, 1, 1, 1]))
    counts, splits = enumerate_pair(z[None], 2, floors(statistics)[None])
    assert splits == 15
    assert counts[0, :2].tolist() == [1, 15]


@pytest.mark.parametrize(("n_a", "n_b"), [(3, 4), (2, 7), (1, 6)])
def test_enumeration_equals_brute_force(n_a: int, n_b: int) -> None:
    from itertools import combinations

    rng = np.random.default_rng(n_a)
    z = pooled(np.round(rng.normal(size=n_a + n_b), 1))
    labels = np.ones(n_a + n_b, dtype=np.int16)
    labels[:n_a] = 0
    statistics = observed(z, labels)
    counts, splits = enumerate_pair(z[None], n_a, floors(statistics)[None])
    expected = np.zeros(6, dtype=np.int64)
    for chosen in combinations(range(z.size), n_a):
        split = np.ones(z.size, dtype=np.int16)
        split[list(chosen)] = 0
        found = observed(z, split)
        expected += [not abs(f) < g for f, g in zip(found, floors(statistics), strict=True)]
    assert splits == math.comb(n_a + n_b, n_a)
    assert counts[0].tolist() == expected.tolist()
    assert counts[0][~np.isnan(statistics)].min() >= 1


def test_counting_splits_stops_early() -> None:
    assert splits_exceed(10**8, 10**8, 100_000)
    assert not splits_exceed(1, 99_999, 100_000)
    assert splits_exceed(1, 100_000, 100_000)
