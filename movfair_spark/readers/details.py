"""A second scan that finds an example of every reject: run only when something was rejected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from movfair_spark.readers.files import name_of
from movfair_spark.readers.source import BLOCK, FILE, POSITION, SKIP
from movfair_spark.tables.rejects import REASONS, SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Codes that no row carries: lines that are no rows count in the row numbers and nowhere else.
_NO_ROW = -1


def find_examples(located: DataFrame, *, source: str, unit: str, limits: Mapping[str, str]) -> DataFrame:
    """Count rejects and find the first of each reason, by file and position.

    Parameters
    ----------
    located : DataFrame
        ``reason``, ``_example`` and what ``Source.rows(located=True)`` adds.
    source : str
        Name in the table, for example ``points``.
    unit : {'row', 'line'}
        What a row number counts (from 1): rows of a Parquet file, lines of a text file with its header.
    limits : mapping of str to str
        Reason -> the limit that was broken, in words: all that is said of a place.

    Returns
    -------
    DataFrame
        Table ``rejects``: source, reason, rows, example.

    Notes
    -----
    Spark gives no line numbers. Inside one block of a file rows come in order, and a file's blocks in the order
    of their starts, so the number of a row is the lines of the blocks before it plus its place in its own
    block. One aggregate over (file, block, reason) is enough; it is collected (a few rows per 128 MB of input).
    """
    code = F.when(F.col(SKIP), F.lit(_NO_ROW)).otherwise(F.col("reason"))
    found = (
        located.select(FILE, BLOCK, POSITION, code.alias("code"), "_example")
        .groupBy(FILE, BLOCK, "code")
        .agg(
            F.count("*").alias("rows"),
            F.min(POSITION).alias("first"),
            F.min_by("_example", POSITION).alias("example"),
        )
        .collect()
    )
    blocks: dict[tuple[str, int], tuple[int, int]] = {}
    for row in found:
        key = (row[FILE], row[BLOCK])
        start, lines = blocks.get(key, (row["first"], 0))
        blocks[key] = (min(start, row["first"]), lines + row["rows"])
    before: dict[tuple[str, int], int] = {}
    done: dict[str, int] = {}
    for key in sorted(blocks):
        before[key] = done.get(key[0], 0)
        done[key[0]] = before[key] + blocks[key][1]
    totals: dict[int, int] = {}
    examples: dict[int, tuple[str, int, str | None]] = {}
    for row in found:
        reason, key = row["code"], (row[FILE], row[BLOCK])
        if reason <= 0:
            continue
        totals[reason] = totals.get(reason, 0) + row["rows"]
        number = before[key] + row["first"] - blocks[key][0] + 1
        examples[reason] = min(
            examples.get(reason, (key[0], number, row["example"])), (key[0], number, row["example"])
        )
    table = [
        (source, REASONS[reason], rows, _text(examples[reason], unit, limits.get(REASONS[reason])))
        for reason, rows in sorted(totals.items())
    ]
    return located.sparkSession.createDataFrame(table, SCHEMA)


def _text(example: tuple[str, int, str | None], unit: str, limit: str | None) -> str:
    path, number, value = example
    place = f"{name_of(path)} {unit} {number}" if path else ""
    what = limit or (f"'{value}'" if value is not None else "")
    return ": ".join(part for part in (place, what) if part)
