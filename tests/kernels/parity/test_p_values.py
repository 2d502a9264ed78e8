from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.parity.p_values import at_most, holm, p_value, smallest_attainable


def adjusted(values: list[str | None]) -> list[float | None]:
    return [
        None if p is None else float(p) for p in holm([None if v is None else Fraction(v) for v in values])
    ]


def test_an_undefined_p_value_leaves_the_others_defined_and_is_no_test() -> None:
    """statsmodels #2899 and #764."""
    assert adjusted(["0.01", None, "0.03", "0.04"]) == [0.03, None, 0.06, 0.06]


def test_adjusted_values_never_fall() -> None:
    """Scylla #288: 0.044 in third place."""
    assert adjusted(["0.010", "0.020", "0.022", "0.5"]) == [0.04, 0.06, 0.06, 0.5]


@given(st.lists(st.fractions(0, 1), min_size=1, max_size=12))
def test_holm_by_definition(values: list[Fraction]) -> None:
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = holm(values)
    for rank, i in enumerate(order):
        expected = max(min(Fraction(1), (len(values) - j) * values[order[j]]) for j in range(rank + 1))
        assert found[i] == expected


def test_a_p_value_at_alpha_is_significant() -> None:
    """Scylla #288: < in one place and <= in another; 1 - 0.99 is 0.010000000000000009."""
    assert at_most(p_value(9, 999, exact=False), 0.01)
    assert not at_most(p_value(10, 999, exact=False), 0.01)
    assert at_most(4 * p_value(0, 399, exact=False), 0.01)


def test_simulations_that_equal_the_observed_count() -> None:
    """fieldtrip #2608, mlxtend #718: p-values of 0."""
    assert p_value(0, 999, exact=False) == Fraction(1, 1000)
    assert p_value(1, 15, exact=True) == Fraction(1, 15)


@pytest.mark.parametrize(
    ("sizes", "expected"), [([4, 4], 2 / 70), ([2, 4], 1 / 15), ([2, 2, 2], 6 / 90), ([10**6, 10**6], 0.0)]
)
def test_smallest_attainable(sizes: list[int], expected: float) -> None:
    assert smallest_attainable(sizes) == pytest.approx(expected)


def test_the_smallest_is_attained() -> None:
    from movfair_spark.kernels.parity.enumeration import enumerate_pair
    from movfair_spark.kernels.parity.moments import floors
    from tests.kernels.parity.test_pair import observed, pooled

    z = pooled(np.array([1.0, 2.0, 4.0, 101.0, 102.0, 105.0]))
    counts, splits = enumerate_pair(z[None], 3, floors(observed(z, np.array([0, 0, 0, 1, 1, 1])))[None])
    assert counts[0, 0] / splits == smallest_attainable([3, 3])
