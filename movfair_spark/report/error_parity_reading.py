"""Significant differences in the paper's terms (section 3.5), and nothing beyond them."""

from __future__ import annotations

import math

from movfair_spark.tables.error_parity import Row

MOMENT_WORDS = {"mean": "mean", "variance": "variance", "skewness": "skewness", "kurtosis": "kurtosis"}

#: Metrics whose sign tells over- from underprediction.
DIRECTED = ("difference", "signed_squared", "percentage", "symmetric_percentage")
SIZES = ("absolute", "squared")
#: Metrics whose mean and standard deviation are shown in percent.
PERCENTAGES = ("percentage", "symmetric_percentage")

EXCHANGEABILITY = (
    "A permutation test asks whether the groups' errors are exchangeable, that is, have one distribution. A small "
    "p-value for a moment says that they are not and that it is seen in this moment; a difference in spread alone can "
    "show in the mean of groups of unequal size. The studentised p-value beside it is about the moment itself."
)
LIMITS = (
    "The test says whether errors are distributed alike in these groups, in these data, by these error metrics. It "
    "does not say why, whether the truth was measured alike in all groups, or what follows for the people concerned."
)


def number(value: float | None, digits: int = 3) -> str:
    """Write a number for a reader: significant digits, no exponent between 0.001 and a million."""
    if value is None:
        return "not defined"
    if value == 0:
        return "0"
    size = abs(value)
    if not 1e-3 <= size < 1e6:
        return f"{value:.{digits - 1}e}"
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    return f"{value:,.{decimals}f}"


def in_unit(value: float | None, metric: str) -> str:
    """Write a mean or a standard deviation in the metric's unit: percent for percentages."""
    if metric in PERCENTAGES and value is not None:
        return f"{number(value * 100.0)} %"
    return number(value)


def p_text(p: float | None) -> str:
    """p-value for a reader."""
    if p is None:
        return "not defined"
    return f"{p:.2g}" if p < 0.001 else f"{p:.3f}" if p < 0.0995 else f"{p:.2f}"


def reading(pair: Row, alpha: float) -> str:
    """One paragraph on one significant difference of a moment between two groups.

    Parameters
    ----------
    pair : dict
        Row of the table ``error_pairs`` with a mark.
    alpha : float
    """
    a, b = pair["group_a"], pair["group_b"]
    value_a, value_b = pair["value_a"], pair["value_b"]
    low, high = (a, b) if value_a < value_b else (b, a)
    moment = pair["moment"]
    metric = pair["metric"]
    if moment == "variance":
        sds = f"{in_unit(pair['sd_a'], metric)} for {a}, {in_unit(pair['sd_b'], metric)} for {b}"
        seen = f"{number(value_a)} for {a}, {number(value_b)} for {b} (standard deviation {sds})"
    else:
        text = in_unit if moment == "mean" else lambda value, _: number(value)
        seen = f"{text(value_a, metric)} for {a}, {text(value_b, metric)} for {b}"
    start = f"The errors of {a} and {b} are not exchangeable; seen in the {moment}: {seen}. "
    meaning = {
        "mean": lambda: _mean(pair, low, high),
        "variance": lambda: _variance(pair, low, high),
        "skewness": lambda: _skewness(pair, low, high),
        "kurtosis": lambda: (
            f"{high} has more outliers: more of its {_what(pair)} are extreme, and the model does not learn very well "
            f"for it. Kurtosis alone does not tell which group is at an advantage."
        ),
    }[moment]()
    return start + meaning + " " + _certainty(pair, alpha)


def _mean(pair: Row, low: str, high: str) -> str:
    metric = pair["metric"]
    smaller, larger = sorted((pair["value_a"], pair["value_b"]))
    if metric == "prediction_only":
        return f"{high} receives higher predictions on average (equal outcomes, whatever the truth)."
    if metric in SIZES:
        return f"The errors of {high} are larger on average; in which direction, this metric does not tell."
    if metric not in DIRECTED:
        return f"'{metric}' is larger for {high} on average."
    if larger > 0 > smaller:
        return f"{high} is overpredicted on average, {low} is underpredicted."
    if smaller >= 0:
        return (
            f"Both are overpredicted on average, {high} more than {low}."
            if smaller > 0
            else f"{high} is overpredicted on average, {low} is not."
        )
    return (
        f"Both are underpredicted on average, {low} more than {high}."
        if larger < 0
        else f"{low} is underpredicted on average, {high} is not."
    )


def _variance(pair: Row, low: str, high: str) -> str:
    if pair["metric"] == "prediction_only":
        return f"The predictions for {high} are more dispersed than those for {low}."
    return (
        f"{high} has more dispersed prediction errors: predictions for {low} are more consistent, and some members of "
        f"{high} bear larger errors than others."
    )


def _skewness(pair: Row, low: str, high: str) -> str:
    value = max(pair["value_a"], pair["value_b"])
    other = min(pair["value_a"], pair["value_b"])
    if pair["metric"] in DIRECTED:
        tail = {
            True: f"{high} has the longer tail on the side of overprediction: more of its members are substantially overpredicted.",
            False: f"{low} has the longer tail on the side of underprediction: more of its members are substantially underpredicted.",
        }[value > 0]
        both = f" {low} has its longer tail on the side of underprediction." if value > 0 > other else ""
        return (
            tail
            + both
            + " Where the means are equal, this is at the cost of other members of the same group."
        )
    return f"The {_what(pair)} of {high} have the longer tail of large values."


def _what(pair: Row) -> str:
    return "predictions" if pair["metric"] == "prediction_only" else "errors"


def _certainty(pair: Row, alpha: float) -> str:
    effect = {
        "mean": "difference in pooled standard deviations",
        "variance": "logarithm of the ratio of standard deviations",
        "skewness": "difference of skewness",
        "kurtosis": "difference of kurtosis",
    }[pair["moment"]]
    interval = (
        f" (95 % interval {number(pair['effect_low'])} to {number(pair['effect_high'])})"
        if pair["effect_low"] is not None
        else ""
    )
    text = f"Effect: {effect} {number(pair['effect'])}{interval}; p = {p_text(pair['p_value'])}, {p_text(pair['p_holm'])} after Holm."
    if pair["mark"] == "dagger":
        text += f" † Only the unadjusted p reaches {alpha:g}: among {pair['family_size']} tests this may be chance."
    if pair["p_studentised"] is not None:
        agrees = (
            "agrees"
            if pair["p_studentised"] <= alpha
            else "does not confirm it as a difference of this moment"
        )
        text += f" The studentised test {agrees} (p = {p_text(pair['p_studentised'])})."
    return text
