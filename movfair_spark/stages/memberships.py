"""Cellsets of the tested objects, packed: one row per zoning, the input of mining and counting.

Only parts are shuffled: no row-wise sort. A worker holds one zoning (16 bytes per object and 8 per cell of its cellset,
twice while it is packed).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.fanout.broadcast import broadcast
from movfair_spark.kernels.memberships import pack, to_bytes
from movfair_spark.stages.cellset_parts import in_parts, opened
from movfair_spark.stages.numbering import numbers_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

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


@contextmanager
def packed_memberships(cellsets: DataFrame, uids: pa.Array, *, partitions: int) -> Iterator[DataFrame]:
    """Pack the cellsets of the objects in the test, and hold the result for the time of a ``with`` block.

    Parameters
    ----------
    cellsets : DataFrame
        Parts (`cellset_parts.parts`), or ``zoning_id`` (int), ``uid``, ``cells`` (array of bigint), one row per zoning
        and object.
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

    with broadcast(cellsets.sparkSession, uids) as tested:

        def join(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            yield from _packed(batches, tested.value)

        together = in_parts(cellsets).repartition(max(1, partitions), "zoning_id")
        packed = together.sortWithinPartitions("zoning_id").mapInArrow(join, SCHEMA)
        packed.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            yield packed
        finally:
            packed.unpersist()


def _packed(batches: Iterable[pa.RecordBatch], tested: pa.Array) -> Iterator[pa.RecordBatch]:
    """Parts in order of zoning to one packed row per zoning in which somebody is tested."""
    rows = (row for batch in batches for row in zip(*batch.columns, strict=True))
    for zoning_id, parts in groupby(rows, key=lambda row: row[0].as_py()):
        chunks = [_numbered(rows, tested) for _, part in parts for rows in opened(part.as_buffer())]
        numbers, sizes, cells = (np.concatenate(each) for each in zip(*chunks, strict=True))
        if not len(numbers):
            continue
        starts = np.append(0, np.cumsum(sizes))
        memberships = pack(len(tested), numbers, starts, cells)
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


def _numbered(rows: pa.RecordBatch, tested: pa.Array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of the tested people of a part, how many cells each has, and the cells."""
    numbers = numbers_of(rows.column("uid"), tested)
    mine = numbers >= 0
    cells = rows.column("cells")
    sizes = np.diff(cells.offsets.to_numpy())
    return numbers[mine], sizes[mine], cells.flatten().to_numpy()[np.repeat(mine, sizes)]
