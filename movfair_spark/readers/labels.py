"""Labels: the outcome that the model gave to each person, one per person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from movfair_spark.config.input import LabelsConfig
from movfair_spark.config.notion import NotionConfig
from movfair_spark.readers import columns, ids
from movfair_spark.readers.details import find_examples
from movfair_spark.readers.failures import reading
from movfair_spark.readers.label_checks import (
    FIRST_ROWS,
    check_first_rows,
    check_types,
    refuse_several_negatives,
)
from movfair_spark.readers.label_values import LabelValues
from movfair_spark.readers.opening import open_input
from movfair_spark.readers.rules import first_reason, offending
from movfair_spark.readers.source import RAGGED, Field, Source
from movfair_spark.tables.rejects import CODES, REASONS


@dataclass(frozen=True)
class Labels:
    """One label per person, and what was set aside.

    Parameters
    ----------
    frame : DataFrame
        ``uid`` (bigint or string); ``outcome`` (double: 0, 1 or a real value) or ``outcome_class`` (string), the other is
        null; ``truth`` (double), for classes ``truth_class`` (string), ``stratum`` (string) and ``weight`` (double), each
        null where it is missing.
    uid_type : {'int', 'string'}
    source : str
        Path or table, for messages.
    counts : callable
        One scan: ``read``, ``kept``, ``duplicate`` and each reject reason -> rows; read is the sum of the others.
    details : callable
        Second scan, only when something was rejected: table ``rejects`` (source, reason, rows, example).
    """

    frame: DataFrame
    uid_type: Literal["int", "string"]
    source: str
    counts: Callable[[], dict[str, int]]
    details: Callable[[], DataFrame]


def read_labels(
    spark: SparkSession,
    config: LabelsConfig,
    frame: DataFrame | None = None,
    notion: NotionConfig | None = None,
) -> Labels:
    """Read labels from a file of any form, or from a DataFrame.

    Equal rows of a person count once (``duplicate``); a person with two different rows is rejected with all of
    them (``conflicting_label``). A missing truth, stratum or weight is kept as null: whether it is needed is known
    only to the test.

    Parameters
    ----------
    spark : SparkSession
    config : LabelsConfig
    frame : DataFrame, optional
        Taken in place of ``config.path``.
    notion : NotionConfig, optional
        What the test looks at: outcomes are 0 and 1, classes or real values; whether there must be a truth.

    Returns
    -------
    Labels

    Raises
    ------
    InputError
        Whatever headers and the first 1,000 rows can tell, among it outcomes that are not 0 and 1 while
        ``positive`` is not set, and more classes than the model takes.
    ConfigurationError
        Several values besides the positive ones, while ``negative`` is not set.
    """
    with reading(spark, config.path if frame is None else None):
        rows = _plan(open_input(spark, config, frame), config, notion or NotionConfig())
        first = rows.marked().limit(FIRST_ROWS).collect()
        check_first_rows(first, rows.source.label, rows.fields["outcome"].name, rows.values)
        if config.positive is not None and config.negative is None:
            refuse_several_negatives(rows.marked(), rows.source.label, rows.fields["outcome"].name)
    return Labels(
        frame=rows.people()
        .where(~F.col("conflict"))
        .select("uid", *(f"label.{name}" for name in rows.values.names)),
        uid_type=rows.uid_type,
        source=rows.source.label,
        counts=rows.counts,
        details=rows.details,
    )


@dataclass(frozen=True)
class _Rows:
    source: Source
    values: LabelValues
    uid_type: Literal["int", "string"]

    @property
    def fields(self) -> Mapping[str, Field]:
        return self.values.fields

    def marked(self, *, located: bool = False) -> DataFrame:
        """Scan the source: raw values, values, and the reason of every row."""
        fields = self.fields
        raw = self.source.rows({role: field.name for role, field in fields.items()}, located=located)
        valued = raw.select(
            "*",
            ids.value(fields["uid"], "_uid", self.uid_type).alias("uid"),
            *(value.alias(name) for name, value in self.values.columns().items()),
        )
        return valued.select("*", first_reason(self._broken()).alias("reason"))

    def _broken(self) -> dict[str, Column]:
        return {
            "ragged_row": F.col(RAGGED),
            "null_id": ids.is_missing(self.fields["uid"], "_uid"),
            "bad_id": F.col("uid").isNull(),
            **self.values.broken(),
        }

    def people(self) -> DataFrame:
        """One row per id with a usable label: ``label`` (struct), ``rows``, ``conflict``."""
        label = F.struct(*self.values.names)
        return (
            self.marked()
            .where("reason = 0")
            .select("uid", label.alias("label"))
            .groupBy("uid")
            .agg(F.min("label").alias("label"), F.max("label").alias("_last"), F.count("*").alias("rows"))
            .withColumn("conflict", F.col("label") != F.col("_last"))
            .drop("_last")
        )

    def counts(self) -> dict[str, int]:
        """Rows read, kept, repeated and rejected by reason."""
        with self._reading():
            bad = self.marked().groupBy("reason").count().collect()
            people = (
                self.people()
                .groupBy("conflict")
                .agg(F.count("*").alias("people"), F.sum("rows").alias("rows"))
            )
            found = {row["conflict"]: row for row in people.collect()}
        counts = {"read": sum(row["count"] for row in bad), "kept": 0, "duplicate": 0}
        if False in found:
            counts["kept"] = found[False]["people"]
            counts["duplicate"] = found[False]["rows"] - found[False]["people"]
        counts |= {REASONS[row["reason"]]: row["count"] for row in sorted(bad) if row["reason"]}
        if True in found:
            counts["conflicting_label"] = found[True]["rows"]
        return counts

    def details(self) -> DataFrame:
        """Second scan: an example of every reject."""
        with self._reading():
            located = self.marked(located=True)
            conflict = self.people().where("conflict").select("uid", F.lit(True).alias("_conflict"))
            clash = (F.col("reason") == 0) & F.col("_conflict").isNotNull()
            code = F.when(clash, CODES["conflicting_label"]).otherwise(F.col("reason")).cast("tinyint")
            located = located.join(conflict, "uid", "left").withColumn("reason", code)
            shown = {"bad_id": "uid", "bad_outcome": "outcome", "bad_truth": "truth", "bad_weight": "weight"}
            values = {reason: F.col(f"_{role}") for reason, role in shown.items() if role in self.fields}
            return find_examples(
                located.withColumn("_example", offending(values)),
                source="labels",
                unit=self.source.unit,
                limits={},
            )

    def _reading(self) -> Any:
        return reading(self.source.base.sparkSession, list(self.source.files))


def _plan(source: Source, config: LabelsConfig, notion: NotionConfig) -> _Rows:
    names = source.columns
    # A truth of classes or of real values is looked at only where the test needs it.
    looked_at = ["truth"] if notion.needs_truth or notion.kind == "binary" else []
    found = {
        role: columns.find(role, getattr(config.columns, role), names, source.label)
        for role in ("uid", "outcome", *looked_at, "stratum", "weight")
    }
    required = ("uid", "outcome", *(["truth"] if notion.needs_truth else []))
    columns.require({role: found[role] for role in required}, names, source.label)
    fields = {role: source.fields[name] for role, name in found.items() if name is not None}
    check_types(fields, source.label, notion.kind)
    uid_type = ids.resolve(fields["uid"], config.uid_type, source.label)
    return _Rows(source, LabelValues(fields, config, notion.kind, source.label), uid_type)
