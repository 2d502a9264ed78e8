from __future__ import annotations

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from movfair_spark.kernels.parity.ad_approximation import approximate, critical_values
from movfair_spark.kernels.parity.anderson_darling import (
    midrank_of_counts,
    midrank_weights,
    right_continuous_of_counts,
    standardised,
)
from movfair_spark.kernels.parity.distribution_test import distribution_tests, statistic_of
from movfair_spark.kernels.parity.family import Settings
from movfair_spark.kernels.parity.local import run_local
from tests.kernels.parity.samples import family, series


def statistic(samples: list[list[float]]) -> float:
    data = series(samples)
    return standardised(statistic_of(data), data.sizes)


def right(samples: list[list[float]]) -> float:
    data = series(samples)
    _, table = data.table(tuple(range(data.n_groups)))
    return standardised(right_continuous_of_counts(table), data.sizes)


def scipys(samples: list[list[float]], *, midrank: bool) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(stats.anderson_ksamp([np.array(s) for s in samples], midrank=midrank).statistic)


SAMPLES = st.lists(st.lists(st.integers(0, 8).map(float), min_size=2, max_size=12), min_size=2, max_size=5)


@given(SAMPLES)
def test_statistics_equal_scipys_with_ties(samples: list[list[float]]) -> None:
    assume(len({x for s in samples for x in s}) > 1)
    assert statistic(samples) == pytest.approx(scipys(samples, midrank=True), abs=1e-9, rel=1e-9)
    assert right(samples) == pytest.approx(scipys(samples, midrank=False), abs=1e-9, rel=1e-9)


@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(3, 200))
def test_statistics_equal_scipys_without_ties(seed: int, k: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    samples = [rng.normal(size=n).tolist() for _ in range(k)]
    assert statistic(samples) == pytest.approx(scipys(samples, midrank=True), abs=1e-9, rel=1e-9)


def test_rows_and_counts_give_the_same() -> None:
    data = series([[1.0, 2.0, 2.0, 5.0], [2.0, 3.0], [1.0, 5.0, 5.0]])
    _, weights = midrank_weights(data.multiplicities)
    _, table = data.table((0, 1, 2))
    assert midrank_of_counts(table, weights) == pytest.approx(statistic_of(data), rel=1e-14)


def half_unit(text: str) -> float:
    """Half a unit of the last digit of a printed number."""
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 0.5 * 10.0 ** (int(exponent or 0) - decimals) * (1 + 1e-9)


def printed(data: Path) -> dict[str, object]:
    path = data / "scan" / "ad_ksample_scholz_stephens" / "ad_ksample.json"
    # Numbers as they are printed: the last digit says how precise they are.
    return dict(json.loads(path.read_text(), parse_float=str, parse_int=str))


@pytest.mark.parametrize(
    "name", ["example1_lehmann_paper_smoothness", "example2_air_conditioning_14_samples"]
)
def test_scholz_and_stephens_examples(shared_data: Path, name: str) -> None:
    example = dict(printed(shared_data)[name])  # type: ignore[call-overload]
    samples = [[float(x) for x in s] for s in example["samples"]]
    assert abs(statistic(samples) - float(example["T_midrank"])) <= half_unit(example["T_midrank"])
    assert abs(right(samples) - float(example["T_right"])) <= half_unit(example["T_right"])
    critical = critical_values(len(samples))
    for ours, theirs in zip(critical, example["critical_values_25_10_5_2.5_1pct"], strict=False):
        assert abs(ours - float(theirs)) <= half_unit(theirs)


def test_r_ksamples(shared_data: Path) -> None:
    """Two groups of 100 and a shift; its second group is 1..100 + shift, as scipy's tests give it."""
    cases = printed(shared_data)["R_kSamples_1.2-6_r1=1..100_vs_r1+shift"]
    for case in cases:  # type: ignore[attr-defined]
        a = [float(x) for x in range(1, 101)]
        samples = [a, [x + float(case["shift"]) for x in a]]
        if "T_v1" in case:
            assert abs(right(samples) - float(case["T_v1"])) <= half_unit(case["T_v1"]), case
        if "T_v2" in case:
            assert abs(statistic(samples) - float(case["T_v2"])) <= half_unit(case["T_v2"]), case


def test_the_interpolation_is_scipys(shared_data: Path) -> None:
    content = printed(shared_data)
    for name, k in (("e1_right", 4), ("e1_midrank", 4), ("e2_right", 14), ("e2_midrank", 14)):
        theirs = dict(content[f"scipy_1.17.1_{name}"])  # type: ignore[call-overload]
        found = approximate(float(theirs["statistic"]), k)
        assert found.p_value == pytest.approx(float(theirs["p_interp"]), rel=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "t", "exact", "text"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], -1.639945, 1.0, "> 0.25"),
        ([1, 2, 3, 4, 5, 6], [101, 102, 103, 104, 105, 106], 5.758347, 2 / 924, "0.0019"),
        (list(range(1, 9)), list(range(101, 109)), 7.811887, 2 / 12870, "< 0.001"),
        ([1, 2, 3, 4], [11, 12, 13, 14], 3.686606, 2 / 70, "0.0106"),
    ],
)
def test_exact_p_beside_the_approximation(
    a: list[float], b: list[float], t: float, exact: float, text: str
) -> None:
    """scipy #5493, #8536, #9527: p-values above 1, clipped ones shown as values."""
    (found,) = distribution_tests([family([a, b])], Settings(permutations=20_000), run_local)
    assert round(float(found.standardised or 0), 6) == t
    assert float(found.p_value) == exact
    assert found.approximation_text == text
    assert found.exact
    # Data without ties and equal sizes: nothing beats both extreme labelings.
    assert found.smallest == pytest.approx(2 / math.comb(2 * len(a), len(a)))


def test_a_random_p_is_near_the_exact_one() -> None:
    a, b = [1.0, 2.0, 3.0, 5.0, 8.0, 9.0, 11.0], [4.0, 6.0, 7.0, 10.0, 12.0, 13.0, 14.0]
    (exact,) = distribution_tests([family([a, b])], Settings(permutations=3_432), run_local)
    (drawn,) = distribution_tests([family([a, b])], Settings(permutations=3_431), run_local)
    p = float(exact.p_value)
    assert exact.exact
    assert not drawn.exact
    assert abs(float(drawn.p_value) - p) < 4 * math.sqrt(p * (1 - p) / 3_431)


def test_equal_errors_are_nothing_to_test() -> None:
    """scipy #17667: twelve errors of 0.1."""
    (found,) = distribution_tests([family([[0.1] * 6, [0.1] * 6])], Settings(), run_local)
    assert (found.p_value, found.rejected, found.statistic) == (1, False, None)
    assert found.note == "all errors are equal: nothing to test"


def test_three_errors_have_no_standard_deviation() -> None:
    assert math.isnan(statistic([[1.0, 2.0], [3.0]]))
