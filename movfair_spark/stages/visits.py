"""Stops and check-ins that come as input: numbered per person, equal rows once, in one shuffle (design section 2).

A check-in is a stop with leave = arrive. Visits at the same time in different places are all kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from movfair_spark.kernels.fixes import NO_INTS, Ints, Stops
from movfair_spark.stages.person_runs import PersonRuns, count_rows, stop_rows
from movfair_spark.stages.stops import by_person
from movfair_spark.tables.rejects import REASONS
from movfair_spark.tables.stops import DUPLICATE, KEPT, MERGED, READ, detected_schema


def number_visits(visits: DataFrame, *, partitions: int) -> DataFrame:
    """Make stops of visits.

    Parameters
    ----------
    visits : DataFrame
        uid (bigint or string), arrive, leave (bigint, microseconds since the epoch, UTC), x, y (double), reason
        (tinyint, 0 = fine). Rows with another reason have no uid; they are counted and left out.
    partitions : int
        Tasks of the pass. The rows do not depend on it.

    Returns
    -------
    DataFrame
        As :func:`movfair_spark.stages.stops.detect_stops`: stops in the order of arrive, leave, x, y with
        ``n_points`` 1, and counts. Rows equal in person, times and place count once (``duplicate``).
    """
    rows = visits.select("uid", "arrive", "leave", "x", "y", F.col("reason").cast("tinyint").alias("reason"))
    in_order = by_person(rows, partitions, ["uid", "arrive", "leave", "x", "y"])
    return in_order.mapInArrow(_pass, detected_schema(visits.schema["uid"].dataType.simpleString()))


def _pass(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    runs, numbering = PersonRuns(), _Numbering()
    rejected = np.zeros(128, dtype=np.int64)
    read = kept = 0
    uid_type = None
    for batch in batches:
        if batch.num_rows == 0:
            continue
        uid_type = batch.schema.field("uid").type
        read += batch.num_rows
        rejected += np.bincount(batch.column("reason").to_numpy(zero_copy_only=False), minlength=128)
        batch = batch.filter(pc.equal(batch.column("reason"), 0))
        if batch.num_rows:
            stops = numbering.push(runs.number(batch.column("uid")), batch)
            kept += stops.n
            if stops.n:
                yield stop_rows(stops, runs)
    if uid_type is not None:
        rejects = {REASONS[int(code)]: int(rejected[code]) for code in np.flatnonzero(rejected[1:]) + 1}
        counts = {READ: read, KEPT: kept, DUPLICATE: int(rejected[0]) - kept, MERGED: 0}
        yield count_rows({**counts, **rejects}, uid_type)


class _Numbering:
    """Keep the first of equal rows and number them per person, over batches."""

    def __init__(self) -> None:
        self._last_row: tuple[float, ...] = (-1, 0, 0, 0.0, 0.0)
        self._person = -1
        self._next_id = 0

    def push(self, person: Ints, batch: pa.RecordBatch) -> Stops:
        arrive, leave = (batch.column(name).to_numpy() for name in ("arrive", "leave"))
        x, y = (batch.column(name).to_numpy() + 0.0 for name in ("x", "y"))
        columns = (person, arrive, leave, x, y)
        new = np.ones(len(person), dtype=bool)
        new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
        new[0] = any(column[0] != last for column, last in zip(columns, self._last_row, strict=True))
        self._last_row = tuple(column[-1] for column in columns)
        person, arrive, leave, x, y = (column[new] for column in columns)
        return Stops(
            person, self._numbers(person), arrive, leave, x, y, np.ones(len(person), np.int64), NO_INTS
        )

    def _numbers(self, person: Ints) -> Ints:
        if len(person) == 0:
            return NO_INTS
        starts = np.flatnonzero(np.concatenate(([True], person[1:] != person[:-1])))
        lengths = np.diff(np.append(starts, len(person)))
        offset = np.zeros(len(starts), dtype=np.int64)
        if person[0] == self._person:
            offset[0] = self._next_id
        numbers = np.arange(len(person)) - np.repeat(starts - offset, lengths)
        self._person, self._next_id = int(person[-1]), int(numbers[-1]) + 1
        return numbers
