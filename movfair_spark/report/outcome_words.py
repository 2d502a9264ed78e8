"""Outcomes in words, for every model and notion: what was tested, and how a pattern differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NOTIONS = {
    "statistical_parity": ("statistical parity", "people"),
    "equal_opportunity": ("equal opportunity", "people whose true label is positive"),
    "false_positive_parity": ("false positive parity", "people whose true label is negative"),
    "equal_odds": ("equal odds", "people"),
}
"""Name of each notion, and whom it looks at."""


@dataclass(frozen=True)
class OutcomeFigures:
    """What the tested outcomes are like.

    Attributes
    ----------
    model : {'bernoulli', 'multinomial', 'normal'}
    positives : int, optional
        P, for outcomes of 0 and 1.
    classes, class_counts : tuple of str, tuple of int
        Names of the classes and the people of each.
    truths : tuple of str
        Classes of truth, where the statistic is a sum over them.
    strata : int, optional
        How many, where people are compared within strata.
    mean, deviation : float, optional
        Of real outcomes.
    residual : bool
        Real outcomes are prediction - truth.
    scores : bool
        They were replaced by normal scores for the test.
    nothing : bool
        All outcomes (of every stratum) are the same.
    largest_single : float, optional
        Statistic of the largest single real outcome.
    """

    model: str = "bernoulli"
    positives: int | None = None
    classes: tuple[str, ...] = ()
    class_counts: tuple[int, ...] = ()
    truths: tuple[str, ...] = ()
    strata: int | None = None
    mean: float | None = None
    deviation: float | None = None
    residual: bool = False
    scores: bool = False
    nothing: bool = False
    largest_single: float | None = None


def summary(figures: OutcomeFigures, people: int) -> str:
    """Say what the outcomes of the tested people are."""
    if figures.model == "normal" and figures.mean is not None:
        what = "residual (prediction - truth)" if figures.residual else "outcome"
        text = f"mean {what} {figures.mean:.5g}, standard deviation {figures.deviation:.5g}"
        text += " (tested as normal scores)" if figures.scores else ""
    elif figures.model == "multinomial":
        shares = [
            f"{name} {count / people:.1%}"
            for name, count in zip(figures.classes, figures.class_counts, strict=True)
        ]
        text = f"outcomes {', '.join(shares)}"
    else:
        positives = figures.positives or 0
        text = f"{positives:,} with a positive outcome ({positives / people if people else 0.0:.1%})"
    if figures.strata is not None:
        text += f", compared within {figures.strata:,} strata"
    return text


def sides(model: str, direction: str) -> str | None:
    """Say which differences count; None for classes, which have no direction."""
    if model == "multinomial":
        return None
    what = "means" if model == "normal" else "rates"
    return {"both": f"higher or lower {what}", "high": f"higher {what} only", "low": f"lower {what} only"}[
        direction
    ]


def difference(detail: Mapping[str, Any], figures: OutcomeFigures) -> str:
    """Say how the people of a pattern differ from the others; may be empty.

    Parameters
    ----------
    detail : mapping
        The model's own evidence columns, and ``people``, how many share the pattern.
    figures : OutcomeFigures
    """
    if "part_n" in detail:
        return "; ".join(
            f"truth {name}: {text}"
            for g, name in enumerate(figures.truths)
            if (text := difference(_part(detail, g), figures))
        )
    if detail.get("mean_in") is not None:
        others = "" if detail["mean_out"] is None else f", {detail['mean_out']:.5g} among the others"
        what = "mean score" if figures.scores else "mean"
        return f"{what} {detail['mean_in']:.5g}{others}{_expected_mean(detail, figures)}"
    if isinstance(detail.get("observed"), Sequence):
        return _class(detail["observed"], detail["expected"], figures.classes)
    if detail.get("rate_in") is None or detail.get("rate_out") is None:
        return ""
    text = f"{detail['rate_in']:.1%} positive, {detail['rate_out']:.1%} among the others"
    if figures.strata is not None:
        text += f", {detail['expected'] / detail['people']:.1%} expected of their strata"
    return text


def outliers(figures: OutcomeFigures, critical: float | None, min_support: int) -> list[str]:
    """Give the statistic of the largest single outcome, and a warning where it hides everything else."""
    single = figures.largest_single
    if single is None or figures.nothing:
        return []
    lines = [f"Largest single outcome: statistic {single:.3f}."]
    if critical is not None and single >= critical:
        remedies = [] if figures.scores else ["scan.transform: normal_scores"]
        lines.append(
            f"Warning: one person alone reaches the critical value {critical:.3f}, so outliers can hide every group "
            f"effect: set {' or '.join([*remedies, f'a scan.min_support above {min_support}'])}."
        )
    return lines


def _part(detail: Mapping[str, Any], g: int) -> dict[str, Any]:
    names = [name for name in ("observed", "expected", "rate_in", "rate_out") if name in detail]
    return {"people": detail["part_n"][g], **{name: detail[name][g] for name in names}}


def _expected_mean(detail: Mapping[str, Any], figures: OutcomeFigures) -> str:
    return f", {detail['mean_expected']:.5g} expected of their strata" if figures.strata is not None else ""


def _class(observed: Sequence[int], expected: Sequence[float], classes: Sequence[str]) -> str:
    """Name the class whose count is furthest from what one expects, in units of its root."""
    apart = [abs(c - m) / max(m, 1e-300) ** 0.5 for c, m in zip(observed, expected, strict=True)]
    k = apart.index(max(apart))
    people = sum(observed)
    if not people:
        return ""
    return f"{observed[k] / people:.1%} {classes[k]}, {expected[k] / people:.1%} expected"
