"""Philox4x32-10: random words that are a function of a key and a counter, and of nothing else.

Salmon, Moraes, Dror & Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3". A permutation, a bootstrap draw
or any other repetition has a number; its words are ``philox(key, number, block)`` for block = 0, 1, ... The same
repetition is therefore the same on any thread, partition or executor. Held to the published vectors in the tests.
"""

from __future__ import annotations

import hashlib

import numpy as np

from movfair_spark.kernels._jit import njit

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
_MUL0 = np.uint64(0xD2511F53)
_MUL1 = np.uint64(0xCD9E8D57)
_WEYL0 = np.uint64(0x9E3779B9)
_WEYL1 = np.uint64(0xBB67AE85)


def key_of(seed: int, *purpose: object) -> tuple[np.uint64, np.uint64]:
    """Key of one stream: 64 bits of SHA-256 over the seed and what the stream is for.

    Parameters
    ----------
    seed : int
        The user's seed.
    *purpose : object
        Texts and numbers that name the stream, for example ``"pair", "sex", "f", "m"``.

    Returns
    -------
    tuple of uint64
        The two 32-bit halves of the key.
    """
    text = "\x1f".join([str(int(seed)), *(str(part) for part in purpose)])
    word = int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "little")
    return np.uint64(word & 0xFFFFFFFF), np.uint64(word >> 32)


@njit
def philox(key0, key1, c0, c1, c2, c3):  # type: ignore[no-untyped-def]
    """Return four 32-bit words of a 128-bit counter, as uint64.

    Parameters
    ----------
    key0, key1 : uint64
        The key, 32 bits each.
    c0, c1, c2, c3 : uint64
        The counter, 32 bits each.
    """
    for _ in range(10):
        product0 = _MUL0 * c0
        product1 = _MUL1 * c2
        c0 = (product1 >> _SHIFT) ^ c1 ^ key0
        c2 = (product0 >> _SHIFT) ^ c3 ^ key1
        c1 = product1 & _LOW
        c3 = product0 & _LOW
        key0 = (key0 + _WEYL0) & _LOW
        key1 = (key1 + _WEYL1) & _LOW
    return c0, c1, c2, c3
