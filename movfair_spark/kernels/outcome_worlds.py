"""Worlds of classes and of real values as arrays that counters read; the rules are those of `kernels.worlds`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.worlds import order


def givers(
    outcomes: npt.NDArray[np.integer] | npt.NDArray[np.floating],
    strata: npt.NDArray[np.integer] | None = None,
) -> npt.NDArray[np.int32]:
    """Objects in the order in which their outcomes are handed out.

    Parameters
    ----------
    outcomes : array of shape (N,)
        Class codes or real values: descending, ties in order of objects.
    strata : integer array of shape (N,), optional
        Stratum after stratum, each in this order.

    Returns
    -------
    int32 array of shape (N,)
        With the strata it decides every world: two vectors of outcomes that are equal in this order share them.
    """
    outcomes = np.asarray(outcomes)
    if np.issubdtype(outcomes.dtype, np.integer):
        outcomes = outcomes.astype(np.int64)
    if strata is None:
        return np.argsort(-outcomes, kind="stable").astype(np.int32)
    return np.lexsort((-outcomes, np.asarray(strata))).astype(np.int32)


def class_words(
    seed: int,
    worlds: range,
    codes: npt.NDArray[np.integer],
    n_classes: int,
    strata: npt.NDArray[np.integer] | None = None,
    *,
    observed: bool = False,
) -> npt.NDArray[np.uint64]:
    """Classes of many worlds in lanes of 1,024 worlds.

    Parameters
    ----------
    seed, worlds
        As in `kernels.worlds.label_words`.
    codes : integer array of shape (N,)
        Observed classes, 0 to n_classes - 1.
    n_classes : int
        K.
    strata : integer array of shape (N,), optional
        Stratum of each object, 0 or more; classes stay within strata.
    observed : bool
        The observed classes are one more world.

    Returns
    -------
    uint64 array of shape (N, 16·K·blocks)
        Lane ``block·K + k`` of a row tells in which of these 1,024 worlds the object is of class k.
    """
    codes = np.asarray(codes, dtype=np.int64)
    n = len(codes)
    n_worlds = len(worlds) + observed
    blocks = max(1, -(-n_worlds // 1024))
    words = np.zeros((n, blocks * n_classes * 16), dtype=np.uint64)
    columns = np.zeros((n_classes, n), dtype=np.uint64)
    handed = codes[givers(codes, strata)]
    within, starts = _within(n, strata)
    for first in range(0, n_worlds, 64):
        columns[:] = 0
        for bit, w in enumerate(range(first, min(first + 64, n_worlds))):
            if w < len(worlds):
                _set_class_bits(columns, order(seed, worlds[w], n), handed, within, starts.copy(), bit)
            else:
                _set_class_bits(
                    columns,
                    np.arange(n, dtype=np.int32),
                    codes,
                    np.zeros(n, np.int64),
                    np.zeros(1, np.int64),
                    bit,
                )
        block, word = divmod(first // 64, 16)
        for k in range(n_classes):
            words[:, (block * n_classes + k) * 16 + word] = columns[k]
    return words


def giver_worlds(
    seed: int,
    worlds: range,
    outcomes: npt.NDArray[np.float64],
    strata: npt.NDArray[np.integer] | None = None,
    *,
    observed: bool = False,
) -> npt.NDArray[np.int32]:
    """Whose outcome each object has in many worlds, see `kernels.worlds.permutation`.

    Parameters
    ----------
    seed, worlds
        As in `kernels.worlds.label_words`.
    outcomes : float64 array of shape (N,)
        Observed values.
    strata : integer array of shape (N,), optional
        Stratum of each object, 0 or more; values stay within strata.
    observed : bool
        The observed world, in which everybody has their own outcome, comes last.

    Returns
    -------
    int32 array of shape (N, worlds)
    """
    n = len(outcomes)
    handed = givers(outcomes, strata)
    within, starts = _within(n, strata)
    out = np.empty((n, len(worlds) + observed), dtype=np.int32)
    # A cache line of worlds at a time: dealt straight into the wide rows, each write would miss the cache.
    line = np.empty((n, 16), dtype=np.int32)
    for first in range(0, len(worlds), 16):
        part = worlds[first : first + 16]
        for w, b in enumerate(part):
            _deal(line, order(seed, b, n), handed, within, starts.copy(), w)
        out[:, first : first + len(part)] = line[:, : len(part)]
    if observed:
        out[:, -1] = np.arange(n)
    return out


def _within(
    n: int, strata: npt.NDArray[np.integer] | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Stratum of each object, and where the outcomes of each stratum begin among those handed out."""
    if strata is None:
        return np.zeros(n, dtype=np.int64), np.zeros(1, dtype=np.int64)
    codes = np.asarray(strata, dtype=np.int64)
    sizes = np.bincount(codes, minlength=1)
    return codes, (np.cumsum(sizes) - sizes).astype(np.int64)


@njit
def _set_class_bits(columns, places, handed, strata, next_of, bit):
    one = np.uint64(1) << np.uint64(bit)
    for place in places:
        stratum = strata[place]
        columns[handed[next_of[stratum]], place] |= one
        next_of[stratum] += 1


@njit
def _deal(out, places, handed, strata, next_of, w):
    for place in places:
        stratum = strata[place]
        out[place, w] = handed[next_of[stratum]]
        next_of[stratum] += 1
