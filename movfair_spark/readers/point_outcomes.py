"""Outcomes of points, whatever their kind: 0/1, classes, or real values, with what a test needs beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F

from movfair_spark.config.spatial import SpatialConfig
from movfair_spark.readers import numbers
from movfair_spark.readers.outcomes import class_value, is_missing, is_nan
from movfair_spark.readers.source import Field

COLUMNS = ("outcome", "code", "truth", "stratum", "weight")
"""What a point gets besides its place: ``outcome`` (double: 0/1, or the real value), ``code`` (text of its class), ``truth``
and ``stratum`` (text), ``weight`` (double); null where the test does not look at it."""


@dataclass(frozen=True)
class Outcomes:
    """What a test looks at.

    Attributes
    ----------
    config : SpatialConfig
    source : str
        For messages.
    """

    config: SpatialConfig
    source: str

    @property
    def model(self) -> str:
        """Name of the outcome model."""
        return self.config.scan.model

    @property
    def roles(self) -> tuple[str, ...]:
        """Columns that must be there."""
        names, scan = self.config.input.columns, self.config.scan
        needed = {"outcome": True, "truth": scan.needs_truth, "stratum": names.stratum is not None}
        needed["weight"] = names.weight is not None
        return tuple(role for role, wanted in needed.items() if wanted)

    def values(self, fields: Mapping[str, Field]) -> dict[str, Column]:
        """Give the `COLUMNS` from raw columns ``_outcome``, ``_truth``, ``_stratum``, ``_weight``."""
        nothing = F.lit(None)
        found = {name: nothing.cast("string") for name in ("code", "truth", "stratum")}
        found |= {name: nothing.cast("double") for name in ("outcome", "weight")}
        if self.model == "bernoulli":
            found["outcome"] = self._binary(fields, "outcome")
            found["code"] = found["outcome"].cast("int").cast("string")
            if "truth" in fields:
                found["truth"] = self._binary(fields, "truth").cast("int").cast("string")
        elif self.model == "multinomial":
            found["code"] = self._class(fields, "outcome")
            if "truth" in fields:
                found["truth"] = self._class(fields, "truth")
        else:
            found["outcome"] = numbers.value(fields["outcome"], "_outcome")
            if "truth" in fields:
                found["outcome"] = found["outcome"] - numbers.value(fields["truth"], "_truth")
        if "stratum" in fields:
            found["stratum"] = _text("_stratum")
        if "weight" in fields:
            found["weight"] = numbers.value(fields["weight"], "_weight")
        return found

    def broken(self, fields: Mapping[str, Field]) -> dict[str, Column]:
        """Reason -> whether a row breaks that rule."""
        told = F.col("code") if self.model != "normal" else F.col("outcome")
        missing, nan = is_missing(fields["outcome"], "_outcome"), is_nan(fields["outcome"], "_outcome")
        broken = {"null_outcome": missing, "bad_outcome": told.isNull() | nan}
        if self.model == "normal":
            outcome = numbers.value(fields["outcome"], "_outcome")
            broken["bad_outcome"] = ~_finite(outcome)
        if "truth" in fields:
            nowhere = is_missing(fields["truth"], "_truth") | is_nan(fields["truth"], "_truth")
            truth = numbers.value(fields["truth"], "_truth")
            no_truth = ~_finite(truth) if self.model == "normal" else F.col("truth").isNull()
            broken |= {"null_truth": nowhere, "bad_truth": no_truth}
        if "stratum" in fields:
            broken["null_stratum"] = is_missing(fields["stratum"], "_stratum") | is_nan(
                fields["stratum"], "_stratum"
            )
        if "weight" in fields:
            weight = F.col("weight")
            broken["bad_weight"] = ~F.coalesce(_finite(weight) & (weight > 0.0), F.lit(False))
        return broken

    def _binary(self, fields: Mapping[str, Field], role: str) -> Column:
        return class_value(fields[role], f"_{role}", self.config.input.labels(), self.source)

    def _class(self, fields: Mapping[str, Field], role: str) -> Column:
        text, known = _text(f"_{role}"), self.config.input.classes
        text = F.when(~is_missing(fields[role], f"_{role}"), text)
        return text if known is None else F.when(text.isin(known), text)


def _text(name: str) -> Column:
    return F.trim(F.col(name).cast("string"))


def _finite(value: Column) -> Column:
    """Whether a number is there and finite: a text that is none gives null, hence false."""
    return F.coalesce(~F.isnan(value) & (F.abs(value) < float("inf")), F.lit(False))
