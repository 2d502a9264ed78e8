"""p-values from counts, the smallest one that a pair can reach, and Holm's adjustment."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction


def p_value(reached: int, repetitions: int, *, exact: bool) -> Fraction:
    """p-value of a permutation test, as a fraction: no rounding decides whether it is at most alpha.

    Parameters
    ----------
    reached : int
        Permutations (or splits) whose statistic is at least as extreme as the observed one.
    repetitions : int
        Permutations drawn, or all splits that exist.
    exact : bool
        All splits were enumerated: the observed one is among them, and nothing is added.
    """
    return Fraction(reached, repetitions) if exact else Fraction(1 + reached, repetitions + 1)


def at_most(p: Fraction, alpha: float) -> bool:
    """Whether p <= alpha, alpha taken as the decimal that was written: 10/1000 is 0.01."""
    return p <= Fraction(repr(alpha))


def smallest_attainable(sizes: Sequence[int]) -> float:
    """Smallest p-value that any data of these group sizes can reach; 0 when it is below 1e-300.

    One over the number of labelings, times the ways to swap groups of equal size (such a swap changes no
    statistic): 2/C for a pair of equal sizes, 1/C for another one.
    """
    logarithm = math.lgamma(sum(sizes) + 1) - math.fsum(math.lgamma(size + 1) for size in sizes)
    if logarithm > 690.0:
        return 0.0
    labelings, left = 1, sum(sizes)
    for size in sizes:
        labelings *= math.comb(left, size)
        left -= size
    swaps = math.prod(math.factorial(times) for times in Counter(sizes).values())
    return swaps / labelings


def holm(p_values: Sequence[Fraction | None]) -> list[Fraction | None]:
    """Holm's (1979) step-down adjustment; None stays None and is not counted as a test.

    Parameters
    ----------
    p_values : sequence of Fraction or None
        None where the test is not defined.

    Returns
    -------
    list of Fraction or None
        max over j <= i of min(1, (m − j + 1) · p_(j)), in the order given.
    """
    defined = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[Fraction | None] = [None] * len(p_values)
    running = Fraction(0)
    for rank, (p, i) in enumerate(defined):
        running = max(running, min(Fraction(1), (len(defined) - rank) * p))
        adjusted[i] = running
    return adjusted
