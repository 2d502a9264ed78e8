"""The null distribution: Monte Carlo with rounds of lowering the support (design section 3; paper 4.5, stage 6).

The first round counts all worlds over candidates of a support that usually suffices; the second admits the supports
that its maxima ask for. After that every maximum is exact, unless a ceiling on memberships stopped the lowering.
"""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from movfair_spark.config.scan import ScanConfig
from movfair_spark.fanout.progress import Progress, silent
from movfair_spark.models.significance import critical_value, exceeds, n_reaching
from movfair_spark.models.support import (
    Statement,
    censored,
    next_support,
    starting_support,
    statement,
    verdict_possible,
)
from movfair_spark.stages.blocks import Supports
from movfair_spark.stages.ceiling import affordable
from movfair_spark.stages.counting import Counted, Worlds, count
from movfair_spark.stages.prepare import Prepared

LOG = logging.getLogger(__name__)

Pass: TypeAlias = dict[int, Counted]
Record: TypeAlias = Callable[[str, Callable[[], Pass]], Pass]
"""Runs a pass, or gives the recorded result of the pass of that name."""


@dataclass(frozen=True)
class Null:
    """One null: simulated maxima over some zonings, and the observed maximum beside them.

    Attributes
    ----------
    zonings : tuple of int
        Zonings whose candidates compete.
    support : int
        s: candidates of this support and more were counted.
    bound : float
        B(s): no candidate that was left out can exceed it; -inf when none was.
    maxima : ndarray of float64, shape [n_simulations]
        T_b; exact where above ``bound`` (rule of ties), else only known to be at most ``bound``.
    observed : dict of int to float
        Largest observed statistic per zoning, over candidates of support s and more.
    candidates, memberships : int
        Candidates that were counted, and their memberships.
    """

    zonings: tuple[int, ...]
    support: int
    bound: float
    maxima: np.ndarray
    observed: dict[int, float]
    candidates: int = 0
    memberships: int = 0

    @property
    def best(self) -> float:
        """The observed maximum."""
        return max(self.observed.values(), default=0.0)

    @property
    def censored(self) -> np.ndarray:
        """Which simulated maxima are not known exactly (bool[n_simulations])."""
        return censored(self.bound, self.maxima)

    @property
    def result(self) -> Statement:
        """The p-value of the observed maximum, or its lower bound."""
        return statement(self.best, self.bound, self.maxima)

    def critical(self, alpha: float) -> float:
        """Statistic that evidence at this level exceeds."""
        return critical_value(self.maxima, alpha)

    def verdict_possible(self, alpha: float) -> bool:
        """Whether the level can be decided at all."""
        return verdict_possible(self.bound, self.maxima, alpha)

    def significant(self, alpha: float) -> bool:
        """Whether some candidate is evidence: the observed maximum exceeds the critical value, and is known."""
        return exceeds(self.best, max(self.critical(alpha), self.bound))


Nulls: TypeAlias = dict[int | None, Null]
"""By zoning_id; the key None stands for one null over all zonings."""


def simulate(
    scan: Prepared,
    config: ScanConfig,
    *,
    known: Nulls | None = None,
    record: Record | None = None,
    progress: Progress = silent,
) -> Nulls:
    """Draw the null distribution.

    Parameters
    ----------
    scan : Prepared
    config : ScanConfig
        ``n_simulations``, ``seed``, ``null``, ``support_bound``, ``max_memberships``.
    known : Nulls, optional
        A null of the same objects, candidates, number of positives and seed: its worlds are taken over, its observed maxima are not. A longer
        null extends a shorter one; a longer known one is cut.
    record : callable, optional
        ``record(name, run)`` returns ``run()`` or what was recorded under the name before.
    progress : Progress
        Told after every pass, with an early estimate of the p-value.

    Returns
    -------
    Nulls

    Raises
    ------
    LimitError
        Not even the most frequent candidates fit ``max_memberships``.
    """
    keys: dict[int | None, tuple[int, ...]] = (
        {zoning_id: (zoning_id,) for zoning_id in sorted(scan.zonings)}
        if config.null == "per_zoning"
        else {None: tuple(sorted(scan.zonings))}
    )
    if scan.model.nothing_to_test:
        nothing = np.zeros(config.n_simulations)
        return {
            key: Null(zonings, config.min_support, -math.inf, nothing, dict.fromkeys(zonings, 0.0))
            for key, zonings in keys.items()
        }
    run = _Rounds(scan, config, record or (lambda _, compute: compute()), progress)
    nulls = {key: run.start(zonings, (known or {}).get(key)) for key, zonings in keys.items()}
    nulls = run.fill(nulls)
    lowered = run.lower(nulls)
    while lowered is not nulls:
        nulls, lowered = lowered, run.lower(lowered)
    for key, null in nulls.items():
        LOG.info(
            "scan: null %s: support %d and over, B = %g, smallest maximum %g, observed %g, %d memberships",
            "over all zonings" if key is None else f"of zoning {key}",
            null.support,
            null.bound,
            null.maxima.min(),
            null.best,
            null.memberships,
        )
    return nulls


