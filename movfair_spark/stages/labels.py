"""One label per object: unusable ones and conflicts set aside, equal repeats counted once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from movfair_spark.errors import EmptyTableError
from movfair_spark.stages.numbering import group_starts, in_uid_order


class Labelled(NamedTuple):
    """Labelled objects in uid order; arrays of one length.

    ``uids`` Arrow array; ``outcome`` float64, 0 or 1; ``seen``: occurs in the input; ``has_cells``: has a
    cellset in some zoning; ``right_truth``: the notion looks at this object.
    """

    uids: pa.Array
    outcome: np.ndarray
    seen: np.ndarray
    has_cells: np.ndarray
    right_truth: np.ndarray


def one_label_each(table: pa.Table, truth: float | None) -> tuple[Labelled, dict[str, int]]:
    """Reduce label rows to objects.

    Parameters
    ----------
    table : pyarrow.Table
        Columns ``uid, outcome, seen, has_cells`` and, when ``truth`` is given, ``truth``.
    truth : float, optional
        The truth that the notion asks for.

    Returns
    -------
    Labelled, dict
        Objects in uid order, and what was set aside (names of `Counts`).

    Raises
    ------
    EmptyTableError
        No row has a usable label.
    """
    outcome = table["outcome"]
    usable = pc.and_(pc.is_valid(table["uid"]), pc.fill_null(pc.is_in(outcome, pa.array([0.0, 1.0])), False))
    read, table = table.num_rows, table.filter(usable)
    if table.num_rows == 0:
        raise EmptyTableError(
            f"none of {read} labels is usable: each lacks an id, or its outcome is not 0 or 1",
            "check labels.columns.outcome and labels.positive",
        )
    table = in_uid_order(table)
    starts = group_starts(table["uid"])
    outcomes = table["outcome"].to_numpy()
    values = [outcomes]
    if truth is not None:
        values.append(np.nan_to_num(table["truth"].to_numpy(zero_copy_only=False).astype(float), nan=-1.0))
    agree = np.ones(len(starts), bool)
    for value in values:
        agree &= np.minimum.reduceat(value, starts) == np.maximum.reduceat(value, starts)
    sizes = np.diff(np.append(starts, table.num_rows))
    first = starts[agree]
    known = values[1][first] if truth is not None else None
    right = np.ones(len(first), bool) if known is None else known == truth
    counts = {
        "labels": read,
        "unusable_labels": read - table.num_rows,
        "repeated_labels": int((sizes[agree] - 1).sum()),
        "conflicting_labels": int(sizes[~agree].sum()),
        "without_truth": 0 if known is None else int(np.count_nonzero(known < 0)),
        "other_truth": 0 if known is None else int(np.count_nonzero((known >= 0) & ~right)),
    }
    objects = table.take(pa.array(first))
    seen, has_cells = (objects[n].to_numpy(zero_copy_only=False).astype(bool) for n in ("seen", "has_cells"))
    return Labelled(_ids(objects["uid"]), outcomes[first], seen, has_cells, right), counts


def _ids(column: pa.ChunkedArray) -> pa.Array:
    values = column.combine_chunks()
    return values.cast(pa.int64()) if pa.types.is_integer(values.type) else values
