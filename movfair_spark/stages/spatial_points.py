"""Points to tallies: people per class at identical locations, or in cells of the refinement; and people one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from movfair_spark.config.notion import TRUTH_OF
from movfair_spark.errors import EmptyTableError
from movfair_spark.kernels.spatial.partitionings import Box, Partitioning, cells_of
from movfair_spark.readers.point_outcomes import COLUMNS
from movfair_spark.tables.rejects import CODES

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

GROUPS = ("part", "stratum", "code")
"""Truth of equal odds, stratum and class (text); null where the test does not look at it."""
CELLS = "atom bigint, n bigint, p bigint"
TRUTH = {name: f"{truth:.0f}" for name, truth in TRUTH_OF.items() if truth is not None}
"""Truth of the people in the test; of other notions all."""


def tested(points: DataFrame, notion: str) -> DataFrame:
    """Rows in the test: fine ones, with the truth that the notion looks at. Adds ``part``, the truth of equal odds."""
    fine = points.where("reason = 0")
    if notion in TRUTH:
        fine = fine.where(F.col("truth") == F.lit(TRUTH[notion]))
    part = F.col("truth") if notion == "equal_odds" else F.lit(None).cast("string")
    return fine.withColumn("part", part)


def counts(points: DataFrame, notion: str) -> dict[str, int | float]:
    """One pass: rows per reason, people in the test, and the box of the tested points.

    Returns
    -------
    dict
        ``read``, ``other_truth``, ``tested``, ``reason <code>`` and the box ``min_x`` ... ``max_y``.

    Raises
    ------
    EmptyTableError
        Fewer than two people are in the test.
    """
    inside = F.col("reason") == 0
    if notion in TRUTH:
        inside = inside & (F.col("truth") == F.lit(TRUTH[notion]))
    rows = (
        points.groupBy("reason", F.coalesce(inside, F.lit(False)).alias("inside"))
        .agg(
            F.count("*").alias("n"),
            *(f(c).alias(f"{name}_{c}") for c in ("x", "y") for name, f in (("min", F.min), ("max", F.max))),
        )
        .collect()
    )
    found: dict[str, int | float] = {"read": sum(row["n"] for row in rows), "other_truth": 0, "tested": 0}
    for row in rows:
        if row["inside"]:
            found["tested"] = row["n"]
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


def people(points: DataFrame) -> DataFrame:
    """People one by one: place, groups, outcome and weight."""
    ids = ["uid"] if "uid" in points.columns else []
    return points.select(*ids, *_place(), *GROUPS, "outcome", "weight")


def locations(points: DataFrame) -> DataFrame:
    """People per location and class: ``x, y``, `GROUPS`, ``n``."""
    return points.select(*_place(), *GROUPS).groupBy("x", "y", *GROUPS).agg(F.count("*").alias("n"))


def refined(points: DataFrame, cut: Partitioning, *, binary: bool) -> DataFrame:
    """People per occupied cell of the refinement and class: ``atom``, `GROUPS`, ``n``.

    ``binary``: outcomes of 0 and 1 in one group, of which each task sums its own rows first.
    """
    if not binary:
        located = points.select("x", "y", *GROUPS).mapInArrow(
            _Cells(cut), "atom bigint, part string, stratum string, code string"
        )
        return located.groupBy("atom", *GROUPS).agg(F.count("*").alias("n"))
    summed = (
        points.select("x", "y", "outcome")
        .mapInArrow(_Sums(cut), CELLS)
        .groupBy("atom")
        .agg(F.sum("n").alias("n"), F.sum("p").alias("p"))
    )
    nothing = "CAST(NULL AS string)"
    classes = "array(struct('0' AS code, n - p AS n), struct('1' AS code, p AS n))"
    return (
        summed.selectExpr("atom", f"inline({classes})")
        .where("n > 0")
        .selectExpr("atom", f"{nothing} AS part", f"{nothing} AS stratum", "code", "n")
    )


def _place() -> list[Column]:
    # -0.0 and 0.0 are one place.
    return [(F.col(name) + F.lit(0.0)).alias(name) for name in ("x", "y")]


@dataclass(frozen=True)
class _Cells:
    cut: Partitioning

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            x, y = (batch.column(i).to_numpy(zero_copy_only=False) for i in range(2))
            atoms = pa.array(cells_of(x, y, self.cut))
            yield pa.RecordBatch.from_arrays([atoms, *batch.columns[2:]], ["atom", *GROUPS])


@dataclass(frozen=True)
class _Sums:
    cut: Partitioning

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            x, y, outcome = (batch.column(i).to_numpy(zero_copy_only=False) for i in range(3))
            atoms, inverse = np.unique(cells_of(x, y, self.cut), return_inverse=True)
            n = np.bincount(inverse, minlength=len(atoms)).astype(np.int64)
            p = np.bincount(inverse, weights=outcome, minlength=len(atoms)).astype(np.int64)
            yield pa.RecordBatch.from_arrays([pa.array(a) for a in (atoms, n, p)], ["atom", "n", "p"])


def one_row_each(points: DataFrame) -> tuple[DataFrame, DataFrame]:
    """People with ids: equal rows of a person count once, a person with different rows is set aside.

    Returns
    -------
    rows : DataFrame
        ``uid, x, y``, `point_outcomes.COLUMNS`, ``reason``: one row per person, and the rejected rows (conflicts among
        them, each row of such a person).
    repeats : DataFrame
        One row, ``duplicate``: rows that repeat another.
    """
    names = ("x", "y", *COLUMNS)
    content = F.struct(*names)
    each = (
        points.where("reason = 0")
        .groupBy("uid")
        .agg(F.min(content).alias("row"), F.max(content).alias("last"), F.count("*").alias("rows"))
    )
    # Null-safe: a truth may be missing.
    fine = F.col("row").eqNullSafe(F.col("last"))
    kept = each.where(fine).select("uid", "row.*", F.lit(0).cast("tinyint").alias("reason"))
    nothing = [F.lit(None).cast(points.schema[name].dataType).alias(name) for name in names]
    conflicts = each.where(~fine).select(
        "uid",
        *nothing,
        F.explode(
            F.array_repeat(F.lit(CODES["conflicting_label"]).cast("tinyint"), F.col("rows").cast("int"))
        ).alias("reason"),
    )
    rejected = points.where("reason <> 0").select("uid", *names, "reason")
    repeats = each.where(fine).agg(F.coalesce(F.sum(F.col("rows") - 1), F.lit(0)).alias("duplicate"))
    return kept.unionByName(conflicts).unionByName(rejected), repeats
