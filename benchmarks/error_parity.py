"""Speed of the error parity test at the paper's size, and against scipy's permutation test.

Five models x 44,000 rows x 2 groups (76:24, as in the paper), 100,000 permutations within the pair for all four
moments and both studentised forms, exact permutation; with the Anderson-Darling permutations and the bootstrap on top.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from scipy import stats

from benchmarks.harness import Result
from movfair_spark.kernels.parity.analysis import analyse
from movfair_spark.kernels.parity.family import Family, Settings
from movfair_spark.kernels.parity.local import run_local
from movfair_spark.kernels.parity.moments import floors
from movfair_spark.kernels.parity.pair_tests import observed
from movfair_spark.kernels.parity.series import series_of
from movfair_spark.kernels.parity.tasks import PairTask

ROWS, SHARE, MODELS = 44_000, 0.76, 5


def families(rows: int) -> list[Family]:
    """Percentage errors like those of the paper's case study: peaked, right-skewed, heavy-tailed."""
    first = round(rows * SHARE)
    labels = np.repeat([0, 1], [first, rows - first])
    result = []
    for model in range(MODELS):
        rng = np.random.Generator(np.random.Philox(model))
        values = np.round(np.exp(rng.standard_t(6, rows) * 0.3) - 1.05, 6)
        series = series_of(values, labels, np.ones(rows, dtype=np.int64), 2)
        result.append(Family(f"model {model}", "percentage", "race", ("W", "N"), series))
    return result


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    rows, permutations = (4_000, 500) if small else (ROWS, 100_000)
    data = families(rows)
    analyse(
        families(400), Settings(permutations=9, pair_permutations=9, bootstrap_draws=9), run_local
    )  # compile
    task = PairTask(
        tuple(family.series for family in data),
        tuple((0, 1) for _ in data),
        np.stack([floors(observed(family, (0, 1))[0]) for family in data]),
        1,
        ("race", "W", "N"),
        permutations,
    )
    start = time.perf_counter()
    run_local([task])
    ours = time.perf_counter() - start
    yield Result(
        "error parity: post hoc tests at the paper's size (seconds)",
        ours,
        60.0,
        ours,
        60.0,
        "lower",
        f"{MODELS} models x {rows:,} rows x {permutations:,} permutations, 4 moments and 2 studentised forms",
    )
    start = time.perf_counter()
    analyse(data, Settings(pair_permutations=permutations, permutations=99 if small else 9_999), run_local)
    whole = time.perf_counter() - start
    yield Result(
        "error parity: the whole test at the paper's size (seconds)",
        whole,
        60.0,
        whole,
        60.0,
        "lower",
        "with 9,999 Anderson-Darling permutations and 2,000 bootstrap draws per model",
    )
    scipys, n = scipy_seconds(data[0], 20 if small else 200)
    per_permutation = scipys / n
    mine = ours / (permutations * MODELS)
    yield Result(
        "error parity: one permutation of one model against scipy (times faster)",
        mine,
        per_permutation,
        per_permutation / mine,
        50.0,
        "higher",
        f"scipy.stats.permutation_test, vectorised, the same four moments side by side, {n} permutations",
    )


def scipy_seconds(family: Family, n: int) -> tuple[float, int]:
    """Time scipy's permutation test on the same pair and moments: seconds, permutations."""
    values = family.series.values[np.repeat(family.series.level, family.series.count)]
    labels = family.series.labels()

    def statistic(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        moments = [
            abs(f(a, axis=axis) - f(b, axis=axis)) for f in (np.mean, np.var, stats.skew, stats.kurtosis)
        ]
        return np.stack(moments, axis=-1)

    start = time.perf_counter()
    stats.permutation_test(
        (values[labels == 0], values[labels == 1]),
        statistic,
        permutation_type="independent",
        vectorized=True,
        n_resamples=n,
        batch=20,
        alternative="greater",
        rng=np.random.default_rng(1),
    )
    return time.perf_counter() - start, n
