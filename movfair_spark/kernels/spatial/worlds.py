"""Positives per atom in the worlds of the null: labels permuted over people, or counts drawn per atom.

Permutation takes the worlds of the movement audit (`kernels.worlds`): people in their order, the first P of the
world's order are positive. Drawing counts is equal in distribution and costs atoms instead of people: positives per atom
are multivariate hypergeometric, one univariate draw after the other from a counter-based stream keyed by (seed, b).
One draw per world serves all regions together, which keeps their dependence.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.draws_of_counts import hypergeometric
from movfair_spark.kernels.parity.philox import key_of
from movfair_spark.kernels.worlds import DRAW_VERSION, first_places

#: Names of the ways of drawing, for caches and manifests.
DRAWS = {"permutation": DRAW_VERSION, "counts": "philox-multivariate-hypergeometric-1"}


def permuted(
    seed: int, b: int, atom_of: npt.NDArray[np.int32], positives: int, atoms: int
) -> npt.NDArray[np.int64]:
    """Positives per atom when world b permutes the labels over the people.

    Parameters
    ----------
    seed, b : int
        Of the world.
    atom_of : int32 array of shape (N,)
        Atom of each person, in the order of people.
    positives, atoms : int
        P and A.

    Returns
    -------
    int64 array of shape (A,)
        The first P people of the world's order are positive.
    """
    out = np.zeros(atoms, dtype=np.int64)
    _tally(first_places(seed, b, len(atom_of), positives), atom_of, out)
    return out


def drawn(seed: int, b: int, sizes: npt.NDArray[np.int64], positives: int) -> npt.NDArray[np.int64]:
    """Positives per atom in world b, a multivariate hypergeometric draw.

    Parameters
    ----------
    seed, b : int
        Of the world.
    sizes : int64 array of shape (A,)
        People per atom.
    positives : int
        P.

    Returns
    -------
    int64 array of shape (A,)
    """
    out = np.empty(len(sizes), dtype=np.int64)
    key0, key1 = key_of(seed, "positives per atom")
    draw_counts(np.asarray(sizes, dtype=np.int64), positives, key0, key1, b, out)
    return out


@njit
def _tally(places, atom_of, out):
    for i in range(len(places)):
        out[atom_of[places[i]]] += 1


@njit
def draw_counts(sizes, positives, key0, key1, b, out):
    """Draw how many of each atom's people are among `positives` of all, one multivariate hypergeometric draw."""
    block = np.uint64(0)
    others = sizes.sum()
    left = positives
    for i in range(len(sizes)):
        others -= sizes[i]
        taken, block = hypergeometric(sizes[i], others, left, key0, key1, block, b)
        out[i] = taken
        left -= taken
