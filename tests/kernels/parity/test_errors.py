from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.parity.errors import (
    FINE,
    NEGATIVE_TRUTH,
    NOT_FINITE,
    ZERO_DENOMINATOR,
    errors_of,
)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("difference", [1.0, -2.0]),
        ("absolute", [1.0, 2.0]),
        ("squared", [1.0, 4.0]),
        ("signed_squared", [1.0, -4.0]),
        ("percentage", [0.5, -0.5]),
        ("symmetric_percentage", [0.2, -0.333333333333]),
        ("prediction_only", [3.0, 2.0]),
    ],
)
def test_formulas(metric: str, expected: list[float]) -> None:
    values, problem = errors_of(metric, np.array([3.0, 2.0]), np.array([2.0, 4.0]))
    assert values.tolist() == expected
    assert problem.tolist() == [FINE, FINE]


def test_a_percentage_of_zero_is_no_error_and_never_infinite() -> None:
    values, problem = errors_of("percentage", np.array([1.0, 0.0]), np.array([0.0, 0.0]))
    assert problem.tolist() == [ZERO_DENOMINATOR] * 2
    assert np.isfinite(values).all()


def test_the_symmetric_form_of_zero_and_zero_is_zero() -> None:
    values, problem = errors_of("symmetric_percentage", np.array([0.0, 2.0]), np.array([0.0, -2.0]))
    assert values[0] == 0.0
    assert problem.tolist() == [FINE, ZERO_DENOMINATOR]


def test_negative_truths_are_marked_in_the_percentage_forms_only() -> None:
    p, t = np.array([1.0]), np.array([-2.0])
    assert errors_of("percentage", p, t)[1].tolist() == [NEGATIVE_TRUTH]
    assert errors_of("symmetric_percentage", p, t)[1].tolist() == [NEGATIVE_TRUTH]
    assert errors_of("difference", p, t)[1].tolist() == [FINE]


def test_an_overflow_is_no_error() -> None:
    assert errors_of("squared", np.array([1e200]), np.array([0.0]))[1].tolist() == [NOT_FINITE]
    assert errors_of("difference", np.array([1.7e308]), np.array([-1.7e308]))[1].tolist() == [NOT_FINITE]


def test_exact_differences_are_not_rounded() -> None:
    difference = np.array([9007199254740991])
    values, _ = errors_of("difference", np.array([9.007199254740992e15]), np.array([1.0]), difference)
    assert values[0] == 9007199254740991.0
