"""The Bernoulli statistic over given regions: observed values, and the maximum of a world.

Only the smallest and the largest count of each support are evaluated, which loses nothing because the statistic is
convex in the count (`models.bernoulli`): the same bits as the maximum over all regions.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.spatial import worlds
from movfair_spark.kernels.spatial.regions import Regions, add_up
from movfair_spark.models import bernoulli_kernels as kernels
from movfair_spark.models.bernoulli import direction_code, statistics


class Candidates(ABC):
    """What all outcome models over regions share: people per region, and which regions are candidates.

    A class of them has the attributes ``regions, min_support, max_support``, and ``sizes`` (people in the test per atom).
    """

    regions: Regions
    sizes: Any
    min_support: int
    max_support: int

    @property
    def n_objects(self) -> int:
        """N."""
        return int(self.sizes.sum())

    @cached_property
    def supports(self) -> npt.NDArray[np.int64]:
        """People per region, int64[R]."""
        return self.regions.sums(self.sizes)

    @cached_property
    def candidates(self) -> npt.NDArray[np.int64]:
        """Regions that are candidates, ascending by support."""
        order = np.argsort(self.supports, kind="stable")
        n = self.supports[order]
        return order[(n >= max(1, self.min_support)) & (n <= self.max_support)]


@dataclass(frozen=True)
class RegionScan(Candidates):
    """Regions with their people, ready to be counted.

    Attributes
    ----------
    regions : Regions
    sizes : int64 array of shape (A,)
        People in the test per atom; they add up to N.
    positives : int
        P.
    direction : {"both", "high", "low"}
    min_support, max_support : int
        Regions with fewer or more people are no candidates.
    """

    regions: Regions
    sizes: npt.NDArray[np.int64]
    positives: int
    direction: str = "both"
    min_support: int = 1
    max_support: int = 2**31 - 1

    @property
    def nothing_to_test(self) -> bool:
        """True when all outcomes are the same."""
        return self.positives in (0, self.n_objects)

    def statistics(self, positives_of_atoms: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Statistic of every region (0 for those that are no candidates), float64[R]."""
        out = np.zeros(self.regions.count)
        chosen, p = self.candidates, self.regions.sums(positives_of_atoms)
        out[chosen] = statistics(
            self.supports[chosen], p[chosen], self.n_objects, self.positives, self.direction
        )
        return out

    def maximum(self, positives_of_atoms: npt.NDArray[np.int64]) -> float:
        """Largest statistic of a world; 0 without candidates."""
        r = self.regions
        counts = np.empty(r.count, dtype=np.int64)
        add_up(r.rings, r.atoms, r.families, positives_of_atoms, counts)
        return float(
            _maximum(
                counts,
                self.candidates,
                self.supports,
                self.n_objects,
                self.positives,
                direction_code(self.direction),
            )
        )

    def maxima(
        self, seed: int, numbers: Iterable[int], atom_of: npt.NDArray[np.int32] | None = None
    ) -> npt.NDArray[np.float64]:
        """Maximum of each world.

        Parameters
        ----------
        seed : int
        numbers : iterable of int
            Numbers of the worlds.
        atom_of : int32 array of shape (N,), optional
            Atom of each person in the order of people: labels are permuted over them. Without it, counts per atom are
            drawn.
        """
        out = []
        for b in numbers:
            if atom_of is None:
                atoms = worlds.drawn(seed, b, self.sizes, self.positives)
            else:
                atoms = worlds.permuted(seed, b, atom_of, self.positives, len(self.sizes))
            out.append(self.maximum(atoms))
        return np.array(out, dtype=np.float64)


@njit
def _maximum(counts, candidates, supports, n_objects, positives, direction):
    best = 0.0
    i = 0
    while i < len(candidates):
        support = supports[candidates[i]]
        low = counts[candidates[i]]
        high = low
        while i < len(candidates) and supports[candidates[i]] == support:
            low = min(low, counts[candidates[i]])
            high = max(high, counts[candidates[i]])
            i += 1
        best = max(best, kernels.statistic(support, low, n_objects, positives, direction))
        best = max(best, kernels.statistic(support, high, n_objects, positives, direction))
    return best
