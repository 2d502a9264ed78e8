"""Exact quantiles of a numeric column in bounded memory, the same for every partitioning.

Floats are mapped to integers of the same order; a few passes count how many values fall into each range of these
integers and look closer at the ranges that hold a quantile. The driver sees counts of ranges, never values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BITS = 13
_FEW = 50_000


def order_keys(values: np.ndarray) -> np.ndarray:
    """uint64 keys in the order of float64 values (no NaN)."""
    bits = (values + 0.0).view(np.uint64)
    sign = bits >> np.uint64(63)
    return np.where(sign == 1, ~bits, bits | np.uint64(1 << 63))


def value_of(key: int) -> float:
    """Float of an order key."""
    bits = key ^ (1 << 63) if key >> 63 else ~key & ((1 << 64) - 1)
    return float(np.array([bits], dtype=np.uint64).view(np.float64)[0])


def quantile_edges(numbers: DataFrame, parts: int) -> list[float]:
    """Edges that cut a column into ``parts`` groups of about equal size.

    Edge i is the value at 0-based position floor(i·n / parts) in ascending order; equal edges count once.

    Parameters
    ----------
    numbers : DataFrame
        One double column ``value``; nulls and NaN are left out.
    parts : int

    Returns
    -------
    list of float
        Ascending, at most ``parts - 1``; empty without values.
    """
    from pyspark.sql import functions as F

    clean = numbers.where("value IS NOT NULL AND NOT isnan(value)").select("value")
    few = clean.groupBy("value").agg(F.count("*").alias("rows")).limit(_FEW + 1).collect()
    if not few:
        return []
    if len(few) <= _FEW:
        counted = sorted((row["value"] + 0.0, row["rows"]) for row in few)
        ends = np.cumsum([rows for _, rows in counted])
        ranks = [i * int(ends[-1]) // parts for i in range(1, parts)]
        return sorted({counted[int(np.searchsorted(ends, rank, side="right"))][0] for rank in ranks})
    ranks = [i * clean.count() // parts for i in range(1, parts)]
    return sorted({value_of(key) for key in _select(clean, ranks)})


def _select(clean: DataFrame, ranks: list[int]) -> list[int]:
    # Radix selection: (prefix, rank inside the prefix) of each wanted rank, 13 bits closer with every pass.
    places = [(0, rank) for rank in ranks]
    known = 0
    while known < 64:
        step = min(_BITS, 64 - known)
        counts: dict[int, list[tuple[int, int]]] = {}
        for row in _count_ranges(clean, sorted({prefix for prefix, _ in places}), known, step).collect():
            counts.setdefault(row["prefix"], []).append((row["digit"], row["rows"]))
        closer = []
        for prefix, rank in places:
            for digit, rows in sorted(counts[_signed(prefix)]):
                if rank < rows:
                    closer.append((prefix << step | digit, rank))
                    break
                rank -= rows
        places = closer
        known += step
    return [prefix for prefix, _ in places]


def _signed(prefix: int) -> int:
    return prefix - (1 << 64) if prefix >> 63 else prefix


def _count_ranges(clean: DataFrame, prefixes: list[int], known: int, step: int) -> DataFrame:
    from pyspark.sql import functions as F

    wanted = np.array(prefixes, dtype=np.uint64)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            keys = order_keys(batch.column("value").to_numpy(zero_copy_only=False))
            head = keys >> np.uint64(64 - known) if known else np.zeros_like(keys)
            mine = np.isin(head, wanted)
            digit = (keys[mine] >> np.uint64(64 - known - step)) & np.uint64((1 << step) - 1)
            pairs, rows = np.unique(np.stack([head[mine], digit]), axis=1, return_counts=True)
            yield pa.RecordBatch.from_arrays(
                [pa.array(pairs[0].view(np.int64)), pa.array(pairs[1].astype(np.int64)), pa.array(rows)],
                names=["prefix", "digit", "rows"],
            )

    counted = clean.mapInArrow(work, "prefix bigint, digit bigint, rows bigint")
    return counted.groupBy("prefix", "digit").agg(F.sum("rows").alias("rows"))
