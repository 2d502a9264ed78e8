"""Worlds of classes and of real values over atoms, labels permuted over people (within groups where there are any).

The orders are those of `kernels.worlds`: each group's outcomes go to its people in the order in which they are met, classes in
descending code, real values in descending order, a value together with its weight.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.philox import key_of
from movfair_spark.kernels.spatial.worlds import draw_counts
from movfair_spark.kernels.worlds import order


def dealt_classes(
    seed: int,
    b: int,
    atom_of: npt.NDArray[np.int32],
    group_of: npt.NDArray[np.int32],
    quotas: npt.NDArray[np.int64],
    rows: tuple[npt.NDArray[np.int64], int, int],
) -> npt.NDArray[np.int64]:
    """People per class and atom when world b permutes the classes over the people of each group.

    Parameters
    ----------
    seed, b : int
        Of the world.
    atom_of, group_of : int32 arrays of shape (N,)
        Of each person, in the order of people.
    quotas : int64 array of shape (G, K)
        People of each class in each group.
    rows : part_of, parts, atoms
        Part in which each group is counted, int64[G]; Q; A.

    Returns
    -------
    int64 array of shape (Q, K, A)
    """
    part_of, parts, atoms = rows
    out = np.zeros((parts, quotas.shape[1], atoms), dtype=np.int64)
    _deal_classes(order(seed, b, len(atom_of)), atom_of, group_of, part_of, quotas.copy(), out)
    return out


def drawn_classes(
    seed: int,
    b: int,
    held: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]],
    quotas: npt.NDArray[np.int64],
    rows: tuple[npt.NDArray[np.int64], int, int],
) -> npt.NDArray[np.int64]:
    """People per class and atom in world b, drawn: equal in distribution to `dealt_classes`.

    Parameters
    ----------
    seed, b, quotas, rows
        As in `dealt_classes`.
    held : list of (atoms, sizes)
        Of each group its atoms and how many of its people each holds.
    """
    part_of, parts, atoms = rows
    out = np.zeros((parts, quotas.shape[1], atoms), dtype=np.int64)
    for group, (places, sizes) in enumerate(held):
        left = sizes.copy()
        taken = np.empty_like(left)
        for code in range(quotas.shape[1] - 1, 0, -1):
            key0, key1 = key_of(seed, "class per atom", group, code)
            draw_counts(left, int(quotas[group, code]), key0, key1, b, taken)
            out[part_of[group], code, places] += taken
            left -= taken
        out[part_of[group], 0, places] += left
    return out


def dealt_values(
    seed: int,
    b: int,
    strata: npt.NDArray[np.int64],
    handed: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """Whose value each person has in world b, int32[N].

    Parameters
    ----------
    seed, b : int
    strata : int64 array of shape (N,)
    handed : int32 array of shape (N,)
        People in the order in which values are handed out, stratum after stratum (`kernels.outcome_worlds.givers`).
    starts : int64 array of shape (S,)
        Where each stratum begins in it.
    """
    out = np.empty(len(handed), dtype=np.int32)
    _deal_values(order(seed, b, len(handed)), strata, handed, starts.copy(), out)
    return out


@njit
def _deal_classes(places, atom_of, group_of, part_of, quotas, out):
    classes = quotas.shape[1]
    code_of = np.full(len(quotas), classes - 1, dtype=np.int64)
    for person in places:
        group = group_of[person]
        code = code_of[group]
        while quotas[group, code] == 0:
            code -= 1
        code_of[group] = code
        quotas[group, code] -= 1
        out[part_of[group], code, atom_of[person]] += 1


@njit
def _deal_values(places, strata, handed, next_of, out):
    for person in places:
        stratum = strata[person]
        out[person] = handed[next_of[stratum]]
        next_of[stratum] += 1
