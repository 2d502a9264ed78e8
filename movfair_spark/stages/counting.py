"""Largest statistic per world and block, counted on the executors in either distribution.

A pass counts some worlds over all blocks of a range of support. The observed outcomes are one more world of the
pass that is told to hold them, so that they cost nothing beyond the simulations.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from movfair_spark.fanout.broadcast import Shared, broadcast
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.describe import described
from movfair_spark.kernels.eclat import prefix_classes
from movfair_spark.kernels.memberships import Memberships, from_bytes
from movfair_spark.models.base import Model
from movfair_spark.stages.blocks import Supports, cut_blocks, read_blocks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from movfair_spark.stages.prepare import Prepared

SCHEMA = "zoning_id int, class int, first bigint, maxima binary, candidates bigint, memberships bigint"
_ARROW = pa.schema(
    [
        ("zoning_id", pa.int32()),
        ("class", pa.int32()),
        ("first", pa.int64()),
        ("maxima", pa.binary()),
        ("candidates", pa.int64()),
        ("memberships", pa.int64()),
    ]
)


class Worlds(NamedTuple):
    """Worlds ``first <= b < last`` and, when asked, the observed outcomes after them."""

    first: int
    last: int
    observed: bool = False

    @property
    def range(self) -> range:
        """The simulated worlds."""
        return range(self.first, self.last)


@dataclass(frozen=True)
class Counted:
    """What a pass found in one zoning.

    Attributes
    ----------
    maxima : ndarray of float64, shape [last - first]
        Largest statistic per simulated world over the candidates in the range; 0 without candidates.
    observed : float
        The same for the observed outcomes; 0 when the pass does not hold them.
    candidates, memberships : int
        Candidates in the range, and their memberships.
    """

    maxima: np.ndarray
    observed: float
    candidates: int
    memberships: int


class _Unit(NamedTuple):
    """A task when worlds fan out: some worlds, and (zoning, prefix class) pairs to count them in."""

    worlds: Worlds
    parts: tuple[tuple[int, int], ...]


def count(scan: Prepared, supports: Mapping[int, Supports], worlds: Worlds, seed: int) -> dict[int, Counted]:
    """Count some worlds over the candidates of some zonings.

    Parameters
    ----------
    scan : Prepared
    supports : mapping
        Range of support per zoning.
    worlds : Worlds
        At most ``scan.plan.worlds_per_pass`` of them, observed included, for the memory that the plan states.
    seed : int
        Seed of the null.

    Returns
    -------
    dict
        Zoning to `Counted`; the same bits for any distribution and number of tasks.
    """
    low = min(each.min_support for each in supports.values())
    text = f"scan: worlds {worlds.first}-{worlds.last - 1}{' and observed' * worlds.observed}, support {low} and over"
    with described(scan.spark, text):
        if scan.plan.distribution == "worlds":
            table = to_arrow(_over_worlds(scan, supports, worlds, seed))
        else:
            outcomes = scan.model.worlds(seed, worlds.range, observed=worlds.observed)
            with broadcast(scan.spark, outcomes) as shared:
                table = to_arrow(_over_blocks(scan, supports, worlds, shared))
    return _together(table, supports, worlds)


def _over_worlds(scan: Prepared, supports: Mapping[int, Supports], worlds: Worlds, seed: int) -> DataFrame:
    units = _units(scan, supports, worlds)
    ranges, classes, shared = dict(supports), scan.plan.classes, scan.shared

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        model, packed = shared.value
        for at in (at for batch in batches for at in batch.column(0).to_pylist()):
            mine, parts = units[at]
            outcomes = model.worlds(seed, mine.range, observed=mine.observed)
            for zoning_id, index in parts:
                memberships = from_bytes(packed[zoning_id])
                items = prefix_classes(memberships, ranges[zoning_id].min_support, classes)
                if index < len(items):
                    yield _row(
                        model, memberships, ranges[zoning_id], items[index], zoning_id, index, mine, outcomes
                    )

    return scan.spark.range(0, len(units), 1, len(units)).mapInArrow(work, SCHEMA)


def _over_blocks(
    scan: Prepared, supports: Mapping[int, Supports], worlds: Worlds, outcomes: Shared
) -> DataFrame:
    shared = scan.shared

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        model = shared.value[0]
        for block in read_blocks(batches):
            items = (0, block.items)
            yield _row(
                model,
                block.memberships,
                block.supports,
                items,
                block.zoning_id,
                block.index,
                worlds,
                outcomes.value,
            )

    return cut_blocks(scan.memberships, supports, scan.zonings, scan.plan.classes).mapInArrow(work, SCHEMA)


def _row(
    model: Model,
    memberships: Memberships,
    supports: Supports,
    items: tuple[int, int],
    zoning_id: int,
    index: int,
    worlds: Worlds,
    outcomes: Any,
) -> pa.RecordBatch:
    counter = model.counter(outcomes, len(worlds.range) + worlds.observed)
    counter.walk(memberships, *supports, items)
    values = (
        zoning_id,
        index,
        worlds.first,
        counter.maxima().tobytes(),
        counter.n_candidates,
        counter.n_memberships,
    )
    return pa.RecordBatch.from_pylist([dict(zip(_ARROW.names, values, strict=True))], schema=_ARROW)


def _units(scan: Prepared, supports: Mapping[int, Supports], worlds: Worlds) -> list[_Unit]:
    """Split a pass into tasks: by worlds that are counted at once, and by zonings where slots remain."""
    columns = worlds.last - worlds.first + worlds.observed
    lane = scan.plan.lane
    lanes = [
        Worlds(
            first,
            min(first + lane, worlds.last),
            worlds.observed and first + lane >= worlds.first + columns,
        )
        for first in range(worlds.first, worlds.first + columns, lane)
    ]
    classes = scan.plan.classes
    blocks = [
        (size.memberships / classes, (size.zoning_id, index))
        for size in scan.sizes
        if size.zoning_id in supports
        for index in range(classes)
    ]
    # The heaviest block that is left goes to the part with the least work.
    heap: list[tuple[float, int, list[tuple[int, int]]]] = [
        (0.0, part, []) for part in range(min(scan.plan.parts, len(blocks)))
    ]
    for work, block in blocks:
        load, part, mine = heapq.heappop(heap)
        heapq.heappush(heap, (load + work, part, [*mine, block]))
    return [_Unit(lane, tuple(mine)) for lane in lanes for _, _, mine in sorted(heap)]


def _together(table: pa.Table, supports: Mapping[int, Supports], worlds: Worlds) -> dict[int, Counted]:
    size = worlds.last - worlds.first
    maxima = {zoning_id: np.zeros(size + 1) for zoning_id in supports}
    counts = {zoning_id: np.zeros(2, np.int64) for zoning_id in supports}
    for row in table.to_pylist():
        values = np.frombuffer(row["maxima"], np.float64)
        offset = row["first"] - worlds.first
        into = maxima[row["zoning_id"]][offset : offset + len(values)]
        np.maximum(into, values, out=into)
        if offset == 0:
            counts[row["zoning_id"]] += (row["candidates"], row["memberships"])
    return {
        zoning_id: Counted(values[:size], float(values[size]), *(int(c) for c in counts[zoning_id]))
        for zoning_id, values in maxima.items()
    }
