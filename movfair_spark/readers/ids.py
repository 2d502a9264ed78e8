"""Ids keep type and value: int64 above 2^53, '007' beside '7', never through a float."""

from __future__ import annotations

from typing import Literal

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.errors import IdTypeError
from movfair_spark.readers.source import Field

UidType = Literal["int", "string"]
MOST_EXACT = 1 << 53
"""Largest whole number up to which a double holds every one."""

_INTEGRAL = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


def resolve(field: Field, wanted: UidType | None, source: str) -> UidType:
    """Type that the ids of a column will have.

    Whole numbers become ``int`` (bigint), text becomes ``string``, and so do decimals of more than 18 digits
    (an unsigned 64-bit id need not fit a bigint). ``wanted`` overrides that where no value can change.

    Raises
    ------
    IdTypeError
        The column is of a type whose values name nobody exactly (floating point, dates, structs, ...).
    """
    kind = field.type
    if isinstance(kind, _INTEGRAL):
        return wanted or "int"
    if isinstance(kind, T.StringType):
        return wanted or "string"
    if isinstance(kind, T.DecimalType) and kind.scale == 0:
        return wanted or ("int" if kind.precision <= 18 else "string")
    if isinstance(kind, T.FloatType | T.DoubleType):
        if wanted == "int":
            return "int"
        raise IdTypeError(
            f"{source}: the ids in '{field.name}' are {kind.simpleString()}, which is exact only up to 2^53",
            "write them as int64 or text; if all are whole numbers up to 2^53, set uid_type: int",
        )
    raise IdTypeError(
        f"{source}: the ids in '{field.name}' are {kind.simpleString()}", "ids must be whole numbers or text"
    )


def is_missing(field: Field, name: str) -> Column:
    """Whether an id is missing: null, NaN, or blank text."""
    raw = F.col(name)
    if isinstance(field.type, T.StringType):
        return raw.isNull() | (F.trim(raw) == "")
    if isinstance(field.type, T.FloatType | T.DoubleType):
        return raw.isNull() | F.isnan(raw)
    return raw.isNull()


def value(field: Field, name: str, uid_type: UidType) -> Column:
    """Id as bigint or string; null where it cannot be taken exactly.

    Parameters
    ----------
    field : Field
        The column that ``name`` was read from.
    name : str
        Column of raw ids.
    uid_type : {'int', 'string'}
        What :func:`resolve` said.

    Notes
    -----
    Text becomes ``int`` only in its shortest form (``0``, ``7``, ``-7``): '007' is another id than '7' and is
    refused rather than changed.
    """
    kind = field.type
    if isinstance(kind, T.StringType):
        if uid_type == "string":
            return F.col(name)
        shortest = F.col(name).rlike("^(0|-?[1-9][0-9]{0,18})$")
        return F.when(shortest, F.expr(f"try_cast({name} as bigint)"))
    if uid_type == "string":
        return F.col(name).cast("string")
    if isinstance(kind, T.FloatType | T.DoubleType):
        whole = (F.col(name) == F.floor(name)) & (F.abs(F.col(name)) <= float(MOST_EXACT))
        return F.when(whole & ~F.isnan(name), F.expr(f"try_cast({name} as bigint)"))
    return F.expr(f"try_cast({name} as bigint)")
