"""Labels: the outcome that the model gave to each person, one per person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.config.input import LabelsConfig
from movfair_spark.errors import ConfigurationError, EmptyTableError, InputError
from movfair_spark.readers import columns, ids, numbers
from movfair_spark.readers.details import find_examples
from movfair_spark.readers.failures import reading
from movfair_spark.readers.opening import open_input
from movfair_spark.readers.outcomes import class_value, is_missing, is_nan
from movfair_spark.readers.rules import first_reason, offending
from movfair_spark.readers.source import RAGGED, Field, Source
from movfair_spark.tables.rejects import CODES, REASONS

FIRST_ROWS = 1_000
MOST_CLASSES = 20
_VALUES = ("outcome", "truth", "stratum", "weight")


@dataclass(frozen=True)
class Labels:
    """One label per person, and what was set aside.

    Parameters
    ----------
    frame : DataFrame
        ``uid`` (bigint or string), ``outcome`` (double, 0 or 1), ``outcome_class`` (string, null for 0/1 outcomes),
        ``truth`` (double, 0, 1 or null), ``stratum`` (string or null), ``weight`` (double or null).
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


def read_labels(spark: SparkSession, config: LabelsConfig, frame: DataFrame | None = None) -> Labels:
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

    Returns
    -------
    Labels

    Raises
    ------
    InputError
        Whatever headers and the first 1,000 rows can tell, among it outcomes that are not 0 and 1 while
        ``positive`` is not set.
    ConfigurationError
        Several values besides the positive ones, while ``negative`` is not set.
    """
    with reading(spark, config.path if frame is None else None):
        rows = _plan(open_input(spark, config, frame), config)
        _check_first_rows(rows.marked().limit(FIRST_ROWS).collect(), rows)
        if config.positive is not None and config.negative is None:
            _refuse_several_negatives(rows)
    return Labels(
        frame=rows.people().where(~F.col("conflict")).select(*_columns()),
        uid_type=rows.uid_type,
        source=rows.source.label,
        counts=rows.counts,
        details=rows.details,
    )


def _columns() -> list[Column]:
    return [
        F.col("uid"),
        F.col("label.outcome").alias("outcome"),
        F.lit(None).cast("string").alias("outcome_class"),
        *(F.col(f"label.{name}").alias(name) for name in ("truth", "stratum", "weight")),
    ]


@dataclass(frozen=True)
class _Rows:
    source: Source
    config: LabelsConfig
    fields: Mapping[str, Field]
    uid_type: Literal["int", "string"]

    def marked(self, *, located: bool = False) -> DataFrame:
        """Scan the source: raw values, values, and the reason of every row."""
        fields = self.fields
        raw = self.source.rows({role: field.name for role, field in fields.items()}, located=located)
        empty = F.lit(None)
        valued = raw.select(
            "*",
            ids.value(fields["uid"], "_uid", self.uid_type).alias("uid"),
            self._class("outcome").alias("outcome"),
            (self._class("truth") if "truth" in fields else empty.cast("double")).alias("truth"),
            (_present("_stratum", fields["stratum"]) if "stratum" in fields else empty.cast("string")).alias(
                "stratum"
            ),
            (
                numbers.value(fields["weight"], "_weight") if "weight" in fields else empty.cast("double")
            ).alias("weight"),
        )
        return valued.select("*", first_reason(self._broken()).alias("reason"))

    def _class(self, role: str) -> Column:
        return class_value(self.fields[role], f"_{role}", self.config, self.source.label)

    def _broken(self) -> dict[str, Column]:
        fields = self.fields
        broken = {
            "ragged_row": F.col(RAGGED),
            "null_id": ids.is_missing(fields["uid"], "_uid"),
            "bad_id": F.col("uid").isNull(),
            "null_outcome": is_missing(fields["outcome"], "_outcome"),
            "bad_outcome": F.col("outcome").isNull() | is_nan(fields["outcome"], "_outcome"),
        }
        if "truth" in fields:
            there = ~is_missing(fields["truth"], "_truth") & ~is_nan(fields["truth"], "_truth")
            broken["bad_truth"] = there & F.col("truth").isNull()
        if "weight" in fields:
            weight = F.col("weight")
            there = ~numbers.is_missing(fields["weight"], "_weight")
            fine = (weight > 0.0) & ~F.isnan(weight) & (weight < float("inf"))
            broken["bad_weight"] = there & ~F.coalesce(fine, F.lit(False))
        return broken

    def people(self) -> DataFrame:
        """One row per id with a usable label: ``label`` (struct), ``rows``, ``conflict``."""
        label = F.struct(*_VALUES)
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


def _present(name: str, field: Field) -> Column:
    """Text of a value; null where it is missing or NaN."""
    return F.when(~is_missing(field, name) & ~is_nan(field, name), F.col(name).cast("string"))


def _plan(source: Source, config: LabelsConfig) -> _Rows:
    names = source.columns
    required = {
        role: columns.find(role, getattr(config.columns, role), names, source.label)
        for role in ("uid", "outcome")
    }
    columns.require(required, names, source.label)
    optional = {
        role: columns.find(role, getattr(config.columns, role), names, source.label)
        for role in ("truth", "stratum", "weight")
    }
    fields = {role: source.fields[name] for role, name in (required | optional).items() if name is not None}
    uid_type = ids.resolve(fields["uid"], config.uid_type, source.label)
    for role in ("outcome", "truth", "weight"):
        kind = fields[role].type if role in fields else T.StringType()
        boolean = role != "weight" and isinstance(kind, T.BooleanType)
        if not (numbers.is_number_type(kind) or boolean):
            raise InputError(
                f"{source.label}: '{fields[role].name}' is {kind.simpleString()} and cannot be {role}",
                f"name another column (labels.columns.{role})",
            )
    return _Rows(source, config, fields, uid_type)


def _check_first_rows(sample: Sequence[Any], rows: _Rows) -> None:
    source = rows.source.label
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
        name, values = rows.fields["outcome"].name, sorted({str(row["_outcome"]) for row in bad})
        shown = ", ".join(f"'{value}'" for value in values[:5])
        if rows.config.positive is None:
            raise InputError(
                f"{source}: {len(bad)} of the first {len(sample)} outcomes in '{name}' are neither 0 nor 1 ({shown})",
                "set labels.positive to the value that means the positive outcome",
            )
        raise InputError(
            f"{source}: {len(bad)} of the first {len(sample)} outcomes in '{name}' are neither labels.positive nor "
            f"negative ({shown})",
            "correct labels.positive and labels.negative",
        )


def _refuse_several_negatives(rows: _Rows) -> None:
    """Without ``negative``, the outcomes besides the positive ones must be one value: no class is guessed at."""
    field = rows.fields["outcome"]
    found = (
        rows.marked()
        .where("reason = 0 AND outcome = 0.0")
        .select(F.trim(F.col("_outcome").cast("string")).alias("v"))
    )
    values = sorted(row["v"] for row in found.distinct().limit(MOST_CLASSES).collect())
    if len(values) > 1:
        shown = ", ".join(f"'{value[:30]}'" for value in values)
        raise ConfigurationError(
            f"{rows.source.label}: '{field.name}' holds {shown} besides labels.positive",
            "set labels.negative to those that mean the negative outcome",
        )
