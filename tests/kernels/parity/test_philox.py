from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.parity.philox import key_of, philox

ALL = 0xFFFFFFFF
PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ALL, ALL, ALL, ALL), (ALL, ALL), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (*PI, (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ],
)
def test_published_vectors_of_random123(
    counter: tuple[int, ...], key: tuple[int, int], words: tuple[int, ...]
) -> None:
    assert tuple(int(w) for w in philox(*map(np.uint64, key), *map(np.uint64, counter))) == words


def test_a_key_depends_on_the_seed_and_on_every_part_of_the_purpose() -> None:
    keys = {
        key_of(1, "pair", "sex", "f"),
        key_of(2, "pair", "sex", "f"),
        key_of(1, "pair", "sex", "m"),
        key_of(1, "pair", "sexf"),
    }
    assert len(keys) == 4
    assert key_of(1, "pair") == key_of(1, "pair")
