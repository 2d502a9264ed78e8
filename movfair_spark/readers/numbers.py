"""Numbers in text and in typed columns as doubles, the same in every ANSI mode."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.readers.source import Field

# Java alone would also take '12.3d', '1f' and '0x1p3'.
_NUMBER = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?$|^nan$|^[+-]?inf(inity)?$"


def is_number_type(kind: T.DataType) -> bool:
    """Whether values of a type can be read as numbers (text included)."""
    return isinstance(kind, T.NumericType | T.StringType)


def is_missing(field: Field, name: str) -> Column:
    """Whether a number is missing: null or blank text. NaN is there, and is no number."""
    raw = F.col(name)
    return raw.isNull() | (F.trim(raw) == "") if isinstance(field.type, T.StringType) else raw.isNull()


def value(field: Field, name: str) -> Column:
    """Double of a raw column; null where a text is no number. NaN and infinities stay what they are.

    Parameters
    ----------
    field : Field
        The column that ``name`` was read from.
    name : str
        Column of raw values.
    """
    if isinstance(field.type, T.StringType):
        return F.expr(f"CASE WHEN lower(trim({name})) RLIKE '{_NUMBER}' THEN try_cast({name} as double) END")
    return F.expr(f"cast({name} as double)")
