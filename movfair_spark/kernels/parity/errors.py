"""Errors of a regression model, row by row (paper, section 3.3).

The paper prints the symmetric percentage form as (ŷ − y) / (y + y); its text ("the average of the predicted and
ground truth values") says what is meant, (ŷ − y) / (ŷ + y), and that is what is computed: twice this is the usual
symmetric error, and the factor changes no test. 0/0 is 0 there, as the paper says.
"""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels.parity.rounding import round_differences, round_errors

METRICS = (
    "difference",
    "absolute",
    "squared",
    "signed_squared",
    "percentage",
    "symmetric_percentage",
    "prediction_only",
)
#: Metrics whose values of integer columns are integers and stay exact.
EXACT_METRICS = ("difference", "absolute", "prediction_only")
PERCENTAGES = ("percentage", "symmetric_percentage")

FINE, ZERO_DENOMINATOR, NEGATIVE_TRUTH, NOT_FINITE = 0, 1, 2, 3


def errors_of(
    metric: str, prediction: np.ndarray, truth: np.ndarray, difference: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Errors of one metric and what is wrong with each row.

    Parameters
    ----------
    metric : str
        One of `METRICS`.
    prediction, truth : float64[n]
        Finite values; ``truth`` is not looked at by ``prediction_only``.
    difference : float64[n], optional
        prediction − truth where it is known exactly (integer columns); otherwise it is computed and rounded.

    Returns
    -------
    errors : float64[n]
        Rounded (`rounding`); 0 where ``problem`` is not ``FINE``.
    problem : int8[n]
        ``FINE``, or why the row has no such error: a zero denominator, a negative truth in a percentage form, or
        an error beyond the range of floats. A row may have an error and be marked ``NEGATIVE_TRUTH``: the caller
        decides whether negative truths were asked for.
    """
    problem = np.zeros(prediction.size, dtype=np.int8)
    if metric == "prediction_only":
        return round_errors(prediction), problem
    with np.errstate(all="ignore"):
        gap = round_differences(prediction, truth) if difference is None else difference.astype(np.float64)
        if metric == "difference":
            result = gap
        elif metric == "absolute":
            result = np.abs(gap)
        elif metric == "squared":
            result = gap * gap
        elif metric == "signed_squared":
            result = gap * np.abs(gap)
        elif metric == "percentage":
            result = gap / np.where(truth == 0.0, 1.0, truth)
            problem[truth == 0.0] = ZERO_DENOMINATOR
        elif metric == "symmetric_percentage":
            below = prediction + truth
            result = np.where(gap == 0.0, 0.0, gap / np.where(below == 0.0, 1.0, below))
            problem[(below == 0.0) & (gap != 0.0)] = ZERO_DENOMINATOR
        else:
            raise ValueError(metric)
    if metric in PERCENTAGES:
        problem[(truth < 0.0) & (problem == FINE)] = NEGATIVE_TRUTH
    problem[~np.isfinite(result) & (problem == FINE)] = NOT_FINITE
    result = np.where((problem == FINE) | (problem == NEGATIVE_TRUTH), result, 0.0)
    exact = difference is not None and metric in EXACT_METRICS
    return (result + 0.0 if exact else round_errors(result)), problem
