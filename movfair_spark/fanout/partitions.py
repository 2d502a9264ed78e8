"""One heavy block per task: keys that Spark's hash partitioning sends to known partitions.

``repartition(n, key)`` puts a row into partition ``pmod(hash(key), n)``. Hashing block numbers themselves would put
several blocks into one task and none into others; so each partition gets a key that is known to fall into it.
"""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def spark_hash(value: int) -> int:
    """Spark's ``hash`` of one int column: Murmur3 (x86, 32 bits) with seed 42, as a signed 32-bit integer."""
    k = _rotated(value * 0xCC9E2D51 & _MASK, 15) * 0x1B873593 & _MASK
    h = (_rotated(42 ^ k, 13) * 5 + 0xE6546B64) & _MASK
    h ^= 4
    h = (h ^ h >> 16) * 0x85EBCA6B & _MASK
    h = (h ^ h >> 13) * 0xC2B2AE35 & _MASK
    h ^= h >> 16
    return h - (1 << 32) if h >> 31 else h


def partition_keys(n: int) -> list[int]:
    """For each of n partitions the smallest non-negative int whose row ``repartition(n, key)`` puts there."""
    keys: dict[int, int] = {}
    candidate = 0
    while len(keys) < n:
        keys.setdefault(spark_hash(candidate) % n, candidate)
        candidate += 1
    return [keys[partition] for partition in range(n)]


def _rotated(x: int, by: int) -> int:
    return (x << by | x >> 32 - by) & _MASK
