"""The published approximation of the Anderson-Darling p-value, between 0.001 and 0.25.

Critical values of the standardised statistic: b0 + b1/√m + b2/m with m = k − 1 (Scholz & Stephens 1987, table 1,
for 25, 10, 5, 2.5 and 1 %; scipy's extension of it for 0.5 and 0.1 %). Between the first and the last of them the
logarithm of the level is a parabola in the critical value, fitted by least squares to the seven points; outside
nothing is known but the side: "> 0.25", "< 0.001".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

LEVELS = (0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001)
_B0 = (0.675, 1.281, 1.645, 1.96, 2.326, 2.573, 3.085)
_B1 = (-0.245, 0.25, 0.678, 1.149, 1.822, 2.364, 3.615)
_B2 = (-0.105, -0.305, -0.362, -0.391, -0.396, -0.345, -0.154)


@dataclass(frozen=True)
class Approximation:
    """The approximate p-value: a number inside the table, only a side outside it."""

    p_value: float | None
    text: str


def critical_values(k: int) -> list[float]:
    """Critical values of the standardised statistic for k groups at `LEVELS`."""
    m = k - 1
    return [b0 + b1 / math.sqrt(m) + b2 / m for b0, b1, b2 in zip(_B0, _B1, _B2, strict=True)]


def _parabola(x: list[float], y: list[float]) -> list[Fraction]:
    # Least squares in fractions: the same coefficients on every machine. Lowest power first.
    points = [(Fraction(a), Fraction(b)) for a, b in zip(x, y, strict=True)]
    powers = [[Fraction(1), a, a * a, a * a * a, a * a * a * a] for a, _ in points]
    rows: list[list[Fraction]] = [
        [Fraction(sum(power[i + j] for power in powers)) for j in range(3)]
        + [Fraction(sum(b * power[i] for power, (_, b) in zip(powers, points, strict=True)))]
        for i in range(3)
    ]
    for i in range(3):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(3):
            if j != i:
                rows[j] = [c - rows[j][i] * p for c, p in zip(rows[j], rows[i], strict=True)]
    return [Fraction(row[3]) for row in rows]


def approximate(statistic: float, k: int) -> Approximation:
    """Approximate p-value of a standardised statistic of k groups."""
    if math.isnan(statistic):
        return Approximation(None, "not defined")
    critical = critical_values(k)
    if statistic < critical[0]:
        return Approximation(None, "> 0.25")
    if statistic > critical[-1]:
        return Approximation(None, "< 0.001")
    c0, c1, c2 = _parabola(critical, [math.log(level) for level in LEVELS])
    x = Fraction(statistic)
    p = math.exp(float(c0 + c1 * x + c2 * x * x))
    return Approximation(p, f"{p:.4f}")
