"""Points to atoms: identical locations, or cells of the refinement, with the people and positives of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from movfair_spark.errors import EmptyTableError
from movfair_spark.kernels.spatial.partitionings import Box, Partitioning, cells_of
from movfair_spark.stages.population import TRUTH
from movfair_spark.tables.rejects import CODES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LOCATIONS = "x double, y double, n bigint, p bigint"
CELLS = "atom bigint, n bigint, p bigint"


def tested(points: DataFrame, notion: str) -> DataFrame:
    """Rows in the test: fine ones, with the truth that the notion looks at."""
    wanted = TRUTH[notion]
    fine = points.where("reason = 0")
    return fine if wanted is None else fine.where(F.col("truth") == F.lit(wanted))


def counts(points: DataFrame, notion: str) -> dict[str, int | float]:
    """One pass: rows per reason, people in the test, positives, and the box of the tested points.

    Returns
    -------
    dict
        ``read``, ``other_truth``, ``tested``, ``positives``, ``reason <code>`` and the box ``min_x`` ... ``max_y``.

    Raises
    ------
    EmptyTableError
        Fewer than two people are in the test.
    """
    wanted = TRUTH[notion]
    inside = F.col("reason") == 0
    if wanted is not None:
        inside = inside & (F.col("truth") == F.lit(wanted))
    rows = (
        points.groupBy("reason", F.coalesce(inside, F.lit(False)).alias("inside"))
        .agg(
            F.count("*").alias("n"),
            F.sum("outcome").alias("p"),
            *(f(c).alias(f"{name}_{c}") for c in ("x", "y") for name, f in (("min", F.min), ("max", F.max))),
        )
        .collect()
    )
    found: dict[str, int | float] = {"read": sum(row["n"] for row in rows), "other_truth": 0, "tested": 0}
    found["positives"] = 0
    for row in rows:
        if row["inside"]:
            found |= {"tested": row["n"], "positives": int(row["p"])}
            found |= {name: row[name] for name in ("min_x", "min_y", "max_x", "max_y")}
        elif row["reason"] == 0:
            found["other_truth"] = row["n"]
        else:
            found[f"reason {row['reason']}"] = row["n"]
    if found["tested"] < 2:
        raise EmptyTableError(
            f"{found['tested']} people are in the test, at least 2 are needed: of {found['read']} rows "
            f"{found['read'] - found['other_truth'] - found['tested']} were rejected and {found['other_truth']} have "
            f"another truth than '{notion}' looks at",
            "check input.columns, input.positive and the notion",
        )
    return found


def box_of(found: dict[str, int | float]) -> Box:
    """Bounding box of the tested points."""
    return (found["min_x"], found["min_y"], found["max_x"], found["max_y"])


def locations(points: DataFrame) -> DataFrame:
    """People and positives per location: `LOCATIONS`."""
    # -0.0 and 0.0 are one place.
    place = [(F.col(name) + F.lit(0.0)).alias(name) for name in ("x", "y")]
    return (
        points.select(*place, "outcome")
        .groupBy("x", "y")
        .agg(F.count("*").alias("n"), F.sum("outcome").cast("bigint").alias("p"))
    )


def refined(points: DataFrame, cut: Partitioning) -> DataFrame:
    """People and positives per occupied cell of the refinement: `CELLS`; each task sums its own rows first."""

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            x, y, outcome = (batch.column(i).to_numpy(zero_copy_only=False) for i in range(3))
            atoms, inverse = np.unique(cells_of(x, y, cut), return_inverse=True)
            n = np.bincount(inverse, minlength=len(atoms)).astype(np.int64)
            p = np.bincount(inverse, weights=outcome, minlength=len(atoms)).astype(np.int64)
            yield pa.RecordBatch.from_arrays([pa.array(a) for a in (atoms, n, p)], ["atom", "n", "p"])

    return (
        points.select("x", "y", "outcome")
        .mapInArrow(work, CELLS)
        .groupBy("atom")
        .agg(F.sum("n").alias("n"), F.sum("p").alias("p"))
    )


def one_row_each(points: DataFrame) -> tuple[DataFrame, DataFrame]:
    """People with ids: equal rows of a person count once, a person with different rows is set aside.

    Returns
    -------
    rows : DataFrame
        ``uid, x, y, outcome, truth, reason``: one row per person, and the rejected rows (conflicts among them, each
        row of such a person).
    repeats : DataFrame
        One row, ``duplicate``: rows that repeat another.
    """
    content = F.struct("x", "y", "outcome", "truth")
    each = (
        points.where("reason = 0")
        .groupBy("uid")
        .agg(F.min(content).alias("row"), F.max(content).alias("last"), F.count("*").alias("rows"))
    )
    # Null-safe: a truth may be missing.
    fine = F.col("row").eqNullSafe(F.col("last"))
    kept = each.where(fine).select("uid", "row.*", F.lit(0).cast("tinyint").alias("reason"))
    nothing = [F.lit(None).cast("double").alias(name) for name in ("x", "y", "outcome", "truth")]
    conflicts = each.where(~fine).select(
        "uid",
        *nothing,
        F.explode(
            F.array_repeat(F.lit(CODES["conflicting_label"]).cast("tinyint"), F.col("rows").cast("int"))
        ).alias("reason"),
    )
    rejected = points.where("reason <> 0").select("uid", "x", "y", "outcome", "truth", "reason")
    repeats = each.where(fine).agg(F.coalesce(F.sum(F.col("rows") - 1), F.lit(0)).alias("duplicate"))
    return kept.unionByName(conflicts).unionByName(rejected), repeats
