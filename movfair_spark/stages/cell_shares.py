"""How many people each cell holds: the table ``zonings``, and the guideline that no cell holds most of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from movfair_spark.config.zonings import ZoningsConfig
from movfair_spark.errors import ConfigurationError
from movfair_spark.tables.cellsets import OCCUPANCY, PEOPLE
from movfair_spark.tables.zonings import ZONINGS_SCHEMA, Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

log = logging.getLogger(__name__)


def zonings_table(assigned: DataFrame, zonings: Sequence[Zoning]) -> DataFrame:
    """Table ``zonings``, with figures over all people who have a stop, labelled or not.

    Parameters
    ----------
    assigned : DataFrame
        What :func:`movfair_spark.stages.cellsets.cellsets` gave, after it was written.
    zonings : sequence of Zoning

    Returns
    -------
    DataFrame
        One row per zoning, in order. ``max_cell_share`` = people with a stop in the fullest cell / people with a
        stop; null without people.
    """
    people = assigned.where(F.col("kind") == PEOPLE).agg(F.sum(F.col("people")[0])).first()
    total = int(people[0] or 0) if people is not None else 0
    per_cell = (
        assigned.where(F.col("kind") == OCCUPANCY)
        .select("zoning_id", F.explode(F.arrays_zip("cells", "people")).alias("part"))
        .groupBy("zoning_id", "part.cells")
        .agg(F.sum("part.people").alias("people"))
    )
    rows = per_cell.groupBy("zoning_id").agg(F.count("*"), F.max("people")).collect()
    figures = {int(row[0]): (int(row[1]), int(row[2])) for row in rows}
    table = []
    for zoning in zonings:
        cells, fullest = figures.get(zoning.zoning_id, (0, 0))
        share = fullest / total if total else None
        table.append(
            (zoning.zoning_id, zoning.kind, zoning.name, zoning.size_m, zoning.shift_m, cells, share)
        )
    return assigned.sparkSession.createDataFrame(table, ZONINGS_SCHEMA).coalesce(1)


def apply_share_limit(table: DataFrame, config: ZoningsConfig) -> list[int]:
    """Zonings that stay in the audit under the guideline of the paper's section 4.2.

    A zoning exceeds ``max_cell_share`` when more than that share of the people with stops have a stop in one
    cell; exactly that share does not (count / total is compared with the share as it is written: 29 of 100 is at
    most 0.29, rasbt/mlxtend #1191).

    Returns
    -------
    list of int
        zoning_id of those that stay; what exceeded is logged.

    Raises
    ------
    ConfigurationError
        Under ``fail`` when one exceeds, and when ``drop`` leaves none.
    """
    rows = table.orderBy("zoning_id").select("zoning_id", "name", "max_cell_share").collect()
    over = [row for row in rows if (row["max_cell_share"] or 0.0) > config.max_cell_share]
    if not over:
        return [row["zoning_id"] for row in rows]
    worst = max(over, key=lambda row: row["max_cell_share"])
    problem = (
        f"{len(over)} of {len(rows)} zonings have a cell that holds more than {config.max_cell_share:g} of the "
        f"people (zoning {worst['name']}: {worst['max_cell_share']:.3f})"
    )
    if config.over_max_cell_share == "fail":
        raise ConfigurationError(problem, "Use smaller cells, or zonings.over_max_cell_share: warn or drop")
    if config.over_max_cell_share == "warn":
        log.warning("%s: too coarse by the guideline", problem)
        return [row["zoning_id"] for row in rows]
    excluded = {row["zoning_id"] for row in over}
    kept = [row["zoning_id"] for row in rows if row["zoning_id"] not in excluded]
    if not kept:
        raise ConfigurationError(problem, "Every zoning would be dropped: use smaller cells")
    log.warning("%s: dropped", problem)
    return kept
