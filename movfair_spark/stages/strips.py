"""Points of a person together and in order, in one shuffle of strips instead of rows (see `kernels.strips`).

Each reading task gathers about a million rows, brings those of a person together and sends them on as strips of up to
16 fixes: three narrow columns as bytes. Rows that were set aside stay behind; only their counts go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext
from pyspark.sql import DataFrame

from movfair_spark.kernels.strips import Strips, cut

CHUNK_ROWS = 1 << 20
"""Rows that a reading task holds: 24 bytes each, a few times over while they are cut."""
STRIPS_AT_ONCE = 1 << 14
_REASONS = 128


def strips_by_person(rows: DataFrame, partitions: int) -> DataFrame:
    """Bring the fixes of a person together.

    Parameters
    ----------
    rows : DataFrame
        uid, ts (bigint), x, y (double), reason (tinyint; rows with one have no uid).
    partitions : int

    Returns
    -------
    DataFrame
        uid, first (bigint, time of the first fix), position (bigint, ascending in the order of the input), fixes
        (binary), ordered by uid, first and position in each partition. Rows without a uid hold counts of reasons.
    """
    uid_type = rows.schema["uid"].dataType.simpleString()
    strips = rows.mapInArrow(cut_rows, f"uid {uid_type}, first bigint, position bigint, fixes binary")
    return strips.repartition(partitions, "uid").sortWithinPartitions("uid", "first", "position")


def cut_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Cut the rows of a reading task into strips, and count reasons."""
    rejected = np.zeros(_REASONS, dtype=np.int64)
    held: list[pa.RecordBatch] = []
    uid_type = None
    context = TaskContext.get()
    position = (context.partitionId() if context else 0) << 33
    for batch in batches:
        if batch.num_rows == 0:
            continue
        uid_type = batch.schema.field("uid").type
        reason = batch.column("reason").to_numpy(zero_copy_only=False)
        if reason.any():
            rejected += np.bincount(reason, minlength=_REASONS)
            batch = batch.filter(pc.equal(batch.column("reason"), 0))
        held.append(batch)
        if sum(part.num_rows for part in held) >= CHUNK_ROWS:
            strips = _rows(held, position)
            held, position = [], position + strips.num_rows
            yield strips
    if sum(part.num_rows for part in held):
        yield _rows(held, position)
    rejected[0] = 0
    if uid_type is not None and rejected.any():
        none = pa.nulls(1, pa.int64())
        counts = pa.array([rejected.tobytes()], pa.binary())
        yield pa.RecordBatch.from_arrays([pa.nulls(1, uid_type), none, none, counts], names=_NAMES)


def counts_of(batch: pa.RecordBatch) -> np.ndarray:
    """Rows per reason that a batch of strips tells of (int64[128])."""
    counts = batch.filter(pc.is_null(batch.column("uid"))).column("fixes")
    return sum(
        (np.frombuffer(value, dtype=np.int64) for value in counts.to_pylist()),
        np.zeros(_REASONS, dtype=np.int64),
    )


def read_strips(batch: pa.RecordBatch, person: np.ndarray) -> tuple[Strips, np.ndarray]:
    """Read the strips of a batch without counts, and their positions.

    Parameters
    ----------
    batch : RecordBatch
        At least one row.
    person : int64 array
        Number of each row's person.
    """
    fixes = batch.column("fixes")
    _, offsets, data = fixes.buffers()
    starts = np.frombuffer(offsets, dtype=np.int32)[fixes.offset : fixes.offset + len(fixes) + 1].astype(
        np.int64
    )
    # A copy: the kernels are compiled for arrays of one kind, and those of Arrow are read-only.
    values = np.array(np.frombuffer(data, dtype=np.uint8)[starts[0] : starts[-1]]).view(np.int64)
    first, position = (np.array(batch.column(name).to_numpy()) for name in ("first", "position"))
    return Strips(person, first, (starts - starts[0]) // 8, values), position


_NAMES = ("uid", "first", "position", "fixes")


def _rows(batches: list[pa.RecordBatch], position: int) -> pa.RecordBatch:
    table = pa.Table.from_batches(batches).combine_chunks()
    uid = table["uid"].combine_chunks()
    coded = (uid.chunk(0) if isinstance(uid, pa.ChunkedArray) else uid).dictionary_encode()
    person = coded.indices.to_numpy().astype(np.int64)
    time = np.array(table["ts"].to_numpy())
    # Adding 0 makes -0.0 the same zero.
    x, y = (table[name].to_numpy() + 0.0 for name in ("x", "y"))
    strips = cut(person, len(coded.dictionary), time, x, y)
    offsets = pa.py_buffer((8 * strips.starts).astype(np.int32))
    fixes = pa.Array.from_buffers(pa.binary(), len(strips.first), [None, offsets, pa.py_buffer(strips.data)])
    positions = np.arange(position, position + len(strips.first), dtype=np.int64)
    columns = [
        coded.dictionary.take(pa.array(strips.person)),
        pa.array(strips.first),
        pa.array(positions),
        fixes,
    ]
    return pa.RecordBatch.from_arrays(columns, names=_NAMES)
