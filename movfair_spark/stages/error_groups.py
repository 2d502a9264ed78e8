"""From the configuration's groups to one text column each: columns, cuts, intersections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.config.error_parity import GroupConfig
from movfair_spark.errors import InputError
from movfair_spark.readers import numbers
from movfair_spark.readers.source import Field

SEPARATOR = " & "


@dataclass(frozen=True)
class GroupColumn:
    """A sensitive column: the group of each row (null: none), and the order of groups where it is known."""

    label: str
    value: Column
    order: tuple[str, ...] = ()


def number_text(value: float) -> str:
    """Shortest text of an edge: 30, not 30.0."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def interval_names(edges: list[float]) -> list[str]:
    """Names of the groups between edges, ascending; each holds its lower edge and not its upper one."""
    texts = [number_text(edge) for edge in edges]
    inner = [f"[{low}, {high})" for low, high in zip(texts, texts[1:], strict=False)]
    return [f"< {texts[0]}", *inner, f">= {texts[-1]}"]


def cut(number: Column, edges: list[float]) -> Column:
    """Name of the interval that a number lies in; null for null and NaN."""
    names = interval_names(edges)
    chosen = F.when(number.isNull() | F.isnan(number), F.lit(None).cast("string"))
    for edge, name in zip(edges, names, strict=False):
        chosen = chosen.when(number < F.lit(edge), F.lit(name))
    return chosen.otherwise(F.lit(names[-1]))


def text_of(field: Field, raw: str) -> Column:
    """Group that a plain column names; null for null, blank text and NaN."""
    value = F.col(raw)
    if isinstance(field.type, T.StringType):
        return F.when(F.trim(value) != "", F.trim(value))
    if isinstance(field.type, T.DoubleType | T.FloatType):
        return F.when(~F.isnan(value), value.cast("string"))
    if isinstance(field.type, T.ArrayType | T.MapType | T.StructType | T.BinaryType):
        raise InputError(
            f"column '{field.name}' is of type {field.type.simpleString()} and names no group",
            "choose a column of texts, numbers or dates",
        )
    return value.cast("string")


def group_column(
    config: GroupConfig,
    raw: Mapping[str, str],
    fields: Mapping[str, Field],
    edges: Mapping[str, list[float]],
    movement: Mapping[str, Column],
) -> GroupColumn:
    """Build the expression of one sensitive column.

    Parameters
    ----------
    config : GroupConfig
    raw : mapping of str to str
        Column of the configuration -> column of raw values in the scan.
    fields : mapping of str to Field
        Column of the configuration -> its field.
    edges : mapping of str to list of float
        Label of a group cut at quantiles -> the quantiles.
    movement : mapping of str to Column
        Label of a movement group -> its column, once joined.
    """
    label = config.label
    if config.all_of is not None:
        parts = [group_column(part, raw, fields, edges, movement) for part in config.all_of]
        # A row without one of the parts has no intersection.
        some = F.lit(True)
        for part in parts:
            some = some & part.value.isNotNull()
        return GroupColumn(label, F.when(some, F.concat_ws(SEPARATOR, *(part.value for part in parts))))
    if config.movement is not None:
        return GroupColumn(label, movement[label], ("inside", "outside"))
    assert config.column is not None
    field = fields[config.column]
    cuts = config.edges if config.edges is not None else edges.get(label)
    if cuts is None:
        return GroupColumn(label, text_of(field, raw[config.column]))
    if not numbers.is_number_type(field.type):
        raise InputError(
            f"column '{field.name}' is of type {field.type.simpleString()} and cannot be cut at edges",
            "cut a numeric column",
        )
    return GroupColumn(
        label, cut(numbers.value(field, raw[config.column]), cuts), tuple(interval_names(cuts))
    )
