"""Uid order: the numbers 0..N-1 of the objects in the test (design section 3, Worlds).

Integers are ordered by value, strings by their UTF-8 bytes. The order is taken once, on the driver, through
Arrow: two evaluations of one distributed sort can disagree.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from movfair_spark.errors import LimitError

DRIVER_LIMIT = 20_000_000
"""Labels that are sorted on the driver (about 40 bytes each)."""


def in_uid_order(table: pa.Table) -> pa.Table:
    """Sort a table by its ``uid`` column; equal ids keep no particular order.

    Parameters
    ----------
    table : pyarrow.Table
        With an int64 or string column ``uid`` without nulls.

    Returns
    -------
    pyarrow.Table

    Raises
    ------
    LimitError
        More rows than ``DRIVER_LIMIT``.
    """
    if table.num_rows > DRIVER_LIMIT:
        raise LimitError(
            f"{table.num_rows} labels are to be put in order, over the limit of {DRIVER_LIMIT} of one driver",
            "audit a part of the population",
        )
    return table.take(pc.sort_indices(table, sort_keys=[("uid", "ascending")])).combine_chunks()


def group_starts(uids: pa.ChunkedArray) -> np.ndarray:
    """Positions at which a new id begins in a sorted column (int64; empty for no rows)."""
    values = uids.combine_chunks()
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], uids.type)
    if len(values) == 0:
        return np.empty(0, np.int64)
    changes = pc.not_equal(values[1:], values[:-1]).to_numpy(zero_copy_only=False)
    return np.concatenate(([0], np.flatnonzero(changes) + 1)).astype(np.int64)


def numbers_of(uids: pa.Array, tested: pa.Array) -> np.ndarray:
    """Look up the number of each id among the tested ones, -1 for others.

    Parameters
    ----------
    uids : pyarrow.Array
        Any ids, same type as ``tested``.
    tested : pyarrow.Array
        The ids of the objects in the test in uid order.

    Returns
    -------
    ndarray of int64
    """
    if len(tested) == 0:
        return np.full(len(uids), -1, np.int64)
    if pa.types.is_integer(tested.type):
        known = tested.to_numpy()
        asked = uids.to_numpy(zero_copy_only=False)
        at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        return np.where(known[at] == asked, at, -1).astype(np.int64)
    found = pc.index_in(uids.cast(tested.type), value_set=tested)
    return pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)


def form(uid: object) -> str:
    """Mask the digits of an id, to show its form and not the person: ``user-0421`` -> ``user-####``."""
    return repr(re.sub(r"\d", "#", str(uid)))
