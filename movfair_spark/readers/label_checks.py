"""What header and first rows of a label table tell before any long work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.config.notion import Kind
from movfair_spark.errors import ConfigurationError, EmptyTableError, InputError
from movfair_spark.models.multinomial import MAX_CLASSES
from movfair_spark.readers import numbers
from movfair_spark.readers.label_values import LabelValues
from movfair_spark.readers.source import Field
from movfair_spark.tables.rejects import CODES, REASONS

FIRST_ROWS = 1_000
MOST_CLASSES = 20


def check_types(fields: Mapping[str, Field], source: str, kind: Kind) -> None:
    """Refuse a column that cannot hold its role, whatever its rows say."""
    for role in ("outcome", "truth", "weight"):
        if role not in fields:
            continue
        found = fields[role].type
        fine = numbers.is_number_type(found)
        if role != "weight" and kind != "real":
            fine = fine or isinstance(found, T.BooleanType)
        if not fine:
            raise InputError(
                f"{source}: '{fields[role].name}' is {found.simpleString()} and cannot be {role}",
                f"name another column (labels.columns.{role})",
            )


def check_first_rows(sample: Sequence[Any], source: str, name: str, values: LabelValues) -> None:
    """Refuse labels whose first rows are unusable.

    Parameters
    ----------
    sample : sequence of Row
        At most `FIRST_ROWS` rows with ``reason``, ``_outcome`` and ``outcome_class``.
    source, name : str
        Of the table and of its outcome column, for messages.
    values : LabelValues
    """
    if not sample:
        raise EmptyTableError(f"{source} has no rows", "check how it was written")
    reasons = Counter(REASONS.get(row["reason"], "") for row in sample)
    for reason in ("ragged_row", "null_id", "null_outcome"):
        if reasons[reason] == len(sample) and len(sample) > 1:
            raise InputError(
                f"{source}: all of the first {len(sample)} rows are rejected as {reason}", "check columns"
            )
    bad = [row for row in sample if row["reason"] == CODES["bad_outcome"]]
    if len(bad) * 2 > len(sample):
        shown = ", ".join(f"'{value}'" for value in sorted({str(row["_outcome"]) for row in bad})[:5])
        what, remedy = _unusable(values)
        raise InputError(
            f"{source}: {len(bad)} of the first {len(sample)} outcomes in '{name}' are {what} ({shown})",
            remedy,
        )
    classes = {row["outcome_class"] for row in sample if row["outcome_class"] is not None}
    if len(classes) > MAX_CLASSES:
        raise InputError(
            f"{source}: {len(classes)} classes among the first {len(sample)} outcomes in '{name}', allowed are "
            f"{MAX_CLASSES}",
            "merge rare classes, or set scan.model: normal for real values",
        )


def refuse_several_negatives(marked: DataFrame, source: str, name: str) -> None:
    """Without ``negative``, the outcomes besides the positive ones must be one value: no class is guessed at."""
    found = marked.where("reason = 0 AND outcome = 0.0").select(
        F.trim(F.col("_outcome").cast("string")).alias("v")
    )
    values = sorted(row["v"] for row in found.distinct().limit(MOST_CLASSES).collect())
    if len(values) > 1:
        shown = ", ".join(f"'{value[:30]}'" for value in values)
        raise ConfigurationError(
            f"{source}: '{name}' holds {shown} besides labels.positive",
            "set labels.negative to those that mean the negative outcome",
        )


def _unusable(values: LabelValues) -> tuple[str, str]:
    if values.kind == "class":
        return "none of labels.classes", "correct labels.classes"
    if values.kind == "real":
        return "no finite numbers", "name a column of numbers (labels.columns.outcome)"
    if values.config.positive is None:
        return "neither 0 nor 1", "set labels.positive to the value that means the positive outcome"
    return "neither labels.positive nor negative", "correct labels.positive and labels.negative"
