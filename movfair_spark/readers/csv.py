"""Separated text: read line by line, every field a string; what it means is decided (and rejected) later.

Lines are parsed by Spark's own parser, quotes as RFC 4180 has them. A header is recognised by its content, so
that it may stand in every file or only in the first; a row with another number of fields is a reject, never
filled up. Quoted line breaks are not supported: such rows are rejected as ragged.
"""

from __future__ import annotations

import csv
import operator
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.errors import EmptyTableError, InputError
from movfair_spark.readers.files import (
    HEADER_BYTES,
    first_lines,
    list_files,
    name_of,
    partition_names,
    spread,
)
from movfair_spark.readers.source import Field, Source, column
from movfair_spark.session.filesystem import FileInfo, FileSystem

SEPARATORS = ("\t", ",", ";", "|", " ")
"""What is tried, in this order, when no separator is given."""

_BAD = "_bad"
_MARK = "\ufeff"


def open_csv(
    spark: SparkSession, paths: Sequence[str], *, separator: str | None = None, header: bool = True
) -> Source:
    """Open text files of one layout.

    Parameters
    ----------
    paths : sequence of str
    separator : str, optional
        Found in the first lines when left out (see :func:`sniff`).
    header : bool
        Whether the first line of the first file names the columns. Without one they are called 0, 1, ...

    Raises
    ------
    InputError
        No rows, a header that looks like data, another header in a later file, no separator to be found.
    """
    system = FileSystem(spark)
    given = [system.qualify(path) for path in paths]
    files = list_files(spark, given)
    label = ", ".join(name_of(path) for path in given)
    first = next(file for file in files if file.size)
    lines = [line for line in first_lines(spark, first) if line.strip(_MARK).strip()]
    if not lines:
        raise EmptyTableError(
            f"{name_of(first.path)} has no rows, only blank lines", "check how it was written"
        )
    marked = lines[0].startswith(_MARK)
    lines[0] = lines[0].removeprefix(_MARK)
    separator = separator or sniff(lines[:20], name_of(first.path))
    names, width = _layout(lines, separator, header, name_of(first.path))
    if header:
        _refuse_other_headers(spark, files, first, names, separator)
        if len(lines) == 1 and sum(1 for file in files if file.size) == 1:
            raise EmptyTableError(
                f"{name_of(first.path)} has a header and no rows", "check how it was written"
            )
    fields = {name: Field(name, F.col(f"_row.c{i}"), T.StringType()) for i, name in enumerate(names) if name}
    parts = [name for name in partition_names(given, files) if name not in fields]
    fields |= {name: Field(name, column(name), T.StringType()) for name in parts}
    schema = T.StructType([T.StructField(name, T.StringType()) for name in ["value", *parts]])
    return Source(
        label=label,
        base=spark.read.schema(schema).text(list(given)),
        fields=fields,
        names=(*(name for name in names if name), *parts),
        prepare=_parser(separator, width, marked),
        skip=_no_row(names if header else None),
        ragged=F.col(f"_row.{_BAD}").isNotNull(),
        files=tuple(file.path for file in files),
        unit="line",
        text=True,
    )


def split(line: str, separator: str) -> list[str]:
    """Fields of one line."""
    if len(separator) > 1:
        return line.split(separator)
    return next(csv.reader([line], delimiter=separator), [])


def sniff(lines: Sequence[str], source: str) -> str:
    """Find the separator that splits the first line into most fields, and most other lines into as many.

    Where several do, the first of :data:`SEPARATORS`. One empty field more at the end of a line does no harm.

    Raises
    ------
    InputError
        None gives two fields or more.
    """
    best, most = "", 1
    for separator in SEPARATORS:
        first, *others = [split(line, separator) for line in lines]
        width = len(first)
        fitting = sum(len(row) == width or (len(row) == width + 1 and row[-1] == "") for row in others)
        if width > most and 2 * fitting >= len(others):
            best, most = separator, width
    if not best:
        raise InputError(
            f"{source}: no separator among tab , ; | and blank gives its first lines the same number of fields",
            "set separator, and check that the file is a table",
        )
    return best


def _layout(lines: Sequence[str], separator: str, header: bool, source: str) -> tuple[list[str], int]:
    """Names of the columns, and the number of fields that a row has."""
    fields = split(lines[0], separator)
    if not header:
        width = Counter(len(split(line, separator)) for line in lines[:1000]).most_common(1)[0][0]
        return [str(i) for i in range(width)], width
    if len(fields) == 1 and len(lines[0]) > 1:
        other = max(SEPARATORS, key=lambda sign: len(split(lines[0], sign)))
        count = len(split(lines[0], other))
        if count > 1:
            raise InputError(
                f"{source}: the separator {separator!r} gives one column, {other!r} gives {count}",
                f"set separator: {other!r}",
            )
    if _is_data(fields):
        raise InputError(f"{source}: the first line looks like data, not like a header", "set header: false")
    rows = [split(line, separator) for line in lines[1:1001]]
    trailing = bool(rows) and all(len(row) == len(fields) + 1 and row[-1] == "" for row in rows)
    return [field.strip() for field in fields], len(fields) + trailing


def _is_data(fields: Sequence[str]) -> bool:
    """Whether a line holds values, not names (which would put a person's place into messages)."""
    values = sum(_is_number(field) for field in fields)
    places = any(re.search(r"\d\.\d|POINT *Z? *\(", field, re.IGNORECASE) for field in fields)
    return places or 2 * values >= len(fields)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*[+-]?\d+([.,:/-]\d*)*\s*", text) is not None


def _refuse_other_headers(
    spark: SparkSession, files: Sequence[FileInfo], first: FileInfo, names: list[str], separator: str
) -> None:
    """Every file either repeats the header, or starts with a row; another header would move the columns."""
    for file in spread(files):
        if file == first or not file.size:
            continue
        line = next(
            (line for line in first_lines(spark, file, HEADER_BYTES) if line.strip(_MARK).strip()), ""
        )
        fields = [field.strip() for field in split(line.removeprefix(_MARK), separator)]
        common = (set(fields) & set(names)) - {""}
        if line and fields != names and (common or not any(_is_number(field) for field in fields)):
            raise InputError(
                f"{name_of(file.path)} has another header than {name_of(first.path)}",
                "give all files the same columns in the same order, or read them one by one",
            )


def _parser(separator: str, width: int, marked: bool) -> Callable[[DataFrame], DataFrame]:
    schema = ", ".join([*(f"c{i} string" for i in range(width)), f"{_BAD} string"])
    options = {
        "sep": separator,
        "quote": '"',
        "escape": '"',
        "mode": "PERMISSIVE",
        "columnNameOfCorruptRecord": _BAD,
    }

    def prepare(frame: DataFrame) -> DataFrame:
        if marked:
            frame = frame.withColumn("value", F.regexp_replace("value", f"^{_MARK}", ""))
        return frame.withColumn("_row", F.from_csv("value", schema, options))

    return prepare


def _no_row(names: list[str] | None) -> Column:
    """Blank lines and, with a header, every line that repeats it."""
    blank = F.trim(F.col("value")) == ""
    if names is None:
        return blank
    same = [F.coalesce(F.trim(F.col(f"_row.c{i}")), F.lit("")) == name for i, name in enumerate(names)]
    return blank | reduce(operator.and_, same)
