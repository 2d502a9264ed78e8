"""One null at the paper's size for every outcome model, against the Bernoulli one: CPU seconds of worlds, mining, counting.

100,000 people, 40 grids, 999 worlds. At min_support 16 the Normal and the multinomial null (5 classes) may take 10 times
the Bernoulli one; sums over truth classes, strata and weights are reported, and so is min_support 1 for these two, where the
support bound decides what must be counted at all.

Reproduce: ``python -m benchmarks models``; alone on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.harness import Result, Usage
from benchmarks.population import SIZES_M, places, zonings
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.models import support
from movfair_spark.models.base import Model
from movfair_spark.models.bernoulli import Bernoulli
from movfair_spark.models.multinomial import Multinomial
from movfair_spark.models.normal import Normal
from movfair_spark.models.parts import Parts

SEED, TARGET = 7, 10.0


class Run(NamedTuple):
    """One null: CPU seconds of everything, last support, memberships counted, peak memory in GiB."""

    seconds: float
    support: int
    memberships: int
    peak_gib: float


def null(zoning_list: list[Memberships], model: Model, n_worlds: int, min_support: int) -> Run:
    """Draw the worlds and count all rounds of lowering the support."""
    start = time.process_time()
    with Usage() as usage:
        counter = model.counter(model.worlds(SEED, range(n_worlds)), n_worlds)
        s = support.starting_support(
            lambda n: model.support_bound(n, min_support), model.n_objects, min_support
        )
        top = None
        while True:
            for m in zoning_list:
                counter.walk(m, s, top)
            lower = support.next_support(
                s, lambda n: model.support_bound(n, min_support), counter.maxima(), None, min_support
            )
            if lower == s:
                break
            s, top = lower, s
    return Run(time.process_time() - start, s, counter.n_memberships, usage.peak_gib())


def models(n_people: int) -> dict[str, tuple[Model, float]]:
    """Outcomes of each model and the target of its ratio; who has which is of no importance to the null."""
    rng = np.random.Generator(np.random.Philox(SEED))
    binary = (np.arange(n_people) < round(0.6 * n_people)).astype(np.int64)
    shuffled = rng.permutation(binary)
    classes = np.arange(n_people) % 5
    values = rng.normal(size=n_people)
    strata = rng.integers(0, 10, n_people)
    truth = rng.integers(0, 2, n_people)
    return {
        "multinomial, 5 classes": (Multinomial(classes, 5), TARGET),
        "normal": (Normal(values), TARGET),
        "equal odds": (Parts(shuffled, 2, part=truth), 0.0),
        "10 strata": (Parts(shuffled, 2, strata=strata), 0.0),
        "normal, 10 strata": (Normal(values, strata=strata), 0.0),
        "normal, weights": (Normal(values, weights=rng.uniform(0.5, 2.0, n_people)), 0.0),
    }


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    people, sizes, shifts, n_worlds = (300, (200, 1000), 1, 99) if small else (100_000, SIZES_M, 5, 999)
    tiny = list(zonings(places(200), (400,), 1))
    for model, _ in [*models(200).values(), (Bernoulli(np.arange(200, dtype=np.uint8) % 2), 0.0)]:
        null(tiny, model, 9, 1)  # compile
    population = list(zonings(places(people), sizes, shifts))
    labels = (np.arange(people) < round(0.6 * people)).astype(np.uint8)
    for min_support in (16, 1):
        plain = null(population, Bernoulli(labels), n_worlds, min_support)
        for name, (model, target) in models(people).items():
            if min_support == 1 and not target:
                continue
            found = null(population, model, n_worlds, min_support)
            stated = target if min_support > 1 else 0.0
            yield Result(
                f"null of {name}, min_support {min_support} (CPU seconds, beside Bernoulli)",
                found.seconds,
                plain.seconds,
                found.seconds / max(plain.seconds, 1e-9),
                stated,
                "lower" if stated else "higher",
                f"{n_worlds} worlds, support {found.support}, {found.memberships / 1e6:.0f} M memberships (Bernoulli "
                f"support {plain.support}, {plain.memberships / 1e6:.0f} M); peak {found.peak_gib:.2f} GiB",
            )
