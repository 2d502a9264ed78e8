"""The table ``rejects``: what was set aside, why, and one example of each, from all inputs of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyspark.sql import DataFrame, SparkSession

from movfair_spark.errors import RejectsError
from movfair_spark.tables.rejects import CODES, MEANING, SCHEMA

Input = tuple[str, Mapping[str, int], Callable[[], DataFrame] | None]
"""Name of an input, its counts (reason -> rows; other keys such as ``read`` are passed over), its second scan."""


def rejects_table(spark: SparkSession, inputs: list[Input]) -> DataFrame:
    """Put the counts of all inputs together with an example of each reason.

    Parameters
    ----------
    inputs : list of (name, counts, details)
        The counts come from the one pass over the rows and are right as they are; ``details`` is scanned only
        when something was rejected, for its examples.

    Returns
    -------
    DataFrame
        source, reason, rows, example; in the order of the inputs and of the reasons' codes. Empty (with all
        columns) when nothing was rejected.
    """
    rows = []
    for name, counts, details in inputs:
        found = rejected(counts)
        # Conflicts between rows show only in the pass: a second scan of single rows knows none of them.
        wanted = details is not None and any(reason != "conflicting_position" for reason in found)
        examples = (
            {row["reason"]: row["example"] for row in details().collect()} if details and wanted else {}
        )
        rows += [(name, reason, count, examples.get(reason)) for reason, count in found.items()]
    return spark.createDataFrame(rows, SCHEMA)


def rejected(counts: Mapping[str, int]) -> dict[str, int]:
    """Keep the rejects among the counts of a pass, in the order of their codes."""
    found = {reason: count for reason, count in counts.items() if reason in CODES and count}
    return {reason: found[reason] for reason in sorted(found, key=CODES.__getitem__)}


def refuse_rejects(rejects: DataFrame) -> None:
    """Turn any reject into an error (``strict``).

    Parameters
    ----------
    rejects : DataFrame
        Of :func:`rejects_table`.

    Raises
    ------
    RejectsError
        Names every reason with its rows and example.
    """
    rows = rejects.collect()
    if rows:
        listed = "; ".join(
            f"{row['source']}: {row['rows']} x {row['reason']} ({row['example'] or MEANING[row['reason']]})"
            for row in rows
        )
        raise RejectsError(
            f"{sum(row['rows'] for row in rows)} rows were rejected and strict is set: {listed}",
            "correct the input, or leave strict out",
        )
