"""Arrow batches of a partition sorted by person, regrouped so that no person is cut in two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


class Chunk(NamedTuple):
    """Whole people.

    Attributes
    ----------
    uids : pyarrow.Array [P]
        One per person, in the order of the rows.
    person : int64 array [S]
        Position of each row's person in ``uids``, ascending.
    columns : dict of str to array [S]
        The other columns.
    """

    uids: pa.Array
    person: NDArray[np.int64]
    columns: dict[str, NDArray]


def whole_people(batches: Iterable[pa.RecordBatch]) -> Iterator[Chunk]:
    """Regroup batches whose rows are sorted by ``uid`` (never null).

    A chunk ends with the last person that is known to be complete; memory is one batch and the rows of the
    longest person.
    """
    pending: list[pa.RecordBatch] = []
    for batch in batches:
        if batch.num_rows == 0:
            continue
        cut = _last_start(batch.column("uid"))
        if pending and cut == 0 and batch.column("uid")[0] == pending[-1].column("uid")[-1]:
            pending.append(batch)
            continue
        done = [*pending, batch.slice(0, cut)] if cut else pending
        pending = [batch.slice(cut)]
        if done:
            yield _chunk(done)
    if pending:
        yield _chunk(pending)


def _starts(uids: pa.Array) -> NDArray[np.int64]:
    """Positions at which another person begins."""
    changed = pc.not_equal(uids.slice(1), uids.slice(0, len(uids) - 1))
    return np.flatnonzero(np.concatenate([[True], changed.to_numpy(zero_copy_only=False)]))


def _last_start(uids: pa.Array) -> int:
    return int(_starts(uids)[-1])


def _chunk(batches: list[pa.RecordBatch]) -> Chunk:
    table = pa.Table.from_batches(batches).combine_chunks()
    uids = table.column("uid").combine_chunks()
    if isinstance(uids, pa.ChunkedArray):
        uids = uids.chunk(0)
    starts = _starts(uids)
    person = np.zeros(len(uids), np.int64)
    person[starts[1:]] = 1
    columns = {name: table.column(name).to_numpy() for name in table.column_names if name != "uid"}
    return Chunk(uids.take(pa.array(starts)), np.cumsum(person), columns)
