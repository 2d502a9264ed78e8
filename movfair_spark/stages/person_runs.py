"""People in sorted Arrow batches: numbers for the kernels, ids for the output."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from movfair_spark.kernels.fixes import Ints, Stops
from movfair_spark.tables.stops import COUNT, STOP

HELD_PEOPLE = 5
"""People before a batch whose stops it may still close: each kernel of the chain (strips, rows at the same time,
compression, stops) holds rows of one person, and there are at most four."""

_COLUMNS = ("kind", "uid", "stop_id", "arrive", "leave", "x", "y", "n_points", "reason", "rows")


class PersonRuns:
    """Number the people of one sorted partition, batch by batch.

    Ids stay Arrow values of their own type: no int64 above 2^53 passes through a double, '007' stays text.
    """

    def __init__(self) -> None:
        self._ids: pa.Array | None = None
        self._low = 0

    def number(self, uid: pa.Array) -> Ints:
        """Numbers of a batch's people (not empty, no null): the same as before when the last person goes on."""
        n = len(uid)
        changes = np.zeros(n, dtype=np.int64)
        if n > 1:
            changes[1:] = pc.not_equal(uid.slice(1), uid.slice(0, n - 1)).to_numpy(zero_copy_only=False)
        if self._ids is not None:
            previous = self._ids.slice(max(len(self._ids) - HELD_PEOPLE, 0))
            changes[0] = previous[-1] != uid[0]
            self._low += len(self._ids) - len(previous)
            self._ids = pa.concat_arrays([previous, uid.take(pa.array(np.flatnonzero(changes)))])
            return self._low + len(previous) - 1 + np.cumsum(changes)
        self._ids = uid.take(pa.array(np.concatenate(([0], np.flatnonzero(changes)))))
        return np.cumsum(changes)

    def ids(self, numbers: Ints) -> pa.Array:
        """Ids of people of the last batch, or of the last few before it."""
        assert self._ids is not None
        return self._ids.take(pa.array(numbers - self._low))


def stop_rows(stops: Stops, runs: PersonRuns) -> pa.RecordBatch:
    """Rows of kind ``stop`` (at least one)."""
    n = stops.n
    return pa.RecordBatch.from_arrays(
        [
            pa.repeat(STOP, n),
            runs.ids(stops.person),
            pa.array(stops.stop_id.astype(np.int32)),
            pa.array(stops.arrive),
            pa.array(stops.leave),
            pa.array(stops.x),
            pa.array(stops.y),
            pa.array(stops.n_points.astype(np.int32)),
            pa.nulls(n, pa.string()),
            pa.nulls(n, pa.int64()),
        ],
        names=_COLUMNS,
    )


def count_rows(counts: Mapping[str, int], uid_type: pa.DataType) -> pa.RecordBatch:
    """Rows of kind ``count``."""
    n = len(counts)
    nothing = [pa.nulls(n, kind) for kind in (uid_type, pa.int32(), pa.int64(), pa.int64())]
    nothing += [pa.nulls(n, pa.float64()), pa.nulls(n, pa.float64()), pa.nulls(n, pa.int32())]
    reasons, rows = pa.array(list(counts), pa.string()), pa.array(list(counts.values()), pa.int64())
    return pa.RecordBatch.from_arrays([pa.repeat(COUNT, n), *nothing, reasons, rows], names=_COLUMNS)
