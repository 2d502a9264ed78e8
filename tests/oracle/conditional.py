"""Statistics of every model and notion by their textbook forms (notes on scan statistics, section 1), one candidate."""

from __future__ import annotations

import math
from collections.abc import Sequence


def xlogx(x: float, m: float) -> float:
    """x ln(x / m) with 0 ln 0 = 0."""
    return 0.0 if x == 0 else x * math.log(x / m)


def classes_in_strata(
    members: frozenset[int],
    who: Sequence[int],
    classes: Sequence[int],
    strata: Sequence[int],
    direction: str = "both",
) -> tuple[float, int]:
    """Statistic of a candidate among the objects `who`, and the sign of its class 1 against the expectation."""
    inside = [i for i in who if i in members]
    outside = [i for i in who if i not in members]
    if not inside or not outside:
        return 0.0, 0
    terms, sign = [], 0
    for k in sorted(set(classes[i] for i in who)):
        counts = [sum(classes[i] == k for i in side) for side in (inside, outside)]
        expected = [0.0, 0.0]
        for s in sorted(set(strata[i] for i in who)):
            own = [i for i in who if strata[i] == s]
            share = sum(classes[i] == k for i in own) / len(own)
            for at, side in enumerate((inside, outside)):
                expected[at] += share * sum(strata[i] == s for i in side)
        terms += [xlogx(c, m) for c, m in zip(counts, expected, strict=True)]
        if k == 1 and abs(counts[0] - expected[0]) > 1e-9:
            sign = 1 if counts[0] > expected[0] else -1
    if (direction == "high" and sign <= 0) or (direction == "low" and sign >= 0):
        return 0.0, 0
    return max(0.0, math.fsum(terms)), sign


def over_parts(
    members: frozenset[int],
    classes: Sequence[int],
    parts: Sequence[int],
    strata: Sequence[int],
    direction: str = "both",
) -> tuple[float, str]:
    """Sum over parts, and the direction that all parts share or ``mixed``."""
    total, signs = 0.0, set()
    for g in sorted(set(parts)):
        value, sign = classes_in_strata(
            members, [i for i in range(len(classes)) if parts[i] == g], classes, strata, direction
        )
        total += value
        signs |= {sign} - {0}
    return total, {(): "none", (1,): "high", (-1,): "low"}.get(tuple(sorted(signs)), "mixed")


def normal_in_strata(
    members: frozenset[int], values: Sequence[float], strata: Sequence[int], direction: str = "both"
) -> tuple[float, int]:
    """Normal statistic, and the sign of the members' sum against the expectation."""
    s = squares = v = 0.0
    for stratum in sorted(set(strata)):
        own = [i for i in range(len(values)) if strata[i] == stratum]
        mean = math.fsum(values[i] for i in own) / len(own)
        squares += math.fsum((values[i] - mean) ** 2 for i in own)
        inside = [i for i in own if i in members]
        s += math.fsum(values[i] - mean for i in inside)
        v += len(inside) * (len(own) - len(inside)) / len(own)
    sign = 0 if abs(s) < 1e-9 else 1 if s > 0 else -1
    if v == 0 or sign == 0 or (direction == "high" and sign < 0) or (direction == "low" and sign > 0):
        return 0.0, sign
    rest = squares - s * s / v
    return (math.inf if rest < 1e-9 * squares else len(values) / 2 * math.log(squares / rest)), sign


def normal_weighted(
    members: frozenset[int], values: Sequence[float], weights: Sequence[float], direction: str = "both"
) -> tuple[float, int]:
    """Weighted Normal statistic, and the sign of the members' mean against that of all."""
    total = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, values, strict=True)) / total
    squares = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True))
    s = math.fsum(weights[i] * (values[i] - mean) for i in members)
    inside = math.fsum(weights[i] for i in members)
    sign = 0 if abs(s) < 1e-9 else 1 if s > 0 else -1
    if len(members) == len(values) or sign == 0 or direction == {1: "low", -1: "high"}[sign]:
        return 0.0, sign
    rest = squares - s * s * total / (inside * (total - inside))
    return (math.inf if rest < 1e-9 * squares else len(values) / 2 * math.log(squares / rest)), sign
