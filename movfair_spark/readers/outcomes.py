"""Outcomes and truths as 0.0 and 1.0, whatever the input calls them: the same rules for labels and for points."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.config.input import LabelsConfig
from movfair_spark.errors import ConfigurationError
from movfair_spark.readers import numbers
from movfair_spark.readers.source import Field


def class_value(field: Field, name: str, config: LabelsConfig, source: str) -> Column:
    """Outcome or truth as 0.0 or 1.0; null for anything else.

    Parameters
    ----------
    field : Field
        The column that ``name`` was read from.
    name : str
        Column of raw values.
    config : LabelsConfig
        ``positive`` and ``negative``.
    source : str
        For messages.
    """
    if not config.positive_values:
        if isinstance(field.type, T.BooleanType):
            return F.col(name).cast("double")
        number = numbers.value(field, name)
        known = F.when(number.isin(0.0, 1.0), number)
        if isinstance(field.type, T.StringType):
            word = F.lower(F.trim(F.col(name)))
            return F.when(word == "true", 1.0).when(word == "false", 0.0).otherwise(known)
        return known
    positive = _is_one_of(field, name, config.positive_values, source)
    if config.negative_values:
        negative = _is_one_of(field, name, config.negative_values, source)
    else:
        negative = ~is_missing(field, name)
    return F.when(positive, 1.0).when(negative, 0.0)


def is_missing(field: Field, name: str) -> Column:
    """Whether a value is missing: null, or blank text."""
    if isinstance(field.type, T.StringType):
        return F.col(name).isNull() | (F.trim(F.col(name)) == "")
    return F.col(name).isNull()


def is_nan(field: Field, name: str) -> Column:
    """Whether a value is NaN, as a number or as text."""
    if isinstance(field.type, T.DoubleType | T.FloatType):
        return F.coalesce(F.isnan(name), F.lit(False))
    if isinstance(field.type, T.StringType):
        return F.lower(F.trim(F.col(name))) == "nan"
    return F.lit(False)


def _is_one_of(field: Field, name: str, values: Sequence[str], source: str) -> Column:
    if isinstance(field.type, T.BooleanType):
        return F.lower(F.col(name).cast("string")).isin([value.lower() for value in values])
    if isinstance(field.type, T.NumericType):
        try:
            return F.col(name).cast("double").isin([float(value) for value in values])
        except ValueError:
            raise ConfigurationError(
                f"{source}: '{field.name}' holds numbers, labels.positive and negative are {list(values)}",
                "give numbers",
            ) from None
    return F.trim(F.col(name)).isin([value.strip() for value in values])
