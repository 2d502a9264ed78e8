"""Rows without an error: counted by reason, and refused where the configuration says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from movfair_spark.config.error_parity import ErrorParityConfig
from movfair_spark.errors import EmptyTableError, InputError
from movfair_spark.stages.error_values import CODES, PROBLEMS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Problems of a row whatever the metric; the others belong to one metric.
_OF_ROW = range(1, CODES["not_finite_prediction"] + 1)
#: What each reason means; shown in place of an example.
_WORDS = {
    "ragged_row": "another number of fields than the header",
    "null_truth": "the truth is missing",
    "bad_truth": "the truth is no number",
    "not_finite_truth": "the truth is NaN or infinite",
    "null_prediction": "the prediction is missing",
    "bad_prediction": "the prediction is no number",
    "not_finite_prediction": "the prediction is NaN or infinite",
    "zero_denominator": "truth, or prediction + truth, is 0",
    "negative_truth": "a percentage of a negative truth",
    "error_out_of_range": "infinite, or beyond 1e150",
    "null_expression": "the expression is null",
    "null_group": "null or blank",
}


@dataclass
class RejectCounts:
    """Rows per model and reason, per metric and reason, and per sensitive column without a group.

    ``rows`` is the manifest's form: rows read, and per model rows kept and rejected per reason.
    """

    rows: dict[str, Any] = field(default_factory=dict)
    metrics: dict[tuple[str, str, str], int] = field(default_factory=dict)
    groups: dict[str, int] = field(default_factory=dict)

    def table(self) -> list[tuple[str, str, int, str | None]]:
        """Rows of the table ``rejects``: source, reason, rows, example."""
        found: list[tuple[str, str, int, str | None]] = []
        for model, counts in self.rows["models"].items():
            found += [(model, reason, rows, _WORDS[reason]) for reason, rows in counts["rejected"].items()]
        found += [
            (f"{model}: {metric}", reason, rows, _WORDS[reason])
            for (model, metric, reason), rows in self.metrics.items()
        ]
        found += [
            (label, "null_group", rows, _WORDS["null_group"]) for label, rows in self.groups.items() if rows
        ]
        return found


def reject_counts(values: DataFrame, labels: Sequence[str], config: ErrorParityConfig) -> RejectCounts:
    """Count the rows of the table of values that have a problem.

    Parameters
    ----------
    values : DataFrame
        Table of values, with problems.
    labels : sequence of str
        Names of the sensitive columns.
    config : ErrorParityConfig
    """
    without = [
        F.sum(F.when(F.col(f"g{s}").isNull(), F.col("rows")).otherwise(0)).alias(f"g{s}")
        for s in range(len(labels))
    ]
    found = values.groupBy("model", "metric", "problem").agg(F.sum("rows").alias("rows"), *without).collect()
    names = config.error_names
    counts = RejectCounts()
    first = [row for row in found if row["model"] == 0 and row["metric"] == 0]
    read = sum(row["rows"] for row in first)
    if read == 0:
        raise EmptyTableError("the input has no rows", "check the path, and how the file was written")
    # A row counts once: those rejected for their numbers are not counted again for their group.
    whole = [row for row in first if row["problem"] not in _OF_ROW]
    counts.groups = {label: sum(row[f"g{s}"] for row in whole) for s, label in enumerate(labels)}
    models: dict[str, Any] = {}
    for m, model in enumerate(config.models):
        rejected = {
            PROBLEMS[code]: rows
            for code in _OF_ROW
            if (
                rows := sum(
                    r["rows"] for r in found if (r["model"], r["metric"], r["problem"]) == (m, 0, code)
                )
            )
        }
        models[model] = {"kept": read - sum(rejected.values()), "rejected": rejected}
        for e, metric in enumerate(names):
            for row in found:
                if (row["model"], row["metric"]) == (m, e) and row["problem"] > _OF_ROW[-1]:
                    counts.metrics[model, metric, PROBLEMS[row["problem"]]] = row["rows"]
    if config.negative_truth == "allow":
        counts.metrics = {key: rows for key, rows in counts.metrics.items() if key[2] != "negative_truth"}
    counts.metrics = dict(sorted(counts.metrics.items()))
    counts.rows = {
        "read": read,
        "models": models,
        "without_error": {f"{m}, {e}: {reason}": rows for (m, e, reason), rows in counts.metrics.items()},
        "without_group": {label: rows for label, rows in counts.groups.items()},
    }
    return counts


def refuse(counts: RejectCounts, config: ErrorParityConfig) -> None:
    """Refuse what must not be left out silently.

    Raises
    ------
    InputError
        Negative truths under a percentage form, zero denominators under ``zero_truth: refuse``.
    EmptyTableError
        No row has a prediction and a truth.
    """
    for model, found in counts.rows["models"].items():
        if found["kept"] == 0:
            reasons = ", ".join(f"{rows:,} {reason}" for reason, rows in found["rejected"].items())
            raise EmptyTableError(
                f"no row has a number in '{model}' and its truth ({reasons})",
                "check the columns and the separator",
            )
    for (model, metric, reason), rows in counts.metrics.items():
        if reason == "negative_truth":
            raise InputError(
                f"{rows:,} rows have a negative truth, of which '{metric}' ({model}) makes a percentage of the wrong sign",
                "use difference, or set negative_truth: allow",
            )
        if reason == "zero_denominator" and config.zero_truth == "refuse":
            raise InputError(
                f"{rows:,} rows have a zero denominator in '{metric}' ({model}) and zero_truth is 'refuse'",
                "use symmetric_percentage or difference, or set zero_truth: exclude",
            )


def fine_values(values: DataFrame) -> DataFrame:
    """Keep the errors; those of negative truths, which were refused unless asked for, are among them."""
    return values.where(F.col("problem").isin(0, CODES["negative_truth"]))
