"""Candidates that are evidence: mined again, only in zonings and at supports that can hold any.

One row per zoning and set of members. A set of members can be met in several blocks; the block of its rarest cell
sees its closed cellset whole, the others a part of it, so the largest is kept and the numbers of cellsets add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.fanout.describe import described
from movfair_spark.kernels.closure import closures, members_hash
from movfair_spark.models.base import Evidence
from movfair_spark.models.significance import exceeds
from movfair_spark.models.support import largest_support
from movfair_spark.stages.blocks import Block, Supports, cut_blocks, read_blocks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from movfair_spark.config.scan import ScanConfig
    from movfair_spark.stages.null import Nulls
    from movfair_spark.stages.prepare import Prepared

KEY = "zoning_id int, members_high bigint, members_low bigint"
FIXED = f"{KEY}, n bigint, statistic double, direction int, n_cellsets bigint, cells array<bigint>"


def findings(scan: Prepared, nulls: Nulls, config: ScanConfig) -> DataFrame | None:
    """Mine the candidates whose statistic exceeds the critical value of their null.

    Parameters
    ----------
    scan : Prepared
    nulls : Nulls
    config : ScanConfig
        ``alpha``, ``all_subsets``, ``support_bound``.

    Returns
    -------
    DataFrame or None
        `FIXED` and the model's detail columns; cached, valid while the scan is. With ``all_subsets`` one row per
        candidate, ``n_cellsets`` still the number that share its members. None when no candidate is evidence.
    """
    from pyspark.sql import functions as F

    thresholds, ranges = _where(scan, nulls, config)
    schema = f"{FIXED}, {scan.model.detail_schema}"
    if not ranges:
        return None
    shared, distinct, arrow = scan.shared, not config.all_subsets, _arrow_schema(scan, schema)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        model = shared.value[0]
        for block in read_blocks(batches):
            memberships, *walk = block.walk
            for found in model.evidence(memberships, thresholds[block.zoning_id], *walk, distinct=distinct):
                yield _rows(block, found, distinct, arrow)

    mined = cut_blocks(scan.memberships, ranges, scan.zonings, scan.plan.classes).mapInArrow(work, schema)
    key = ["zoning_id", "members_high", "members_low"]
    if distinct:
        others = [name for name in mined.columns if name not in (*key, "n_cellsets")]
        grouped = mined.groupBy(*key).agg(
            F.sum("n_cellsets").alias("n_cellsets"), F.max_by(F.struct(*others), F.size("cells")).alias("row")
        )
        found = grouped.select(*key, "n_cellsets", "row.*")
    else:
        from pyspark.sql import Window

        found = mined.withColumn("n_cellsets", F.sum("n_cellsets").over(Window.partitionBy(*key)))
    with described(scan.spark, "scan: mine the evidence"):
        return scan.keep(found.select(*mined.columns))


def _where(scan: Prepared, nulls: Nulls, config: ScanConfig) -> tuple[dict[int, float], dict[int, Supports]]:
    """Threshold and range of support of each zoning that holds evidence."""
    thresholds: dict[int, float] = {}
    ranges: dict[int, Supports] = {}
    for null in nulls.values():
        threshold = max(null.critical(config.alpha), null.bound)
        support = config.min_support
        if config.support_bound:
            support = largest_support(
                lambda s: scan.model.support_bound(s, config.min_support),
                threshold,
                config.min_support,
                scan.model.n_objects,
            )
        for zoning_id, observed in null.observed.items():
            if exceeds(observed, threshold):
                thresholds[zoning_id] = threshold
                ranges[zoning_id] = Supports(max(support, null.support), scan.supports.max_support)
    return thresholds, ranges


def _arrow_schema(scan: Prepared, schema: str) -> pa.Schema:
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(scan.spark.createDataFrame([], schema).schema)


def _rows(block: Block, found: Evidence, distinct: bool, schema: pa.Schema) -> pa.RecordBatch:
    batch = found.candidates
    k = len(batch.multiplicity)
    names = members_hash(batch.starts, batch.members).view(np.int64)
    starts, cells = (
        closures(block.memberships, batch.starts, batch.members)
        if distinct
        else (batch.cell_starts, batch.cells)
    )
    cells = cells[np.lexsort((cells, np.repeat(np.arange(k), np.diff(starts))))]
    columns = [
        np.full(k, block.zoning_id),
        names[:, 0],
        names[:, 1],
        batch.supports,
        found.statistic,
        found.direction,
        batch.multiplicity,
    ]
    arrays = [pa.array(column).cast(field.type) for column, field in zip(columns, schema, strict=False)]
    arrays.append(pa.ListArray.from_arrays(pa.array(starts, pa.int32()), pa.array(cells)))
    # NaN (a rate without a denominator) becomes null.
    for field in list(schema)[len(arrays) :]:
        values = found.detail[field.name]
        arrays.append(pa.array(_plain(values), field.type, from_pandas=True))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _plain(values: np.ndarray) -> np.ndarray | list[object]:
    """Rows of a table of several dimensions as lists, in which NaN is null."""
    if values.ndim == 1:
        return values
    rows = values.astype(object)
    if values.dtype.kind == "f":
        rows[np.isnan(values)] = None
    return list(rows.tolist())
