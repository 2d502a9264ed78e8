"""The whole test of error parity: distribution test, post hoc tests, Holm's adjustment, effects, marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from movfair_spark.kernels.parity.distribution_test import distribution_tests
from movfair_spark.kernels.parity.effects import draw_groups, effects
from movfair_spark.kernels.parity.family import DistributionTest, Family, MomentTest, Result, Runner, Settings
from movfair_spark.kernels.parity.moments import MOMENTS
from movfair_spark.kernels.parity.p_values import at_most, holm, smallest_attainable
from movfair_spark.kernels.parity.pair_tests import PairCount, observed, pair_counts, pairs_of

NOT_DEFINED = "not defined: all errors of a group are equal"


def family_size(family: Family) -> int:
    """Count the tests that Holm's adjustment is made over: all pairs times their defined moments."""
    return sum(
        not math.isnan(observed(family, pair)[0][s]) for pair in pairs_of(family) for s in range(len(MOMENTS))
    )


def permutations_needed(size: int, alpha: float) -> int:
    """Fewest permutations with which a family of this size can reach alpha: size / (n + 1) <= alpha."""
    return math.ceil(Fraction(size) / Fraction(repr(alpha))) - 1


def analyse(families: Sequence[Family], settings: Settings, run: Runner) -> list[Result]:
    """Test all families.

    Parameters
    ----------
    families : sequence of Family
        Each with at least two groups.
    settings : Settings
    run : callable
        Does the repetitions of tasks, on this machine or on executors.
    """
    tests = distribution_tests(families, settings, run)
    counts = pair_counts(families, settings, run)
    draws = draw_groups(families, settings, run)
    results = []
    for i, (family, test) in enumerate(zip(families, tests, strict=True)):
        pairs = pairs_of(family)
        by_pair = [counts[i, pair] for pair in pairs]
        adjusted = iter(holm([p for pair in by_pair for p in pair.p_values[: len(MOMENTS)]]))
        size = sum(p is not None for pair in by_pair for p in pair.p_values[: len(MOMENTS)])
        rows: list[MomentTest] = []
        for (a, b), pair in zip(pairs, by_pair, strict=True):
            found = effects(family, (a, b), draws[i, a], draws[i, b])
            moments_a, moments_b = family.series.moments(a), family.series.moments(b)
            for s, moment in enumerate(MOMENTS):
                p_holm = next(adjusted)
                rows.append(
                    MomentTest(
                        group_a=family.groups[a],
                        group_b=family.groups[b],
                        moments_a=moments_a,
                        moments_b=moments_b,
                        moment=moment,
                        difference=_in_own_unit(pair, s),
                        p_value=pair.p_values[s],
                        repetitions=pair.repetitions,
                        exact=pair.exact,
                        smallest=smallest_attainable([moments_a.n, moments_b.n]),
                        p_holm=p_holm,
                        family_size=size,
                        p_studentised=pair.p_values[len(MOMENTS) + s] if s < 2 else None,
                        mark=_mark(test, pair.p_values[s], p_holm, settings.alpha),
                        effect=found[s].value,
                        effect_low=found[s].low,
                        effect_high=found[s].high,
                        undefined_draws=found[s].undefined,
                        note="" if pair.p_values[s] is not None else NOT_DEFINED,
                    )
                )
        results.append(Result(family, test, tuple(rows)))
    return results


def _in_own_unit(pair: PairCount, s: int) -> float | None:
    value = float(pair.statistics[s])
    if math.isnan(value):
        return None
    return value * (pair.scale, pair.scale * pair.scale, 1.0, 1.0)[s]


def _mark(test: DistributionTest, p: Fraction | None, p_holm: Fraction | None, alpha: float) -> str:
    # Bold: Anderson-Darling rejects and Holm's p reaches alpha. Dagger: only the raw p does (the paper's rule).
    if not test.rejected or p is None or p_holm is None or not at_most(p, alpha):
        return ""
    return "bold" if at_most(p_holm, alpha) else "dagger"
