"""Worlds of the null: orders of the tested objects, and what an order does to the outcomes.

World b is an order of the N objects in the test that depends on (seed, b, N) only. Its random numbers are the raw
64-bit words of ``Philox(SeedSequence(seed, spawn_key=(b,)))``, whose stream NumPy guarantees, and the shuffle is ours:
the low and then the high half of each word are bounded without bias (Lemire 2019) and drive a Fisher-Yates shuffle
from the front, so that the first k places are final after k draws.

The first P objects of the order are positive. With strata, each stratum's outcomes go to its objects in the order in
which they are met. Classes go out in descending code, real values in descending order (ties in order of objects), a
value together with its weight. So label vectors with the same outcomes per stratum share their worlds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit

#: Name of this way of drawing, for caches and manifests: bump when a draw changes.
DRAW_VERSION = "philox-fisher-yates-1"

_SPARE_WORDS = 32


def order(seed: int, b: int, n: int) -> npt.NDArray[np.int32]:
    """Order of world b over n objects.

    Parameters
    ----------
    seed : int
        Seed of the null, not negative.
    b : int
        Number of the world, not negative.
    n : int
        Number of objects in the test, below 2^31.

    Returns
    -------
    int32 array of shape (n,)
        A permutation of 0..n-1; all n! are equally likely.
    """
    return _front(seed, b, n, n)


def first_places(seed: int, b: int, n: int, k: int) -> npt.NDArray[np.int32]:
    """First k objects of `order`, the positive ones of k: int32[k], without shuffling the others."""
    return _front(seed, b, n, k)[:k]


def label_words(
    seed: int,
    worlds: range,
    labels: npt.NDArray[np.integer] | npt.NDArray[np.bool_],
    strata: npt.NDArray[np.integer] | None = None,
) -> npt.NDArray[np.uint64]:
    """Labels of many worlds, 64 worlds to a word.

    Parameters
    ----------
    seed : int
        Seed of the null.
    worlds : range
        Numbers of the worlds, step 1. World ``worlds[w]`` is bit ``w % 64`` of word ``w // 64``.
    labels : array of shape (N,)
        Outcomes, 0 or 1. Without strata only N and their sum matter.
    strata : integer array of shape (N,), optional
        Stratum of each object, 0 or more; labels stay within strata.

    Returns
    -------
    uint64 array of shape (N, ceil(len(worlds) / 64))
        1 = positive. Unused bits of the last word are 0.
    """
    labels = np.asarray(labels)
    n = len(labels)
    positives = int(labels.sum())
    words = np.zeros((n, (len(worlds) + 63) // 64), dtype=np.uint64)
    column = np.zeros(n, dtype=np.uint64)
    codes, quotas = np.zeros(0, dtype=np.int64), None
    if strata is not None:
        codes = np.asarray(strata, dtype=np.int64)
        quotas = np.bincount(codes[labels != 0], minlength=int(codes.max(initial=-1)) + 1)
    for word in range(words.shape[1]):
        column[:] = 0
        for bit, b in enumerate(worlds[64 * word : 64 * word + 64]):
            if quotas is None:
                _set_bits(column, _front(seed, b, n, positives), positives, bit)
            else:
                _set_bits_within(column, order(seed, b, n), codes, quotas.copy(), bit)
        words[:, word] = column
    return words


def class_codes(
    seed: int,
    b: int,
    codes: npt.NDArray[np.integer],
    strata: npt.NDArray[np.integer] | None = None,
) -> npt.NDArray[np.int32]:
    """Class of each object in world b.

    Parameters
    ----------
    seed, b : int
        As in `order`.
    codes : integer array of shape (N,)
        Observed class codes; handed out in descending order.
    strata : integer array of shape (N,), optional
        Classes stay within strata.

    Returns
    -------
    int32 array of shape (N,)
    """
    source = permutation(seed, b, np.asarray(codes), strata)
    return np.asarray(codes)[source].astype(np.int32)


def permutation(
    seed: int,
    b: int,
    outcomes: npt.NDArray[np.integer] | npt.NDArray[np.floating],
    strata: npt.NDArray[np.integer] | None = None,
) -> npt.NDArray[np.int64]:
    """Whose outcome each object has in world b: ``outcomes[permutation(...)]`` are the outcomes of the world.

    Parameters
    ----------
    seed, b : int
        As in `order`.
    outcomes : array of shape (N,)
        Class codes or real values; the largest goes to the first object of the order, ties in order of objects.
    strata : integer array of shape (N,), optional
        Outcomes stay within strata.

    Returns
    -------
    int64 array of shape (N,)
        Index of the object whose outcome (and weight) each object gets. The same for ``weights[...]``.
    """
    outcomes = np.asarray(outcomes)
    places = order(seed, b, len(outcomes)).astype(np.int64)
    if strata is None:
        givers = np.argsort(-outcomes, kind="stable")
    else:
        # Both sides grouped by stratum; inside a stratum by place in the order and by descending outcome.
        strata = np.asarray(strata)
        places = places[np.argsort(strata[places], kind="stable")]
        givers = np.lexsort((-outcomes, strata))
    source = np.empty(len(outcomes), dtype=np.int64)
    source[places] = givers
    return source


def bits_of(word_sets: npt.NDArray[np.uint64], worlds: int | Sequence[int]) -> npt.NDArray[np.uint8]:
    """Unpack worlds (columns of bits) of `label_words`: uint8[N] for one, uint8[N, k] for several."""
    one = np.isscalar(worlds)
    w = np.atleast_1d(np.asarray(worlds, dtype=np.int64))
    bits = (word_sets[:, w // 64] >> (w % 64).astype(np.uint64)) & np.uint64(1)
    return bits.astype(np.uint8)[:, 0] if one else bits.astype(np.uint8)


def pack_labels(label_sets: npt.NDArray[np.generic]) -> npt.NDArray[np.uint64]:
    """Pack several label vectors, (k, N) of 0 and 1, as `label_words` packs worlds: uint64[N, ceil(k / 64)]."""
    label_sets = np.atleast_2d(label_sets)
    k, n = label_sets.shape
    words = np.zeros((n, (k + 63) // 64), dtype=np.uint64)
    for i in range(k):
        words[:, i // 64] |= (label_sets[i] != 0).astype(np.uint64) << np.uint64(i % 64)
    return words


def _front(seed: int, b: int, n: int, k: int) -> np.ndarray:
    """Order of world b of which the first k places are final; the whole order when k is n."""
    bits = np.random.Philox(np.random.SeedSequence(seed, spawn_key=(b,)))
    places = np.arange(n, dtype=np.int32)
    words = bits.random_raw((k + 1) // 2 + _SPARE_WORDS)
    done = _shuffle(places, 0, k, words)
    while done < k:
        done = _shuffle(places, done, k, bits.random_raw((k - done + 1) // 2 + _SPARE_WORDS))
    return places


@njit
def _shuffle(places, done, k, words):
    """Fisher-Yates from place `done`; returns the place reached when the words are used up.

    A call that uses up its words ends between two draws: the caller goes on with fresh words.
    """
    n = len(places)
    half = 0
    halves = 2 * len(words)
    for i in range(done, k):
        size = np.uint64(n - i)
        while True:
            if half == halves:
                return i
            word = words[half >> 1]
            draw = word & np.uint64(0xFFFFFFFF) if half & 1 == 0 else word >> np.uint64(32)
            half += 1
            product = draw * size
            low = product & np.uint64(0xFFFFFFFF)
            # 2^32 mod size values of the low half would favour some results: draw again.
            if low >= size or low >= (np.uint64(1 << 32) - size) % size:
                break
        j = i + np.int64(product >> np.uint64(32))
        place = places[i]
        places[i] = places[j]
        places[j] = place
    return k


@njit
def _set_bits(column, places, k, bit):
    one = np.uint64(1) << np.uint64(bit)
    for i in range(k):
        column[places[i]] |= one


@njit
def _set_bits_within(column, places, strata, quotas, bit):
    """Set the bit of the first `quotas[s]` objects of each stratum s in the order; uses up the quotas."""
    one = np.uint64(1) << np.uint64(bit)
    for place in places:
        if quotas[strata[place]] > 0:
            quotas[strata[place]] -= 1
            column[place] |= one
