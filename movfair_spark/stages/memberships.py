"""Cellsets of the tested objects, packed: one row per zoning, the input of mining and counting.

Each partition of the cellsets is cut into one compact chunk per zoning (numbers, sizes, cells as bytes), and only
these chunks are shuffled: no row-wise sort, and a worker holds the zonings of one partition
(12 bytes per object and 8 per cell of its cellset and zoning, twice while one zoning is packed).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from movfair_spark.fanout.broadcast import Shared, broadcast
from movfair_spark.kernels.memberships import pack, to_bytes
from movfair_spark.stages.numbering import numbers_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHUNK_SCHEMA = "zoning_id int, numbers binary, sizes binary, cells binary"
CHUNKS = pa.schema(
    [("zoning_id", pa.int32()), ("numbers", pa.binary()), ("sizes", pa.binary()), ("cells", pa.binary())]
)
SCHEMA = "zoning_id int, objects int, cells int, best_support int, memberships bigint, packed binary"
"""objects: with a cell; cells: distinct; best_support: of the most frequent cell; memberships: of all candidates."""
PACKED = pa.schema(
    [
        ("zoning_id", pa.int32()),
        ("objects", pa.int32()),
        ("cells", pa.int32()),
        ("best_support", pa.int32()),
        ("memberships", pa.int64()),
        ("packed", pa.binary()),
    ]
)

CHUNK_ROWS = 1 << 18


@contextmanager
def packed_memberships(cellsets: DataFrame, uids: pa.Array, *, partitions: int) -> Iterator[DataFrame]:
    """Pack the cellsets of the objects in the test, and hold the result for the time of a ``with`` block.

    Parameters
    ----------
    cellsets : DataFrame
        Columns ``zoning_id`` (int), ``uid``, ``cells`` (array of bigint); one row per zoning and object.
    uids : pyarrow.Array
        The objects in the test in uid order (`Population.uids`).
    partitions : int
        Tasks that pack; more than there are zonings is of no use.

    Yields
    ------
    DataFrame
        `SCHEMA`, cached; no row for a zoning in which no tested object has a cell. Lost executors rebuild their
        part from the cellsets.
    """
    from pyspark import StorageLevel

    n_objects = len(uids)
    with broadcast(cellsets.sparkSession, uids) as tested:

        def cut(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for rows in _gathered(batches):
                yield from _chunks(rows, tested)

        def join(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            yield from _packed(batches, n_objects)

        narrow = cellsets.selectExpr("cast(zoning_id as int) zoning_id", "uid", "cells")
        chunks = narrow.mapInArrow(cut, CHUNK_SCHEMA)
        together = chunks.repartition(max(1, partitions), "zoning_id").sortWithinPartitions("zoning_id")
        packed = together.mapInArrow(join, SCHEMA).persist(StorageLevel.MEMORY_AND_DISK)
        try:
            yield packed
        finally:
            packed.unpersist()


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Arrow batches joined to tables of about ``CHUNK_ROWS`` rows, so that chunks are few."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if batch.num_rows:
            held.append(batch)
        if sum(each.num_rows for each in held) >= CHUNK_ROWS:
            yield pa.Table.from_batches(held)
            held = []
    if held:
        yield pa.Table.from_batches(held)


def _chunks(rows: pa.Table, tested: Shared) -> Iterator[pa.RecordBatch]:
    """One chunk per zoning of the tested objects' rows."""
    rows = rows.combine_chunks()
    numbers = numbers_of(rows["uid"].combine_chunks(), tested.value)
    lengths = pc.fill_null(pc.list_value_length(rows["cells"]), 0).to_numpy().astype(np.int64)
    kept = np.flatnonzero((numbers >= 0) & (lengths > 0))
    zonings = rows["zoning_id"].to_numpy()[kept]
    order = np.argsort(zonings, kind="stable")
    kept, zonings = kept[order], zonings[order]
    borders = np.append(np.flatnonzero(np.diff(zonings, prepend=-1)), len(zonings))
    cells = rows["cells"].combine_chunks().take(pa.array(kept)).flatten().to_numpy()
    ends = np.append(0, np.cumsum(lengths[kept]))
    for a, b in pairwise(borders):
        yield pa.RecordBatch.from_pylist(
            [
                {
                    "zoning_id": int(zonings[a]),
                    "numbers": numbers[kept[a:b]].astype(np.int32).tobytes(),
                    "sizes": lengths[kept[a:b]].astype(np.int32).tobytes(),
                    "cells": cells[ends[a] : ends[b]].tobytes(),
                }
            ],
            schema=CHUNKS,
        )


def _packed(batches: Iterable[pa.RecordBatch], n_objects: int) -> Iterator[pa.RecordBatch]:
    """Chunks in order of zoning to one packed row per zoning."""
    rows = (row for batch in batches for row in batch.to_pylist())
    for zoning_id, chunks in groupby(rows, key=itemgetter("zoning_id")):
        parts = [
            (_int32(c["numbers"]), _int32(c["sizes"]), np.frombuffer(c["cells"], np.int64)) for c in chunks
        ]
        numbers, sizes, cells = (np.concatenate(each) for each in zip(*parts, strict=True))
        starts = np.append(0, np.cumsum(sizes, dtype=np.int64))
        memberships = pack(n_objects, numbers, starts, cells)
        yield pa.RecordBatch.from_pylist(
            [
                {
                    "zoning_id": zoning_id,
                    "objects": len(memberships.objects),
                    "cells": len(memberships.cells),
                    "best_support": int(memberships.supports[-1]),
                    "memberships": memberships.all_memberships(),
                    "packed": to_bytes(memberships),
                }
            ],
            schema=PACKED,
        )


def _int32(data: bytes) -> np.ndarray:
    return np.frombuffer(data, np.int32)
