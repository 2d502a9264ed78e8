"""The Normal statistic over given regions (`models.normal` has the formulas).

A world sums the values of each atom's people, and from them every region; that decides which regions can hold the maximum.
For these alone S is added up person by person, in the order of people, as the movement audit does: the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.outcome_worlds import givers
from movfair_spark.kernels.spatial.dealing import dealt_values
from movfair_spark.kernels.spatial.regions import Regions, add_up
from movfair_spark.models import normal_kernels as kernels
from movfair_spark.models.bernoulli import direction_code
from movfair_spark.models.normal import Normal
from movfair_spark.models.normal_moments import Moments, moments
from movfair_spark.models.region_model import People
from movfair_spark.models.regions import Candidates

#: Sums over atoms and sums over people differ by less than this share of a score.
_NEAR = 1.0 - 1e-9


@dataclass(frozen=True)
class ValueRegions(Candidates):
    """Regions and the real outcomes of their people.

    Attributes
    ----------
    regions : Regions
    atom_of : int32 array of shape (N,)
        Atom of each person, in the order of people.
    model : Normal
        Values, weights or strata, direction.
    min_support, max_support : int
        Regions with fewer or more people are no candidates.
    """

    regions: Regions
    atom_of: npt.NDArray[np.int32]
    model: Normal
    min_support: int = 1
    max_support: int = 2**31 - 1
    name = "normal"
    detail_schema = Normal.detail_schema

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """People per atom."""
        most = int(self.regions.atoms.max(initial=-1))
        return np.bincount(self.atom_of, minlength=most + 1).astype(np.int64)

    @property
    def nothing_to_test(self) -> bool:
        """True when all values (of each stratum) are equal."""
        return self.model.nothing_to_test

    @property
    def largest_single(self) -> float:
        """Statistic of the largest single value."""
        return self.model.largest_single

    @cached_property
    def _moments(self) -> Moments:
        return moments(self.model.values, self.model.weights, self.model.strata)

    @cached_property
    def _handed(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        sizes = self._moments.sizes
        values = np.asarray(self.model.values, dtype=np.float64)
        return givers(values, self.model.strata), (np.cumsum(sizes) - sizes).astype(np.int64)

    @cached_property
    def _people(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """People grouped by atom, and where each atom's begin."""
        order = np.argsort(self.atom_of, kind="stable")
        return order, np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @cached_property
    def _scales(self) -> npt.NDArray[np.float64]:
        """1/V of each region without weights."""
        m = self._moments
        inside = np.empty((len(m.sizes), self.regions.count), dtype=np.int64)
        for stratum in range(len(m.sizes)):
            held = np.bincount(self.atom_of[m.strata == stratum], minlength=len(self.sizes))
            inside[stratum] = self.regions.sums(held.astype(np.int64))
        return _scales(inside, m.sizes, m.n)

    def _sums(self, of_people: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        r, out = self.regions, np.empty(self.regions.count)
        atoms = np.bincount(self.atom_of, weights=of_people, minlength=len(self.sizes))
        add_up(r.rings, r.atoms, r.families, atoms, out)
        return out

    def _scores(self, received: npt.NDArray[np.int32] | None) -> npt.NDArray[np.float64]:
        """Score of every candidate from sums over atoms."""
        m = self._moments
        centred, weights = (
            (m.centred, m.weights) if received is None else (m.centred[received], m.weights[received])
        )
        scales = self._scales
        if self.model.weights is not None:
            scales = _weighted_scales(self._sums(weights), self.supports, m.n, m.total)
        chosen, code = self.candidates, direction_code(self.model.direction)
        return _all_scores(self._sums(centred)[chosen], scales[chosen], m.perfect, m.perfect_scale, code)

    def _exact(
        self, regions: npt.NDArray[np.int64], received: npt.NDArray[np.int32] | None
    ) -> tuple[npt.NDArray[np.float64], ...]:
        """Score, S, W_in and sum of w·lift of some regions, added up person by person."""
        m, (people, starts) = self._moments, self._people
        whose = np.arange(m.n, dtype=np.int32) if received is None else received
        k = len(regions)
        sums, weights, lifts = np.empty(k), np.empty(k), np.empty(k)
        for i, region in enumerate(regions):
            held = [people[starts[a] : starts[a + 1]] for a in self.regions.members(int(region))]
            members = np.sort(np.concatenate(held)) if held else np.zeros(0, dtype=np.int64)
            sums[i], weights[i], lifts[i] = _in_order(members, whose, m.centred, m.weights, m.lift)
        if self.model.weights is None:
            scales = self._scales[regions]
        else:
            scales = _weighted_scales(weights, self.supports[regions], m.n, m.total)
        code = direction_code(self.model.direction)
        return _all_scores(sums, scales, m.perfect, m.perfect_scale, code), sums, weights, lifts

    def statistics(self) -> npt.NDArray[np.float64]:
        """Observed statistic of every region up to rounding (0 for those that are no candidates), float64[R]."""
        out, m = np.zeros(self.regions.count), self._moments
        out[self.candidates] = [kernels.likelihood(s, m.n, m.squares) for s in self._scores(None)]
        return out

    def exact(self, regions: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Observed statistic of some candidates."""
        m = self._moments
        return np.array([kernels.likelihood(s, m.n, m.squares) for s in self._exact(regions, None)[0]])

    def maxima(
        self, seed: int, numbers: Iterable[int], people: People | None = None
    ) -> npt.NDArray[np.float64]:
        """Largest statistic of each world; values are permuted over the people that the model holds."""
        m, (handed, starts), out = self._moments, self._handed, []
        for b in numbers:
            received = dealt_values(seed, b, m.strata, handed, starts)
            scores = self._scores(received)
            best = 0.0
            if len(scores) and scores.max() > 0.0:
                near = self.candidates[scores >= scores.max() * _NEAR]
                best = float(self._exact(near, received)[0].max())
            out.append(kernels.likelihood(best, m.n, m.squares))
        return np.array(out, dtype=np.float64)

    def details(self, regions: Sequence[int]) -> list[tuple[str | None, tuple[Any, ...]]]:
        """Direction, and mean inside, the mean to expect there, and the mean of all others."""
        m = self._moments
        _, sums, weights, lifts = self._exact(np.asarray(regions, dtype=np.int64), None)
        out: list[tuple[str | None, tuple[Any, ...]]] = []
        for region, s, w, lift in zip(regions, sums.tolist(), weights.tolist(), lifts.tolist(), strict=True):
            rest = m.total - w
            others = None if self.supports[region] == m.n else m.mean - (lift + s) / rest
            out.append(("high" if s > 0 else "low", (m.mean + (lift + s) / w, m.mean + lift / w, others)))
        return out


@njit
def _scales(inside, sizes, n_objects):
    out = np.zeros(inside.shape[1], dtype=np.float64)
    for region in range(len(out)):
        n = inside[:, region].sum()
        if n == 0 or n == n_objects:
            continue
        if len(sizes) == 1:
            out[region] = kernels.weighted_scale(float(n), float(n_objects))
            continue
        v = 0.0
        for s in range(len(sizes)):
            if 0 < inside[s, region] < sizes[s]:
                v += inside[s, region] * (sizes[s] - inside[s, region]) / sizes[s]
        if v > 0.0:
            out[region] = 1.0 / v
    return out


@njit
def _weighted_scales(within, supports, n_objects, total):
    out = np.zeros(len(within), dtype=np.float64)
    for i in range(len(within)):
        if 0 < supports[i] < n_objects:
            out[i] = kernels.weighted_scale(within[i], total)
    return out


@njit
def _all_scores(sums, scales, perfect, perfect_scale, direction):
    out = np.empty(len(sums), dtype=np.float64)
    for i in range(len(sums)):
        out[i] = kernels.score(sums[i], scales[i], perfect, perfect_scale, direction)
    return out


@njit
def _in_order(members, whose, centred, weights, lift):
    s = 0.0
    w = 0.0
    lifted = 0.0
    for person in members:
        giver = whose[person]
        s += centred[giver]
        w += weights[giver]
        lifted += weights[giver] * lift[person]
    return s, w, lifted
