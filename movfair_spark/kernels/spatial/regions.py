"""Regions as families of rings of atoms, and their counts.

An atom is a set of points that lie in the same regions (a location, or a cell of a refinement). A family is a nested
sequence of regions: region r of a family is the union of its rings 0..r. Windows that grow about a centre are a family, so
that each atom is met once per centre instead of once per window; a cell of a partitioning is a family of one ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit


@dataclass(frozen=True)
class Regions:
    """R regions over A atoms.

    Attributes
    ----------
    rings : int64 array of shape (R + 1,)
        Ring r, and with it region r, is ``atoms[rings[r]:rings[r + 1]]``.
    atoms : int32 array
        Atoms of the rings.
    families : int64 array of shape (F + 1,)
        Family f holds the regions ``families[f]`` to ``families[f + 1] - 1``.
    """

    rings: npt.NDArray[np.int64]
    atoms: npt.NDArray[np.int32]
    families: npt.NDArray[np.int64]

    @property
    def count(self) -> int:
        """Number of regions, R."""
        return len(self.rings) - 1

    def sums(self, weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Sum of the atoms' weights in each region, int64[R]; also of hashes, modulo 2^64."""
        out = np.empty(self.count, dtype=np.int64)
        add_up(self.rings, self.atoms, self.families, np.asarray(weights, dtype=np.int64), out)
        return out

    def members(self, region: int) -> npt.NDArray[np.int32]:
        """Atoms of a region."""
        family = np.searchsorted(self.families, region, side="right") - 1
        return self.atoms[self.rings[self.families[family]] : self.rings[region + 1]]


@njit
def add_up(rings, atoms, families, weights, out):
    """Write the sum of the weights of each region's atoms into `out`."""
    for family in range(len(families) - 1):
        total = 0
        for region in range(families[family], families[family + 1]):
            for i in range(rings[region], rings[region + 1]):
                total += weights[atoms[i]]
            out[region] = total


def from_cells(
    cells: npt.NDArray[np.int64], atoms: npt.NDArray[np.integer] | None = None
) -> tuple[Regions, npt.NDArray[np.int64]]:
    """Regions of a partitioning: its occupied cells, each a family of one ring.

    Parameters
    ----------
    cells : int64 array of shape (m,)
        Cell of each atom.
    atoms : integer array of shape (m,), optional
        The atoms that have a cell; all of them, 0..m-1, when left out. Others lie in no region.

    Returns
    -------
    regions : Regions
    ids : int64 array of shape (R,)
        Cell ids, ascending.
    """
    order = np.argsort(cells, kind="stable")
    ids, starts = np.unique(cells[order], return_index=True)
    rings = np.append(starts, len(cells)).astype(np.int64)
    held = order if atoms is None else np.asarray(atoms)[order]
    return Regions(rings, held.astype(np.int32), np.arange(len(ids) + 1, dtype=np.int64)), ids


def from_rings(families: Sequence[Sequence[npt.NDArray[np.integer]]]) -> Regions:
    """Regions from the rings of each family."""
    rings = [np.asarray(ring, dtype=np.int32) for family in families for ring in family]
    sizes = np.array([len(ring) for ring in rings], dtype=np.int64)
    return Regions(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.concatenate(rings) if rings else np.zeros(0, dtype=np.int32),
        np.concatenate([[0], np.cumsum([len(family) for family in families])]).astype(np.int64),
    )


def together(parts: Sequence[Regions]) -> Regions:
    """Regions of several layers over the same atoms, in order."""
    rings, families = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    for part in parts:
        families.append(part.families[1:] + families[-1][-1])
        rings.append(part.rings[1:] + rings[-1][-1])
    return Regions(
        np.concatenate(rings),
        np.concatenate([part.atoms for part in parts]) if parts else np.zeros(0, dtype=np.int32),
        np.concatenate(families),
    )


def atom_hashes(count: int) -> npt.NDArray[np.int64]:
    """Numbers of atoms (splitmix64) whose sums name sets of atoms: equal sets have equal sums."""
    z = (np.arange(1, count + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).view(np.int64)


def merged(regions: Regions, count: int) -> tuple[Regions, npt.NDArray[np.int32]]:
    """Put atoms that lie in the same rings together.

    Parameters
    ----------
    regions : Regions
    count : int
        Number of atoms.

    Returns
    -------
    regions : Regions
        The same regions over fewer atoms; each ring holds an atom once.
    atom_of : int32 array of shape (count,)
        New atom of each old one. Rings are compared by 64-bit sums of hashes.
    """
    names = np.zeros(count, dtype=np.int64)
    sizes = np.diff(regions.rings)
    ring_of = np.repeat(np.arange(regions.count), sizes)
    np.add.at(names, regions.atoms, atom_hashes(regions.count)[ring_of])
    atom_of = np.unique(names, return_inverse=True)[1].astype(np.int32)
    pairs = np.unique(ring_of * np.int64(count) + atom_of[regions.atoms])
    rings = np.searchsorted(pairs, np.arange(regions.count + 1) * np.int64(count)).astype(np.int64)
    return Regions(rings, (pairs % count).astype(np.int32), regions.families), atom_of
