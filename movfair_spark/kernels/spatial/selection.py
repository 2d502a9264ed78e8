"""Non-overlapping selections of regions: by centre in the given order, and greedily by statistic."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels.spatial.regions import Regions


class SharedPeople:
    """Tells whether a region shares people with those kept so far; an empty overlap of areas is none."""

    def __init__(self, regions: Regions, atoms: int) -> None:
        self._regions = regions
        self._taken = np.zeros(atoms, dtype=bool)

    def __call__(self, region: int) -> bool:
        """Whether the region overlaps."""
        return bool(self._taken[self._regions.members(region)].any())

    def keep(self, region: int) -> None:
        """Add a region to those kept."""
        self._taken[self._regions.members(region)] = True


class SharedArea:
    """Tells whether a region's bounds share area with those of a region kept so far; touching is no overlap.

    Parameters
    ----------
    bounds : float64 array of shape (R, 4)
        min x, min y, max x, max y of each region.
    """

    def __init__(self, bounds: npt.NDArray[np.float64]) -> None:
        self._bounds = bounds
        self._kept: list[int] = []

    def __call__(self, region: int) -> bool:
        """Whether the region overlaps."""
        if not self._kept:
            return False
        own, kept = self._bounds[region], self._bounds[self._kept]
        wide = (own[0] < kept[:, 2]) & (kept[:, 0] < own[2])
        return bool((wide & (own[1] < kept[:, 3]) & (kept[:, 1] < own[3])).any())

    def keep(self, region: int) -> None:
        """Add a region to those kept."""
        self._kept.append(region)


def select(order: Iterable[int], overlap: SharedPeople | SharedArea, most: int | None = None) -> list[int]:
    """Take regions in order, each unless it overlaps one taken before.

    Parameters
    ----------
    order : iterable of int
        Regions: ranked by statistic for the greedy selection, `best_of_centres` for the paper's.
    overlap : SharedPeople or SharedArea
        Fresh.
    most : int, optional
        Stop after so many.
    """
    kept: list[int] = []
    for region in order:
        if most is not None and len(kept) == most:
            break
        if not overlap(region):
            overlap.keep(region)
            kept.append(region)
    return kept


def best_of_centres(
    families: npt.NDArray[np.int64], statistic: npt.NDArray[np.float64], evidence: npt.NDArray[np.bool_]
) -> list[int]:
    """Best significant region of each family, in the order of families; of equal ones the smallest.

    A family without a significant region gives none (the paper's section 4.3).
    """
    best = []
    for first, end in zip(families[:-1], families[1:], strict=True):
        held = np.flatnonzero(evidence[first:end]) + first
        if len(held):
            best.append(int(held[np.argmax(statistic[held])]))
    return best
