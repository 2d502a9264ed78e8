"""999 simulated worlds over all candidates of support 1 and more, against a direct compiled loop, one core each.

The direct loop is the method of the paper's code: for each world and each candidate it sums the labels of the members
and takes one likelihood. A few worlds of it on some zonings give its time per membership and world; at most 3 ns of it
are counted. Ours draws the worlds, counts all rounds of lowering the support and folds the maxima; mining alone is
measured beside it and taken off. Sameness is checked against the direct loop over all candidates.

Reproduce: ``python -m benchmarks simulations``; alone on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.harness import Result, Usage
from benchmarks.population import SIZES_M, places, zonings
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.eclat import Walk
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.worlds import bits_of
from movfair_spark.models import bernoulli_kernels, support
from movfair_spark.models.bernoulli import Bernoulli

SEED, TARGET, DIRECT_NS = 7, 300.0, 3.0


class Run(NamedTuple):
    """One null: maxima, seconds of mining alone and of everything, last support, memberships counted."""

    maxima: np.ndarray
    mining: float
    whole: float
    support: int
    memberships: int


@njit
def likelihoods(largest, n_objects, positives):
    """Tabulate the statistic of small candidates: most have few members, and the check for sameness many worlds."""
    table = np.zeros((largest + 1, largest + 1))
    for n in range(largest + 1):
        for p in range(max(0, n - (n_objects - positives)), min(n, positives) + 1):
            table[n, p] = bernoulli_kernels.statistic(n, p, n_objects, positives, 0)
    return table


@njit
def direct(starts, members, labels, positives, table, best):
    """Raise the best statistic of one world by every candidate, one likelihood each."""
    for candidate in range(len(starts) - 1):
        p = 0
        for i in range(starts[candidate], starts[candidate + 1]):
            p += labels[members[i]]
        n = starts[candidate + 1] - starts[candidate]
        if n < len(table):
            best = max(best, table[n, p])
        else:
            best = max(best, bernoulli_kernels.statistic(n, p, len(labels), positives, 0))
    return best


def model_of(n_people: int, rate: float) -> Bernoulli:
    """Labels with this share of positives; which people have them is of no importance to the null."""
    return Bernoulli((np.arange(n_people) < round(rate * n_people)).astype(np.uint8))


def ours(zoning_list: list[Memberships], model: Bernoulli, n_worlds: int) -> Run:
    """Draw the null with the support bound; `Run.whole` includes drawing the worlds and mining."""
    start = time.process_time()
    counter = model.counter(model.worlds(SEED, range(n_worlds)), n_worlds)
    s, top, ranges = support.starting_support(model.support_bound, model.n_objects, 1), None, []
    while True:
        for m in zoning_list:
            counter.walk(m, s, top)
        ranges.append((s, top))
        maxima = counter.maxima()
        lower = support.next_support(s, model.support_bound, maxima, None, 1)
        if lower == s:
            break
        s, top = lower, s
    whole = time.process_time() - start
    start = time.process_time()
    for low, high in ranges:
        for m in zoning_list:
            for _ in Walk(m, low, high, distinct=True):
                pass
    return Run(maxima, time.process_time() - start, whole, s, counter.n_memberships)


def theirs(zoning_list: list[Memberships], model: Bernoulli, n_worlds: int) -> np.ndarray:
    """Maxima by the direct loop over every candidate."""
    words = model.worlds(SEED, range(n_worlds))
    labels = [bits_of(words, w) for w in range(n_worlds)]
    best = np.zeros(n_worlds)
    table = likelihoods(64, model.n_objects, model.positives)
    for m in zoning_list:
        for batch in Walk(m, 1):
            for w in range(n_worlds):
                best[w] = direct(batch.starts, batch.members, labels[w], model.positives, table, best[w])
    return best


def direct_ns(m: Memberships, model: Bernoulli, n_worlds: int) -> float:
    """Nanoseconds per membership and world of the direct loop, mining not counted."""
    labels = bits_of(model.worlds(SEED, range(1)), 0)
    spent, memberships, empty = 0.0, 0, np.zeros((0, 0))
    for batch in Walk(m, 1):
        start = time.process_time()
        for _ in range(n_worlds):
            direct(batch.starts, batch.members, labels, model.positives, empty, 0.0)
        spent += time.process_time() - start
        memberships += len(batch.members)
    return spent / max(1, memberships) / n_worlds * 1e9


def same(name: str, zoning_list: list[Memberships], model: Bernoulli, n_worlds: int) -> Result:
    """Count the worlds whose maximum is the same to the last bit."""
    equal = int(np.sum(ours(zoning_list, model, n_worlds).maxima == theirs(zoning_list, model, n_worlds)))
    return Result(name, equal, n_worlds, equal / n_worlds, 1.0, "higher", "worlds with equal maxima")


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    people, sizes, shifts, n_worlds = (300, (200, 1000), 1, 99) if small else (100_000, SIZES_M, 5, 999)
    tiny = list(zonings(places(200), (400,), 1))
    ours(tiny, model_of(200, 0.6), 9)  # compile
    direct_ns(tiny[0], model_of(200, 0.6), 1)
    population = list(zonings(places(people), sizes, shifts))
    memberships = sum(m.all_memberships() for m in population)
    model = model_of(people, 0.6)
    baseline = min(direct_ns(population[-1], model, 2), DIRECT_NS)
    other = baseline * 1e-9 * memberships * n_worlds
    for rate, target in ((0.6, TARGET), (0.5, 0.0), (0.1, 0.0), (0.01, 0.0)):
        with Usage() as usage:
            found = ours(population, model_of(people, rate), n_worlds)
        seconds = max(found.whole - found.mining, 1e-9)
        yield Result(
            f"simulations, rate {rate} (CPU seconds)",
            seconds,
            other,
            other / seconds,
            target,
            "higher",
            f"{n_worlds} worlds, support {found.support}, {found.memberships / 1e6:.0f} M of {memberships / 1e6:.0f} M "
            f"memberships; mining {found.mining:.1f} s beside it; direct loop {baseline:.2f} ns per membership and "
            f"world; peak {usage.peak_gib():.2f} GiB",
        )
    if small:
        yield same("simulations: same maxima", population, model, n_worlds)
        return
    smaller = list(zonings(places(10_000), sizes, shifts))
    yield same("simulations: same maxima, 10,000 people", smaller, model_of(10_000, 0.6), 999)
    yield same("simulations: same maxima, 100,000 people", population, model, 20)
