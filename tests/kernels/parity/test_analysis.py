from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from movfair_spark.kernels.parity.analysis import analyse, family_size, permutations_needed
from movfair_spark.kernels.parity.family import MomentTest, Result, Settings
from movfair_spark.kernels.parity.local import run_local
from tests.kernels.parity.samples import family

FAST = Settings(permutations=999, pair_permutations=9_999, bootstrap_draws=200)


def one(groups: list[list[float]], settings: Settings = FAST) -> Result:
    (result,) = analyse([family(groups)], settings, run_local)
    return result


def moments(result: Result) -> dict[str, MomentTest]:
    return {test.moment: test for test in result.moments}


def test_groups_keep_their_sizes_and_an_enumeration_adds_nothing() -> None:
    """simple-statistics #804: errors 9, 9, 9, 9 and 1, 1."""
    found = moments(one([[9.0, 9.0, 9.0, 9.0], [1.0, 1.0]]))
    assert found["mean"].difference == pytest.approx(8.0)
    assert found["mean"].p_value == Fraction(1, 15)
    assert (found["variance"].difference, found["variance"].p_value) == (0.0, 1)
    assert found["skewness"].p_value is None
    assert found["kurtosis"].note.startswith("not defined")
    assert found["mean"].smallest == pytest.approx(1 / 15)
    assert found["mean"].family_size == 2


def test_constant_errors_are_nothing_to_test() -> None:
    """scipy #17667 and #26082, after rounding: all twelve errors are 0.1."""
    result = one([[0.1] * 6, [0.1] * 6])
    assert (result.test.p_value, result.test.rejected) == (1, False)
    assert [test.p_value for test in result.moments] == [1, 1, None, None]


def test_a_group_without_a_moment_stays_out_of_the_family() -> None:
    """scipy #11086: NaN >= NaN is false, so that p becomes 1/(n + 1)."""
    rng = np.random.default_rng(1)
    groups = [rng.normal(size=30).tolist(), rng.normal(size=30).tolist(), [0.5] * 30]
    assert family_size(family(groups)) == 4 + 2 + 2
    result = one(groups)
    assert {test.family_size for test in result.moments} == {8}
    assert sum(test.p_holm is None for test in result.moments) == 4


def test_a_shift_is_seen_in_the_mean_only() -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(size=400)
    result = one([a.tolist(), (rng.permutation(a) + 1.0).tolist()])
    found = moments(result)
    assert result.test.rejected
    assert [found[m].mark for m in ("mean", "variance", "skewness", "kurtosis")] == ["bold", "", "", ""]
    assert found["mean"].difference == pytest.approx(-1.0)
    # The pooled sd is that of both groups together: sqrt(1 + 1/4) in units of the groups' own.
    assert found["mean"].effect == pytest.approx(-1.0 / np.sqrt(a.var() + 0.25))
    assert found["mean"].effect_low < found["mean"].effect < found["mean"].effect_high  # type: ignore[operator]


def test_no_mark_without_the_distribution_test() -> None:
    """The paper's rule: post hoc tests follow a rejection."""
    rng = np.random.default_rng(3)
    result = one(
        [rng.normal(size=50).tolist(), rng.normal(size=50).tolist()],
        Settings(alpha=0.9, permutations=1, pair_permutations=999, bootstrap_draws=10),
    )
    if not result.test.rejected:
        assert {test.mark for test in result.moments} == {""}


def test_a_dagger_is_a_raw_p_alone() -> None:
    rng = np.random.default_rng(11)
    groups = [rng.normal(size=80).tolist() for _ in range(4)]
    groups[0] = [x + 0.42 for x in groups[0]]
    result = one(groups, Settings(alpha=0.05, permutations=999, pair_permutations=9_999, bootstrap_draws=10))
    for test in result.moments:
        assert test.p_value is not None
        assert test.p_holm is not None
        expected = (
            ""
            if not result.test.rejected or test.p_value > Fraction("0.05")
            else ("bold" if test.p_holm <= Fraction("0.05") else "dagger")
        )
        assert test.mark == expected
    assert "dagger" in {test.mark for test in result.moments}


def test_the_plain_test_of_the_mean_is_one_of_exchangeability() -> None:
    """Equal means, sd 1 against 3, sizes 950 and 50: the plain p is small far too often, the studentised one not."""
    plain = studentised = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        groups = [rng.normal(0, 1, 950).tolist(), rng.normal(0, 3, 50).tolist()]
        found = moments(
            one(groups, Settings(permutations=19, pair_permutations=399, bootstrap_draws=2, seed=seed))
        )["mean"]
        plain += found.p_value <= Fraction("0.05")  # type: ignore[operator]
        studentised += found.p_studentised <= Fraction("0.05")  # type: ignore[operator]
    assert plain >= 15
    assert studentised <= 9


def test_models_of_the_same_rows_share_draws() -> None:
    rng = np.random.default_rng(4)
    groups = [rng.normal(size=60).tolist(), rng.normal(size=40).tolist()]
    both = analyse(
        [family(groups, "m1"), family([[2 * x for x in g] for g in groups], "m2")], FAST, run_local
    )
    assert [t.p_value for t in both[0].moments] == [t.p_value for t in both[1].moments]
    assert [t.effect_low for t in both[0].moments] == pytest.approx([t.effect_low for t in both[1].moments])


def test_row_order_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    groups = [rng.normal(size=60).tolist(), rng.normal(size=40).tolist()]
    assert [t.p_value for t in one(groups).moments] == [
        t.p_value for t in one([g[::-1] for g in groups]).moments
    ]


@pytest.mark.parametrize(("size", "alpha", "needed"), [(4, 0.01, 399), (1, 0.05, 19), (1001, 0.01, 100_099)])
def test_permutations_that_a_family_needs(size: int, alpha: float, needed: int) -> None:
    assert permutations_needed(size, alpha) == needed
    assert Fraction(size, needed + 1) <= Fraction(str(alpha)) < Fraction(size, needed)
