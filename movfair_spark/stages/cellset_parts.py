"""Parts of the table ``cellsets``: the rows of some people in one zoning as one compressed value.

A row with two arrays costs Spark about 2 µs each way, for 100,000 people and 40 grids 8 seconds at every crossing. So
cellsets travel as parts, and become rows once, in the table that is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from movfair_spark.tables.cellsets import CELLSET, cellsets_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "zoning_id int, packed binary"
ROWS_GATHERED = 1 << 18
"""Rows that are joined before they are cut into parts, so that parts are few."""

_ARROW = pa.schema([("zoning_id", pa.int32()), ("packed", pa.binary())])
_WRITE = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
_READ = pa.ipc.IpcReadOptions(use_threads=False)


def packed(uids: pa.Array, cells: pa.ListArray, *days: pa.ListArray) -> bytes:
    """Pack cellsets of one zoning: an Arrow stream of ``uid``, ``cells`` and, for the table, ``days``."""
    rows = pa.RecordBatch.from_arrays([uids, cells, *days], names=["uid", "cells", "days"][: 2 + len(days)])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema, options=_WRITE) as stream:
        stream.write_batch(rows)
    return sink.getvalue().to_pybytes()


def opened(part: bytes) -> pa.RecordBatchReader:
    """Read the rows of one part."""
    return pa.ipc.open_stream(part, options=_READ)


def parts(assigned: DataFrame, kept: Sequence[int]) -> DataFrame:
    """Parts of the zonings that stay in the audit.

    Parameters
    ----------
    assigned : DataFrame
        What :func:`movfair_spark.stages.cellsets.cellsets` gave, after it was written.
    kept : sequence of int
        zoning_id of those that stay.

    Returns
    -------
    DataFrame
        zoning_id, uid (one of the people of the part) and packed.
    """
    chosen = (F.col("kind") == CELLSET) & F.col("zoning_id").isin(list(kept))
    return assigned.where(chosen).select("zoning_id", "uid", "packed")


def split_cellsets(assigned: DataFrame, kept: Sequence[int]) -> DataFrame:
    """Table ``cellsets`` out of the written frame, for the zonings that stay in the audit."""
    uid_type = assigned.schema["uid"].dataType.simpleString()
    return parts(assigned, kept).select("zoning_id", "packed").mapInArrow(_rows, cellsets_schema(uid_type))


def in_parts(cellsets: DataFrame) -> DataFrame:
    """Columns zoning_id and packed of parts, or of rows (zoning_id, uid, cells), which are packed here."""
    if "packed" in cellsets.columns:
        return cellsets.select("zoning_id", "packed")
    rows = cellsets.selectExpr("cast(zoning_id as int) zoning_id", "uid", "cells").where("size(cells) > 0")
    return rows.mapInArrow(_cut, SCHEMA)


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for zoning_id, part in _each(batches):
        for rows in opened(part):
            zonings = pa.array(np.full(rows.num_rows, zoning_id, np.int32))
            yield pa.RecordBatch.from_arrays(
                [zonings, *rows.columns], names=["zoning_id", *rows.schema.names]
            )


def _each(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, bytes]]:
    for batch in batches:
        for zoning_id, part in zip(batch.column("zoning_id"), batch.column("packed"), strict=True):
            yield zoning_id.as_py(), part.as_buffer()


def _cut(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for rows in _gathered(batches):
        rows = rows.take(pc.sort_indices(rows, sort_keys=[("zoning_id", "ascending")])).combine_chunks()
        zonings = rows["zoning_id"].to_numpy()
        borders = np.append(np.flatnonzero(np.diff(zonings, prepend=-1)), len(zonings))
        for a, b in pairwise(borders):
            uids, cells = (rows[name].slice(a, b - a).combine_chunks() for name in ("uid", "cells"))
            yield pa.RecordBatch.from_arrays(
                [pa.array([zonings[a]], pa.int32()), pa.array([packed(uids, cells)], pa.binary())],
                schema=_ARROW,
            )


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Arrow batches joined to tables of about ``ROWS_GATHERED`` rows."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if batch.num_rows:
            held.append(batch)
        if sum(each.num_rows for each in held) >= ROWS_GATHERED:
            yield pa.Table.from_batches(held)
            held = []
    if held:
        yield pa.Table.from_batches(held)
