"""The table ``evidence``: findings with p-value, rank, name, and the non-overlapping selection (design section 3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from movfair_spark.config.scan import ScanConfig
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.describe import described
from movfair_spark.kernels.holders import Holders
from movfair_spark.models.significance import p_values, reaches
from movfair_spark.stages.findings import findings
from movfair_spark.stages.null import Nulls
from movfair_spark.stages.prepare import Prepared
from movfair_spark.tables.evidence import evidence_schema

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def evidence(scan: Prepared, nulls: Nulls, config: ScanConfig) -> DataFrame:
    """List all candidates with p <= alpha.

    Parameters
    ----------
    scan : Prepared
    nulls : Nulls
        From `simulate`.
    config : ScanConfig

    Returns
    -------
    DataFrame
        `tables.evidence.evidence_schema`, in no particular order; cached, valid while the scan is. Rank: statistic
        (statistics within the tolerance of ties are equal), then zoning, then cells. ``non_overlapping`` marks the
        rows that share no object with a marked row of a better rank.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    target = scan.spark.createDataFrame([], evidence_schema(scan.model.detail_schema)).schema
    found = findings(scan, nulls, config)
    if found is None:
        return scan.spark.createDataFrame([], target)
    levels = _levels(scan, found, nulls)
    same = F.col("statistic") == F.col("value")
    if None not in nulls:
        same = same & (F.col("zoning_id") == F.col("null_zoning"))
    order = Window.orderBy("level", "zoning_id", "cells")
    ranked = scan.keep(
        found.join(F.broadcast(levels), same).withColumn("rank", F.row_number().over(order).cast("bigint"))
    )
    chosen = scan.spark.createDataFrame([(r,) for r in non_overlapping(scan, ranked)], "chosen bigint")
    marked = ranked.join(F.broadcast(chosen), F.col("rank") == F.col("chosen"), "left")
    detail = [name for name in found.columns if name in scan.model.detail_columns]
    columns = {
        "candidate_id": F.xxhash64("cells"),
        "members_id": F.concat(_hex("members_high"), _hex("members_low")),
        "model": F.lit(scan.model.name),
        "notion": F.lit(config.notion),
        "direction": F.expr(
            "CASE direction WHEN 1 THEN 'high' WHEN -1 THEN 'low' WHEN 2 THEN 'mixed' ELSE 'none' END"
        ),
        "detail": F.struct(*detail),
        "non_overlapping": F.col("chosen").isNotNull(),
    }
    return marked.select(*(columns.get(f.name, F.col(f.name)).cast(f.dataType).alias(f.name) for f in target))


def tie_levels(statistics: Iterable[float]) -> dict[float, int]:
    """Give distinct statistics numbers, the largest first; one that is tied with the one before shares its number."""
    levels: dict[float, int] = {}
    level, before = 0, 0.0
    for value in sorted(set(statistics), reverse=True):
        if levels and not reaches(value, before):
            level += 1
        levels[value] = level
        before = value
    return levels


def non_overlapping(scan: Prepared, ranked: DataFrame) -> list[int]:
    """Ranks of the rows that share no object with a chosen row of a better rank.

    Parameters
    ----------
    scan : Prepared
    ranked : DataFrame
        Columns ``rank, zoning_id, cells``. They and the packed memberships of their zonings fit the driver.

    Returns
    -------
    list of int
        Ascending.
    """
    with described(scan.spark, "scan: rank the evidence"):
        rows = to_arrow(ranked.select("rank", "zoning_id", "cells")).sort_by("rank").combine_chunks()
    if rows.num_rows == 0:
        return []
    zonings = rows["zoning_id"].to_numpy()
    holders = {zoning_id: Holders(m) for zoning_id, m in scan.unpacked(np.unique(zonings).tolist()).items()}
    cells = rows["cells"].combine_chunks()
    offsets, values = cells.offsets.to_numpy(), cells.values.to_numpy()
    taken = np.zeros(scan.population.size, dtype=np.bool_)
    ranks = rows["rank"].to_numpy()
    return [
        int(ranks[i])
        for i in range(len(ranks))
        if holders[int(zonings[i])].claim(values[offsets[i] : offsets[i + 1]], taken)
    ]


def _levels(scan: Prepared, found: DataFrame, nulls: Nulls) -> DataFrame:
    """Small table of distinct statistics with p-value and level of rank."""
    columns = ["statistic"] if None in nulls else ["zoning_id", "statistic"]
    with described(scan.spark, "scan: p-values"):
        distinct = [tuple(row) for row in found.select(*columns).distinct().collect()]
    levels = tie_levels(row[-1] for row in distinct)
    rows = []
    for key, null in nulls.items():
        values = [row[-1] for row in distinct if key is None or row[0] == key]
        chances = p_values(np.array(values, dtype=np.float64), null.maxima)
        rows += [(key, value, float(p), levels[value]) for value, p in zip(values, chances, strict=True)]
    return scan.spark.createDataFrame(rows, "null_zoning int, value double, p_value double, level int")


def _hex(column: str) -> Column:
    from pyspark.sql import functions as F

    return F.lpad(F.lower(F.hex(column)), 16, "0")
