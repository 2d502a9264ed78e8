"""Parquet and GeoParquet: schemas come from the footers, so that no value is re-typed by a guess."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql import types as T

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import CoordinatesError, InputError, MissingColumnsError
from movfair_spark.readers.files import list_files, name_of, partition_names, spread
from movfair_spark.readers.source import Field, Source, column
from movfair_spark.session.filesystem import FileInfo, FileSystem
from movfair_spark.tables.marks import crs_of, refuse_newer, schema_in

TAIL_BYTES = 1 << 16


def open_parquet(spark: SparkSession, paths: Sequence[str]) -> Source:
    """Open Parquet or GeoParquet files.

    Nanosecond timestamps, which Spark refuses, are read as longs; columns named by folders (``uid=007/``) stay
    text; a file that says that it is GeoParquet brings its geometry column and its reference system, and a table of
    ours (``stops``, ``points``) that of its x and y.

    Raises
    ------
    InputError
        A file is no whole Parquet file, has no rows at all, or has other types than the first one; or the files are
        a table of ours that a later version wrote.
    """
    system = FileSystem(spark)
    given = [system.qualify(path) for path in paths]
    files = list_files(spark, given)
    label = ", ".join(name_of(path) for path in given)
    footers = {file.path: read_footer(system, file) for file in spread(files)}
    if len(footers) == len(files) and all(footer.num_rows == 0 for footer in footers.values()):
        raise InputError(f"{label} has no rows", "check how it was written")
    first = next((path for path, footer in footers.items() if footer.num_rows), files[0].path)
    fields = _fields(footers[first])
    for path, footer in footers.items():
        _same_types(fields, _fields(footer), name_of(first), name_of(path))
    schema = T.StructType([T.StructField(field.name, field.type) for field in fields.values()])
    for name in partition_names(given, files):
        fields[name] = Field(name, column(name), T.StringType())
        schema.add(name, T.StringType())
    geometry, crs = _geo(footers[first], name_of(first))
    marked = schema_in(footers[first].metadata)
    if marked is not None:
        refuse_newer(marked, label)
        crs = crs or _named_crs(marked)
    return Source(
        label=label,
        base=spark.read.schema(_without_twins(schema)).parquet(*given),
        fields=fields,
        files=tuple(file.path for file in files),
        crs=crs,
        geometry=geometry,
    )


def _without_twins(schema: T.StructType) -> T.StructType:
    """Drop names that differ from another only by case: a read schema may not hold them.

    One that is needed was refused before (see readers.columns).
    """
    kept = {item.name.lower(): item for item in reversed(schema.fields)}
    return T.StructType(list(kept.values()))


def read_footer(system: FileSystem, file: FileInfo) -> pq.FileMetaData:
    """Read the footer of one Parquet file from its last bytes, on any file system.

    Raises
    ------
    InputError
        The file is cut off, or no Parquet file.
    """
    damaged = InputError(
        f"{name_of(file.path)} is no whole Parquet file ({file.size} bytes)", "copy or write the file again"
    )
    if file.size < 12:
        raise damaged
    tail = system.read_bytes(file.path, max(0, file.size - TAIL_BYTES), min(TAIL_BYTES, file.size))
    if tail[-4:] != b"PAR1":
        raise damaged
    length = struct.unpack("<I", tail[-8:-4])[0] + 8
    if length > file.size:
        raise damaged
    if length > len(tail):
        tail = system.read_bytes(file.path, file.size - length, length)
    try:
        return pq.read_metadata(io.BytesIO(b"PAR1" + tail[-length:]))
    except (pa.ArrowInvalid, OSError):
        raise damaged from None


def _fields(footer: pq.FileMetaData) -> dict[str, Field]:
    """Top-level columns of a file with the Spark types that hold their values exactly; others are left out."""
    schema = footer.schema
    found = {}
    for i in range(len(schema)):
        leaf = schema.column(i)
        if leaf.path != leaf.name or leaf.max_repetition_level:
            continue  # a part of a struct, list or map
        kind, nanos = _spark_type(leaf)
        if kind is not None:
            found[leaf.name] = Field(leaf.name, column(leaf.name), kind, nanos)
    return found


_PHYSICAL: dict[str, T.DataType] = {
    "BOOLEAN": T.BooleanType(),
    "INT32": T.IntegerType(),
    "INT64": T.LongType(),
    "INT96": T.TimestampType(),
    "FLOAT": T.FloatType(),
    "DOUBLE": T.DoubleType(),
    "BYTE_ARRAY": T.BinaryType(),
}


def _spark_type(leaf: Any) -> tuple[T.DataType | None, str | None]:
    logical = json.loads(leaf.logical_type.to_json())
    kind = logical.get("Type")
    if kind == "Timestamp":
        utc, unit = logical["isAdjustedToUTC"], logical["timeUnit"]
        if unit == "nanoseconds":
            return T.LongType(), "utc" if utc else "naive"
        return (T.TimestampType() if utc else T.TimestampNTZType()), None
    if kind in ("String", "Enum", "JSON"):
        return T.StringType(), None
    if kind == "Date":
        return T.DateType(), None
    if kind == "Decimal":
        return T.DecimalType(logical["precision"], logical["scale"]), None
    if kind == "Int":
        width, signed = logical["bitWidth"], logical["isSigned"]
        sizes = {8: T.ByteType(), 16: T.ShortType(), 32: T.IntegerType(), 64: T.LongType()}
        unsigned = {8: T.ShortType(), 16: T.IntegerType(), 32: T.LongType(), 64: T.DecimalType(20, 0)}
        return (sizes if signed else unsigned)[width], None
    return (_PHYSICAL.get(leaf.physical_type) if kind in (None, "None", "Undefined") else None), None


def _same_types(fields: dict[str, Field], other: dict[str, Field], first: str, path: str) -> None:
    for name in fields.keys() & other.keys():
        mine, theirs = fields[name], other[name]
        if (mine.type, mine.nanos) != (theirs.type, theirs.nanos):
            raise InputError(
                f"{path}: column '{name}' is {theirs.type.simpleString()}, in {first} it is {mine.type.simpleString()}",
                "write all files with one schema, or read them one by one",
            )
    missing = sorted(fields.keys() - other.keys())
    if missing and len(missing) == len(fields):
        raise MissingColumnsError(
            f"{path} has none of the columns of {first}", "keep other tables out of the folder"
        )


def _named_crs(marked: T.StructType) -> CoordinateSystem | None:
    definition = crs_of(marked)
    return None if definition is None else CoordinateSystem.parse(definition)


def _geo(footer: pq.FileMetaData, path: str) -> tuple[str | None, CoordinateSystem | None]:
    """Geometry column and reference system of a GeoParquet file (specification 1.0: no crs key is OGC:CRS84)."""
    metadata = footer.metadata or {}
    if b"geo" not in metadata:
        return None, None
    geo = json.loads(metadata[b"geo"])
    name = geo["primary_column"]
    about = geo["columns"][name]
    if about.get("encoding") != "WKB":
        raise CoordinatesError(
            f"{path}: geometry '{name}' is encoded as {about.get('encoding')}",
            "write it with the encoding WKB",
        )
    crs = about.get("crs", "OGC:CRS84")
    return name, CoordinateSystem.parse(crs) if crs is not None else None
