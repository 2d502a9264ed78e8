"""Blocks: (zoning, prefix class, range of support), the unit of mining and counting (design section 1).

A block is one row that carries all its task needs: the packed memberships of its zoning, without the cells that
its candidates cannot hold. Each block is a task of its own, the heaviest zonings first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from movfair_spark.fanout.partitions import partition_keys
from movfair_spark.kernels.eclat import prefix_classes
from movfair_spark.kernels.memberships import Memberships, from_bytes, to_bytes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "partition int, zoning_id int, class int, min_support bigint, max_support bigint, items int, packed binary"
_ARROW = pa.schema(
    [
        ("partition", pa.int32()),
        ("zoning_id", pa.int32()),
        ("class", pa.int32()),
        ("min_support", pa.int64()),
        ("max_support", pa.int64()),
        ("items", pa.int32()),
        ("packed", pa.binary()),
    ]
)


class Supports(NamedTuple):
    """Half-open range of support, ``min_support <= n < max_support``; no upper end when that is None."""

    min_support: int
    max_support: int | None = None


@dataclass(frozen=True)
class Block:
    """What a task works on: candidates of ``memberships`` whose rarest cell has a code below ``items``."""

    zoning_id: int
    index: int
    supports: Supports
    items: int
    memberships: Memberships

    @property
    def walk(self) -> tuple[Memberships, int, int | None, tuple[int, int]]:
        """Arguments of a walk over the block's candidates."""
        return self.memberships, self.supports.min_support, self.supports.max_support, (0, self.items)


def cut_blocks(
    memberships: DataFrame, supports: Mapping[int, Supports], order: Sequence[int], classes: int
) -> DataFrame:
    """Cut packed memberships into blocks, one per partition.

    Parameters
    ----------
    memberships : DataFrame
        Output of `packed_memberships`.
    supports : mapping
        Range of support per zoning; other zonings are left out.
    order : sequence of int
        Zonings, the heaviest first: Spark starts tasks in order of partitions.
    classes : int
        Prefix classes per zoning, at least 1.

    Returns
    -------
    DataFrame
        `SCHEMA`; read it with `read_blocks`.
    """
    ranges = dict(supports)
    wanted = [zoning_id for zoning_id in order if zoning_id in ranges]
    keys = partition_keys(max(1, len(wanted) * classes))
    places = {zoning_id: keys[i * classes : (i + 1) * classes] for i, zoning_id in enumerate(wanted)}

    def cut(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in (row for batch in batches for row in batch.to_pylist()):
            yield from _cut(
                row["zoning_id"], row["packed"], ranges[row["zoning_id"]], places[row["zoning_id"]]
            )

    narrow = memberships.where(memberships.zoning_id.isin(wanted)).select("zoning_id", "packed")
    return narrow.mapInArrow(cut, SCHEMA).repartition(len(keys), "partition")


def read_blocks(batches: Iterable[pa.RecordBatch]) -> Iterator[Block]:
    """Unpack the rows of `cut_blocks` one at a time."""
    for row in (row for batch in batches for row in batch.to_pylist()):
        yield Block(
            row["zoning_id"],
            row["class"],
            Supports(row["min_support"], row["max_support"]),
            row["items"],
            from_bytes(row["packed"]),
        )


def without_rarer(memberships: Memberships, code: int) -> Memberships:
    """Memberships in the cells from ``code`` on; supports of these and the order of codes stay as they are."""
    if code == 0:
        return memberships
    kept = memberships.items >= code
    ends = np.append(0, np.cumsum(kept))[memberships.starts]
    rows = np.flatnonzero(np.diff(ends))
    return replace(
        memberships,
        objects=memberships.objects[rows],
        starts=np.append(0, ends[1:][rows]),
        items=memberships.items[kept] - np.int32(code),
        cells=memberships.cells[code:],
    )


def _cut(zoning_id: int, packed: bytes, supports: Supports, keys: Sequence[int]) -> Iterator[pa.RecordBatch]:
    memberships = from_bytes(packed)
    for index, (low, high) in enumerate(prefix_classes(memberships, supports.min_support, len(keys))):
        values = (
            keys[index],
            zoning_id,
            index,
            *supports,
            high - low,
            to_bytes(without_rarer(memberships, low)),
        )
        yield pa.RecordBatch.from_pylist([dict(zip(_ARROW.names, values, strict=True))], schema=_ARROW)
