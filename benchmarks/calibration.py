"""Type-I error: p-values of fair label sets on a small city must be uniform (design section 3, paper section 4.5).

The null is discrete, so plain p-values are conservative. The randomised p-value is exactly uniform when the test is
right: its share at or below a level must lie within the binomial interval on both sides; the plain one must not lie
above it. An upper limit alone would pass a null that is too wide, such as the published one that redraws labels.

``python -m benchmarks.calibration`` prints the table of the README. The movement is simulated once, and the steps run
on the package's kernels without Spark; each label set has its own labels and its own null. Many label sets share one
walk over the candidates, since a world's counts do not depend on the other worlds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import stats

from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.base import Section
from movfair_spark.config.load import build, parse
from movfair_spark.config.zonings import SquareZonings
from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels import extremes
from movfair_spark.kernels.cells import square_cells
from movfair_spark.kernels.days import touched_days
from movfair_spark.kernels.geo import Space
from movfair_spark.kernels.memberships import Memberships, pack
from movfair_spark.kernels.ranking import rank
from movfair_spark.kernels.stops import Rule, microseconds
from movfair_spark.kernels.stream import default_stream, find_stops, ordered
from movfair_spark.models import bernoulli
from movfair_spark.models.significance import p_value, randomised_p_value
from movfair_spark.synth import outcomes
from movfair_spark.synth.city import build as build_city
from movfair_spark.synth.draws import stream, unit, wrapping
from movfair_spark.synth.fixes import GOOD, fixes

SETTINGS = Path(__file__).with_suffix(".yaml")
DIRECTIONS = ("both", "high", "low")
_WORLDS_PER_WALK = 1024


class Settings(Section):
    """Content of ``calibration.yaml``."""

    label_sets: int
    rates: list[float]
    levels: list[float]
    first_label_seed: int
    first_null_seed: int
    randomisation_seed: int
    confidence: float
    audit: AuditConfig


@dataclass(frozen=True)
class Row:
    """One line of the table: shares of fair label sets with a p-value at or below a level.

    ``low`` and ``high`` bound the binomial share for the level, at a confidence that holds for the table as a whole.
    """

    rate: float
    direction: str
    level: float
    label_sets: int
    plain: float
    randomised: float
    low: float
    high: float

    @property
    def right(self) -> bool:
        """Whether the randomised share lies in the interval and the plain one not above it."""
        return self.low <= self.randomised <= self.high and self.plain <= self.high


def settings(path: Path = SETTINGS) -> Settings:
    """Read the settings."""
    return build(Settings, parse(path.read_text(encoding="utf-8"), path.name))


def memberships(config: AuditConfig) -> list[Memberships]:
    """Simulate the movement and take it through stops, cells and cellsets: one membership table per square grid."""
    assert config.city is not None
    city = build_city(config.city)
    *columns, kind = fixes(city, range(config.city.people), range(config.city.days))
    rule = Rule(config.stops.radius_m, microseconds(config.stops.min_minutes))
    uid, ts, lon, lat = (column[kind == GOOD] for column in columns)
    stops = find_stops(default_stream(rule, Space(), same_time_radius=50.0), ordered(uid, ts, lon, lat))
    # Everybody sleeps at home, so everybody has a stop and is in the test.
    assert len(np.unique(stops.person)) == config.city.people
    starts = np.searchsorted(stops.person, np.arange(config.city.people + 1))
    first_day, last_day = touched_days(stops.arrive, stops.leave, str(config.zone))
    degrees = CoordinateSystem.parse("EPSG:4326")
    metric = degrees.utm_for((stops.x.min(), stops.y.min(), stops.x.max(), stops.y.max()))
    x, y = degrees.transform(stops.x, stops.y, metric)
    tables = []
    for layer in config.zonings.layers:
        assert isinstance(layer, SquareZonings)
        for size in layer.size_m:
            for shift in range(layer.shifts):
                cells = square_cells(x, y, size, shift * size / layer.shifts)
                dwell = stops.leave - stops.arrive
                ranked = rank(starts, cells, first_day, last_day, dwell, config.cellsets.top_cells)
                tables.append(pack(config.city.people, ranked.people, ranked.starts, ranked.cells))
    return tables


def p_values(
    config: Settings, tables: Sequence[Memberships], rate: float
) -> Iterator[tuple[int, str, float, float]]:
    """Test every fair label set.

    Yields
    ------
    (label set, direction, plain p-value, randomised p-value)
    """
    scan, city = config.audit.scan, config.audit.city
    assert city is not None
    people, nobody = np.arange(city.people), np.empty(0, dtype=np.int64)
    words_per_set = scan.n_simulations // 64 + 1  # the observed labels are one more world
    together = max(1, _WORLDS_PER_WALK // (64 * words_per_set))
    u = stream(config.randomisation_seed)
    for first in range(0, config.label_sets, together):
        sets = range(first, min(first + together, config.label_sets))
        models, words = [], []
        for number in sets:
            drawn = city.outcomes.model_copy(update={"rate": rate, "seed": config.first_label_seed + number})
            labels = outcomes.draw(city.model_copy(update={"outcomes": drawn}), people, nobody)
            models.append(bernoulli.Bernoulli(labels.astype(np.uint8)))
            worlds = models[-1].worlds(
                config.first_null_seed + number, range(scan.n_simulations), observed=True
            )
            words.append(worlds[:, :words_per_set])  # without the empty rest of the last lane
        counter = extremes.Counter(np.ascontiguousarray(np.hstack(words)))
        for table in tables:
            counter.walk(table, scan.min_support)
        counted = counter.result()
        for place, (number, model) in enumerate(zip(sets, models, strict=True)):
            own = slice(64 * words_per_set * place, 64 * words_per_set * place + scan.n_simulations + 1)
            part = replace(counted, low=counted.low[:, own].copy(), high=counted.high[:, own].copy())
            for direction in DIRECTIONS:
                values = bernoulli.maxima(part, model.n_objects, model.positives, direction)
                null, observed = values[:-1], float(values[-1])
                with wrapping():
                    chance = unit(u, number)
                yield number, direction, p_value(observed, null), randomised_p_value(observed, null, chance)


def table(config: Settings) -> list[Row]:
    """All rows: rate x direction x level."""
    tables = memberships(config.audit)
    n_rows = len(config.rates) * len(DIRECTIONS) * len(config.levels)
    rows = []
    for rate in config.rates:
        found = list(p_values(config, tables, rate))
        for direction in DIRECTIONS:
            plain = np.array([p for _, name, p, _ in found if name == direction])
            randomised = np.array([p for _, name, _, p in found if name == direction])
            for level in config.levels:
                n = len(plain)
                low, high = stats.binom.interval(1 - (1 - config.confidence) / n_rows, n, level)
                shares = float((plain <= level).mean()), float((randomised <= level).mean())
                rows.append(Row(rate, direction, level, n, *shares, low / n, high / n))
    return rows


def markdown(rows: Sequence[Row]) -> str:
    """Return the table of the README."""
    lines = [
        "| positive rate | direction | level | fair label sets | share plain p <= level | share randomised p <= level "
        "| must lie in | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.rate:g} | {row.direction} | {row.level:g} | {row.label_sets:,} | {row.plain:.3f} | "
        f"{row.randomised:.3f} | {row.low:.3f} - {row.high:.3f} | {'right' if row.right else 'WRONG'} |"
        for row in rows
    ]
    return "\n".join(lines)


def main() -> int:
    """Print the table; 1 when a row is wrong."""
    rows = table(settings())
    print(markdown(rows))
    return int(not all(row.right for row in rows))


if __name__ == "__main__":
    sys.exit(main())
