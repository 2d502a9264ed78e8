"""Values of a label table: outcome and truth as 0/1, classes or real values, stratum and weight, and what breaks a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F

from movfair_spark.config.input import LabelsConfig
from movfair_spark.config.notion import Kind
from movfair_spark.readers import numbers
from movfair_spark.readers.outcomes import class_value, is_missing, is_nan
from movfair_spark.readers.source import Field


@dataclass(frozen=True)
class LabelValues:
    """How the raw columns ``_outcome``, ``_truth``, ``_stratum``, ``_weight`` are read.

    Attributes
    ----------
    fields : mapping
        Role to field; truth, stratum and weight may be absent.
    config : LabelsConfig
    kind : {'binary', 'class', 'real'}
        What outcomes (and truths) are.
    source : str
        For messages.
    """

    fields: Mapping[str, Field]
    config: LabelsConfig
    kind: Kind
    source: str

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns that a label has."""
        truth = ("truth", "truth_class") if self.kind == "class" else ("truth",)
        return ("outcome", "outcome_class", *truth, "stratum", "weight")

    def columns(self) -> dict[str, Column]:
        """Give the columns of `names`; null where there is none."""
        found: dict[str, Column] = {}
        for role in ("outcome", "truth"):
            number, name = F.lit(None).cast("double"), F.lit(None).cast("string")
            if role in self.fields and self.kind == "class":
                name = self._class(role)
            elif role in self.fields:
                number = self._number(role)
            found |= {role: number, f"{role}_class": name}
        for role, kind in (("stratum", "string"), ("weight", "double")):
            found[role] = F.lit(None).cast(kind)
        if "stratum" in self.fields:
            found["stratum"] = F.when(self._is_there("stratum"), F.col("_stratum").cast("string"))
        if "weight" in self.fields:
            found["weight"] = numbers.value(self.fields["weight"], "_weight")
        return {name: found[name] for name in self.names}

    def broken(self) -> dict[str, Column]:
        """Reason to whether a row breaks that rule; a missing truth, stratum or weight breaks none."""
        outcome = self.fields["outcome"]
        broken = {
            "null_outcome": is_missing(outcome, "_outcome"),
            "bad_outcome": self._unreadable("outcome") | is_nan(outcome, "_outcome"),
        }
        if "truth" in self.fields:
            broken["bad_truth"] = self._is_there("truth") & self._unreadable("truth")
        if "weight" in self.fields:
            there = ~numbers.is_missing(self.fields["weight"], "_weight")
            broken["bad_weight"] = there & ~(finite(F.col("weight")) & (F.col("weight") > 0.0))
        return broken

    def _class(self, role: str) -> Column:
        text = F.trim(F.col(f"_{role}").cast("string"))
        known = self._is_there(role)
        return F.when(known if self.config.classes is None else known & text.isin(self.config.classes), text)

    def _number(self, role: str) -> Column:
        if self.kind == "binary":
            return class_value(self.fields[role], f"_{role}", self.config, self.source)
        return numbers.value(self.fields[role], f"_{role}")

    def _unreadable(self, role: str) -> Column:
        if self.kind == "class":
            return F.col(f"{role}_class").isNull()
        return F.col(role).isNull() if self.kind == "binary" else ~finite(F.col(role))

    def _is_there(self, role: str) -> Column:
        return ~is_missing(self.fields[role], f"_{role}") & ~is_nan(self.fields[role], f"_{role}")


def finite(value: Column) -> Column:
    """Whether a number is there and finite; false for a text that is none."""
    return F.coalesce(~F.isnan(value) & (F.abs(value) < float("inf")), F.lit(False))
