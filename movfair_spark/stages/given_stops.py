"""Stops and check-ins that come as the input: no detection, but the same table and the same counts of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from movfair_spark.kernels.fixes import Ints, Stops
from movfair_spark.stages.person_runs import PersonRuns, count_rows, stop_rows
from movfair_spark.tables.rejects import REASONS
from movfair_spark.tables.stops import DUPLICATE, KEPT, READ, detected_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PLACES = ("arrive", "leave", "x", "y")


def given_stops(rows: DataFrame, *, partitions: int) -> DataFrame:
    """Give every person's stops numbers in the order of their times, and count the rows.

    Equal rows (same person, times and place; for check-ins whatever the venue) count once; different places at the
    same time are all kept.

    Parameters
    ----------
    rows : DataFrame
        uid (bigint or string), arrive, leave (bigint, microseconds since the epoch, UTC), x, y (double), reason
        (tinyint, 0 = fine). Rows with another reason have no uid; they are counted and left out.
    partitions : int
        Tasks of the pass. The rows do not depend on it.

    Returns
    -------
    DataFrame
        As of :func:`movfair_spark.stages.stops.detect_stops`; ``n_points`` is 1.
    """
    uid_type = rows.schema["uid"].dataType.simpleString()
    fields = rows.select("uid", *_PLACES, F.col("reason").cast("tinyint").alias("reason"))
    in_order = _by_person(fields, partitions, ["uid", *_PLACES]).select("uid", *_PLACES, "reason")
    return in_order.mapInArrow(_pass, detected_schema(uid_type))


def _by_person(rows: DataFrame, partitions: int, order: list[str]) -> DataFrame:
    """Bring the rows of a person together, in order; rows without one are spread over all tasks."""
    salt = F.when(F.col("uid").isNull(), F.spark_partition_id()).otherwise(0)
    return (
        rows.withColumn("salt", salt)
        .repartition(partitions, "uid", "salt")
        .drop("salt")
        .sortWithinPartitions(*order)
    )


def _pass(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    runs, numbering = PersonRuns(), _Numbering()
    rejected = np.zeros(128, dtype=np.int64)
    uid_type = None
    for batch in batches:
        if batch.num_rows == 0:
            continue
        uid_type = batch.schema.field("uid").type
        rejected += np.bincount(batch.column("reason").to_numpy(zero_copy_only=False), minlength=128)
        batch = batch.filter(pc.equal(batch.column("reason"), 0))
        if batch.num_rows:
            yield stop_rows(numbering.number(runs.number(batch.column("uid")), batch), runs)
    if uid_type is None:
        return
    rejects = {REASONS[int(code)]: int(rejected[code]) for code in np.flatnonzero(rejected[1:]) + 1}
    counts = {
        READ: int(rejected.sum()),
        KEPT: numbering.kept,
        DUPLICATE: int(rejected[0]) - numbering.kept,
        **rejects,
    }
    yield count_rows(counts, uid_type)


class _Numbering:
    """Number of each stop within its person, over the borders of batches; equal neighbours count once."""

    def __init__(self) -> None:
        self.kept = 0
        self._last: tuple[float, ...] | None = None
        self._next = 0

    def number(self, person: Ints, batch: pa.RecordBatch) -> Stops:
        """Leave out rows that equal the one before, and number the others."""
        columns = [person, *(batch.column(name).to_numpy() for name in _PLACES)]
        same = np.ones(len(person), dtype=bool)
        for position, column in enumerate(columns):
            same[1:] &= column[1:] == column[:-1]
            same[0] &= self._last is not None and bool(column[0] == self._last[position])
        begins = np.empty(len(person), dtype=bool)
        begins[1:] = person[1:] != person[:-1]
        begins[0] = self._last is None or person[0] != self._last[0]
        order = np.cumsum(~same)
        before = np.concatenate(([1 - self._next], order[begins]))
        stop_id = order - before[np.cumsum(begins)]
        self._last = tuple(column[-1] for column in columns)
        self._next = int(stop_id[-1]) + 1
        kept = ~same
        self.kept += int(kept.sum())
        person, arrive, leave, x, y = (np.array(column[kept]) for column in columns)
        ones = np.ones(len(person), dtype=np.int64)
        return Stops(person, stop_id[kept], arrive, leave, x, y, ones, np.flatnonzero(kept))
