"""Calibration and power of the error parity test.

Under a fair model the errors of all groups come from one distribution, and each p-value is at or below a level in
that share of data sets: all rows of the fair table must lie in a binomial interval that holds for the table as a
whole. Where one moment differs, the table of power shows how often it is found, and how often the test points at a
moment that does not differ. The last table tells how often the bootstrap intervals hold the true effect.

``python -m benchmarks.error_parity_calibration`` prints the tables of the README.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy import stats

from movfair_spark.config.base import Section
from movfair_spark.config.load import build, parse
from movfair_spark.kernels.parity.analysis import analyse
from movfair_spark.kernels.parity.family import Family, Result
from movfair_spark.kernels.parity.family import Settings as TestSettings
from movfair_spark.kernels.parity.moments import MOMENTS
from movfair_spark.kernels.parity.series import series_of
from movfair_spark.kernels.parity.tasks import Task

SETTINGS = Path(__file__).with_suffix(".yaml")
TESTS = ("Anderson-Darling", *MOMENTS, "mean, studentised", "variance, studentised")


class Design(Section):
    """Distribution of the first group, of the other one (by default the same), and their sizes."""

    distribution: str
    other: str | None = None
    sizes: list[int]


class Settings(Section):
    """Content of ``error_parity_calibration.yaml``."""

    data_sets: int
    permutations: int
    bootstrap_draws: int
    levels: list[float]
    confidence: float
    first_data_seed: int
    first_test_seed: int
    fair: dict[str, Design]
    alternatives: dict[str, Design]


@dataclass(frozen=True)
class Row:
    """Share of fair data sets with a p-value at or below a level, and the interval it must lie in."""

    kind: str
    test: str
    level: float
    share: float
    low: float
    high: float

    @property
    def right(self) -> bool:
        """Whether the share lies in the interval."""
        return self.low <= self.share <= self.high


def settings(path: Path = SETTINGS) -> Settings:
    """Read the settings."""
    return build(Settings, parse(path.read_text(encoding="utf-8"), path.name))


def draw(distribution: str, size: int, rng: np.random.Generator) -> np.ndarray:
    """Errors of one group; all but the shifted and the scaled ones have mean 0 and sd 1 (t3 has sd 1 too)."""
    match distribution:
        case "normal":
            return rng.normal(size=size)
        case "exponential":
            return rng.exponential(size=size) - 1.0
        case "t3":
            return rng.standard_t(3, size=size) / math.sqrt(3.0)
        case "rounded":
            return np.round(2.0 * rng.normal(size=size)) / 2.0
        case "shifted":
            return rng.normal(size=size) + 0.3
        case "scaled":
            return rng.normal(size=size) * 1.25
        case "gamma":  # shape 4: skewness 1, kurtosis 1.5
            return (rng.gamma(4.0, size=size) - 4.0) / 2.0
        case "mirrored":
            return -(rng.gamma(4.0, size=size) - 4.0) / 2.0
        case "laplace":
            return rng.laplace(size=size) / math.sqrt(2.0)
    raise ValueError(distribution)


#: True effects (first minus other group) of the alternatives: pooled sd, log ratio of sd, skewness, kurtosis.
TRUTH: Mapping[str | None, tuple[float, float, float, float]] = {
    None: (0.0, 0.0, 0.0, 0.0),
    "shifted": (-0.3 / math.sqrt(1.0 + 0.3 * 0.3 / 4.0), 0.0, 0.0, 0.0),
    "scaled": (0.0, -math.log(1.25), 0.0, 0.0),
    "mirrored": (0.0, 0.0, 2.0, 0.0),
    "laplace": (0.0, 0.0, 0.0, -3.0),
}


def serial(tasks: list[Task]) -> list[np.ndarray]:
    """Do all tasks here and now: a data set is too small for threads."""
    return [task.join([task.run(0, task.repetitions)]) for task in tasks]


def results(design: Design, config: Settings) -> Iterator[Result]:
    """Draw and test every data set of a design."""
    n_a, n_b = design.sizes
    for number in range(config.data_sets):
        rng = np.random.Generator(np.random.Philox(config.first_data_seed + number))
        values = np.concatenate(
            [draw(design.distribution, n_a, rng), draw(design.other or design.distribution, n_b, rng)]
        )
        labels = np.repeat([0, 1], [n_a, n_b])
        series = series_of(values, labels, np.ones(values.size, dtype=np.int64), 2)
        chosen = TestSettings(
            permutations=config.permutations,
            pair_permutations=config.permutations,
            bootstrap_draws=config.bootstrap_draws,
            seed=config.first_test_seed + number,
        )
        (result,) = analyse([Family("model", "difference", "group", ("a", "b"), series)], chosen, serial)
        yield result


def p_values(result: Result) -> list[Fraction | None]:
    """p-values in the order of `TESTS`."""
    moments = result.moments
    return [
        result.test.p_value,
        *(test.p_value for test in moments),
        moments[0].p_studentised,
        moments[1].p_studentised,
    ]


def shares(found: Sequence[Sequence[Fraction | None]], level: float) -> list[float]:
    """Share of data sets with a p-value at or below a level, per test."""
    limit = Fraction(repr(level))
    return [
        sum(p is not None and p <= limit for p in column) / len(found) for column in zip(*found, strict=True)
    ]


def coverage(found: Sequence[Result], truth: tuple[float, ...]) -> tuple[list[float], int]:
    """Share of intervals that hold the true effect, per moment, and the number of undefined draws."""
    held = [0] * len(MOMENTS)
    undefined = 0
    for result in found:
        for m, test in enumerate(result.moments):
            if test.effect_low is not None and test.effect_high is not None:
                held[m] += test.effect_low <= truth[m] <= test.effect_high
            undefined += test.undefined_draws
    return [count / len(found) for count in held], undefined


def fair_rows(found: Mapping[str, Sequence[Result]], config: Settings) -> list[Row]:
    """All rows of the fair table: kind x test x level."""
    n_rows = len(config.fair) * len(TESTS) * len(config.levels)
    rows = []
    for kind, of_kind in found.items():
        for level in config.levels:
            n = len(of_kind)
            low, high = stats.binom.interval(1 - (1 - config.confidence) / n_rows, n, level)
            for test, share in zip(TESTS, shares([p_values(r) for r in of_kind], level), strict=True):
                rows.append(Row(kind, test, level, share, low / n, high / n))
    return rows


def fair_table(rows: Sequence[Row], n: int) -> str:
    """Fair table in Markdown: one line per kind and level."""
    lines = [
        f"Share of {n:,} fair data sets with a p-value at or below the level:",
        "",
        "| errors | level | " + " | ".join(TESTS) + " | must lie in | |",
        "|---|---:|" + "---:|" * len(TESTS) + "---|---|",
    ]
    for kind, level in dict.fromkeys((row.kind, row.level) for row in rows):
        mine = [row for row in rows if (row.kind, row.level) == (kind, level)]
        cells = " | ".join(f"{row.share:.3f}" for row in mine)
        right = "right" if all(row.right for row in mine) else "WRONG"
        lines.append(f"| {kind} | {level:g} | {cells} | {mine[0].low:.3f} - {mine[0].high:.3f} | {right} |")
    return "\n".join(lines)


def power_table(found: Mapping[str, Sequence[Result]], config: Settings) -> str:
    """Power in Markdown: share of data sets in which each test rejects."""
    lines = [
        "Share of data sets in which the test rejects, where one moment differs:",
        "",
        "| what differs | level | " + " | ".join(TESTS) + " |",
        "|---|---:|" + "---:|" * len(TESTS),
    ]
    for name, of_kind in found.items():
        for level in config.levels:
            cells = " | ".join(f"{share:.3f}" for share in shares([p_values(r) for r in of_kind], level))
            lines.append(f"| {name} | {level:g} | {cells} |")
    return "\n".join(lines)


def coverage_table(found: Mapping[str, tuple[Design, Sequence[Result]]]) -> str:
    """Coverage of the bootstrap intervals in Markdown."""
    lines = [
        "Share of 95 % bootstrap intervals that hold the true effect:",
        "",
        "| errors | sizes | mean | variance | skewness | kurtosis | undefined draws |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for name, (design, of_kind) in found.items():
        held, undefined = coverage(of_kind, TRUTH[design.other])
        cells = " | ".join(f"{share:.3f}" for share in held)
        lines.append(f"| {name} | {design.sizes[0]}:{design.sizes[1]} | {cells} | {undefined} |")
    return "\n".join(lines)


def main() -> int:
    """Print the three tables; 1 when a row of the fair one is wrong."""
    config = settings()
    fair = {name: list(results(design, config)) for name, design in config.fair.items()}
    rows = fair_rows(fair, config)
    print(fair_table(rows, config.data_sets), flush=True)
    unfair = {name: list(results(design, config)) for name, design in config.alternatives.items()}
    designs = {**config.fair, **config.alternatives}
    print("\n" + power_table(unfair, config))
    print("\n" + coverage_table({name: (designs[name], found) for name, found in {**fair, **unfair}.items()}))
    return int(not all(row.right for row in rows))


if __name__ == "__main__":
    sys.exit(main())
