"""The table ``candidates``, on request: the stream of Eclat written out (paper 4.4, appendix C)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.kernels.eclat import mine
from movfair_spark.stages.blocks import Supports, cut_blocks, read_blocks
from movfair_spark.tables.evidence import CANDIDATES_SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from movfair_spark.stages.prepare import Prepared


def candidates(scan: Prepared, supports: dict[int, int]) -> DataFrame:
    """Mine all candidates of the support used and more.

    Parameters
    ----------
    scan : Prepared
    supports : dict
        Smallest support per zoning (`support_used`); zonings without an entry are left out.

    Returns
    -------
    DataFrame
        `tables.evidence.CANDIDATES_SCHEMA`: cells ascending, in no particular order of rows; each block streams
        batches, nothing is held.
    """
    from pyspark.sql import functions as F

    ranges = {
        zoning_id: Supports(max(low, scan.supports.min_support), scan.supports.max_support)
        for zoning_id, low in supports.items()
    }
    schema = pa.schema([("zoning_id", pa.int32()), ("cells", pa.list_(pa.int64())), ("support", pa.int64())])

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for block in read_blocks(batches):
            for batch in mine(*block.walk):
                k = len(batch.supports)
                row = np.repeat(np.arange(k), np.diff(batch.cell_starts))
                # The walk reuses its arrays for the next batch: indexing copies them.
                cells = batch.cells[np.lexsort((batch.cells, row))]
                offsets = pa.array(batch.cell_starts, pa.int32())
                columns = [
                    pa.array(np.full(k, block.zoning_id, np.int32)),
                    pa.ListArray.from_arrays(offsets, pa.array(cells)),
                    pa.array(batch.supports),
                ]
                yield pa.RecordBatch.from_arrays(columns, schema=schema)

    blocks = cut_blocks(scan.memberships, ranges, scan.zonings, scan.plan.classes)
    mined = blocks.mapInArrow(work, "zoning_id int, cells array<bigint>, support bigint")
    return mined.withColumn("candidate_id", F.xxhash64("cells")).select(
        *(column.split()[0] for column in CANDIDATES_SCHEMA.split(", "))
    )


def memberships_left_out(scan: Prepared, kept: int) -> int:
    """Memberships of the candidates that were not kept: all, the sum over objects of 2^cells - 1, minus those kept.

    Parameters
    ----------
    scan : Prepared
    kept : int
        Sum of support over the candidates that were.
    """
    return sum(size.memberships for size in scan.sizes) - kept