class _Rounds:
    """The passes of one simulation."""

    def __init__(self, scan: Prepared, config: ScanConfig, record: Record, progress: Progress) -> None:
        self.scan, self.config, self.record, self.progress = scan, config, record, progress

    def bound(self, support: int) -> float:
        """B(s)."""
        return self.scan.model.support_bound(support, self.config.min_support)

    def start(self, zonings: tuple[int, ...], known: Null | None) -> Null:
        """Give a null without worlds, or with known ones, at the support of the first round."""
        n, least = self.config.n_simulations, self.config.min_support
        if known is not None and self.config.support_bound:
            maxima = np.full(n, np.nan)
            maxima[: len(known.maxima)] = known.maxima[:n]
            return Null(zonings, known.support, known.bound, maxima, dict.fromkeys(zonings, 0.0))
        support = least
        if self.config.support_bound:
            support = starting_support(self.bound, self.scan.model.n_objects, least)
        support = affordable(self.scan, zonings, support, None, self.config.max_memberships)
        return Null(zonings, support, self.bound(support), np.full(n, np.nan), dict.fromkeys(zonings, 0.0))

    def fill(self, nulls: Nulls) -> Nulls:
        """Bring all worlds and the observed outcomes to the support of each null."""
        ranges = {z: self._from(null.support) for null in nulls.values() for z in null.zonings}
        first = min(int(np.isfinite(null.maxima).sum()) for null in nulls.values())
        return self._passes(nulls, ranges, first)

    def lower(self, nulls: Nulls) -> Nulls:
        """Admit the supports that the maxima ask for; the same object when none does."""
        ranges: dict[int, Supports] = {}
        lowered = dict(nulls)
        for key, null in nulls.items():
            support = next_support(null.support, self.bound, null.maxima, null.best, self.config.min_support)
            if support < null.support:
                support = affordable(
                    self.scan,
                    null.zonings,
                    support,
                    null.support,
                    self.config.max_memberships,
                    null.memberships,
                )
            if support < null.support:
                end = min(null.support, self.scan.supports.max_support or null.support)
                ranges.update(dict.fromkeys(null.zonings, Supports(support, end)))
                lowered[key] = replace(null, support=support, bound=self.bound(support))
        return self._passes(lowered, ranges, 0) if ranges else nulls

    def _from(self, support: int) -> Supports:
        return Supports(support, self.scan.supports.max_support)

    def _passes(self, nulls: Nulls, ranges: Mapping[int, Supports], first: int) -> Nulls:
        n = self.config.n_simulations
        step = self.scan.plan.worlds_per_pass
        # The observed outcomes travel with the first worlds, so that an early estimate is possible.
        end = min(first + step - 1, n)
        passes = [Worlds(first, end, True)] + [Worlds(b, min(b + step, n)) for b in range(end, n, step)]
        for worlds in passes:
            counted = self.record(_name(worlds, ranges), partial(self._count, ranges, worlds))
            nulls = {key: _folded(null, counted, worlds) for key, null in nulls.items()}
            self.progress("simulate", worlds.last, n, _estimate(nulls, worlds.last))
        return nulls

    def _count(self, ranges: Mapping[int, Supports], worlds: Worlds) -> Pass:
        return count(self.scan, ranges, worlds, self.config.seed)


def _folded(null: Null, counted: Pass, worlds: Worlds) -> Null:
    mine = [counted[zoning_id] for zoning_id in null.zonings if zoning_id in counted]
    if not mine:
        return null
    maxima, observed = null.maxima.copy(), dict(null.observed)
    part = slice(worlds.first, worlds.last)
    maxima[part] = np.fmax.reduce([maxima[part], *(each.maxima for each in mine)])
    if not worlds.observed:
        return replace(null, maxima=maxima)
    for zoning_id in set(null.zonings) & set(counted):
        observed[zoning_id] = max(observed[zoning_id], counted[zoning_id].observed)
    return replace(
        null,
        maxima=maxima,
        observed=observed,
        candidates=null.candidates + sum(each.candidates for each in mine),
        memberships=null.memberships + sum(each.memberships for each in mine),
    )


def _name(worlds: Worlds, ranges: Mapping[int, Supports]) -> str:
    what = repr(sorted((zoning_id, *supports) for zoning_id, supports in ranges.items()))
    digest = hashlib.sha256(what.encode()).hexdigest()[:16]
    return f"worlds-{worlds.first}-{worlds.last}{'-observed' * worlds.observed}-{digest}"


def _estimate(nulls: Nulls, done: int) -> str:
    # At or below B(s) the observed maximum is not known yet, and a ceiling may leave it so.
    if any(not exceeds(null.best, null.bound) for null in nulls.values()):
        return ""
    chances = [(1 + n_reaching(null.maxima[:done], null.best)) / (done + 1) for null in nulls.values()]
    return f"p about {min(chances):.3g}" if done and len(chances) == 1 else ""
