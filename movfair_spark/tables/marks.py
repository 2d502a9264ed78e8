"""What a table says of itself: the version of its columns, and the reference system of x and y.

The marks are metadata of the columns. Spark keeps them in the footers of Parquet files, so that they travel with the
files, whatever the folder is called.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from movfair_spark.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

SCHEMA_VERSION = 1
"""Version of the columns of all tables and of ``manifest.json``; raised when a reader of the old ones would go wrong."""

FOOTER_KEY = b"org.apache.spark.sql.parquet.row.metadata"
"""Where Spark keeps the columns' metadata in the footer of a Parquet file."""

_VERSION, _CRS = "schema_version", "crs"


def stamped(frame: DataFrame, crs: str | None = None) -> DataFrame:
    """Mark a table.

    Parameters
    ----------
    frame : DataFrame
    crs : str, optional
        Definition of the reference system of its columns x and y (``EPSG:n``, PROJJSON or ``planar``).

    Returns
    -------
    DataFrame
        The same rows; the first column carries ``schema_version``, x and y carry ``crs``.
    """
    marks: dict[str, dict[str, Any]] = {frame.columns[0]: {_VERSION: SCHEMA_VERSION}}
    if crs is not None:
        marks |= {name: {**marks.get(name, {}), _CRS: crs} for name in ("x", "y")}
    for name, mark in marks.items():
        frame = frame.withMetadata(name, {**frame.schema[name].metadata, **mark})
    return frame


def crs_of(schema: StructType) -> str | None:
    """Definition of the reference system that the columns x and y name, None when they name none."""
    found = {field.name: field.metadata.get(_CRS) for field in schema.fields}
    return found["x"] if found.get("x") is not None and found["x"] == found.get("y") else None


def refuse_newer(schema: StructType, source: str) -> None:
    """Refuse a table that a later version of the package wrote.

    Raises
    ------
    InputError
        Its ``schema_version`` is above :data:`SCHEMA_VERSION`. Tables without one come from elsewhere.
    """
    versions = [field.metadata[_VERSION] for field in schema.fields if _VERSION in field.metadata]
    if versions and max(versions) > SCHEMA_VERSION:
        raise InputError(
            f"{source} has schema_version {max(versions)}, and this movfair_spark reads up to {SCHEMA_VERSION}",
            "update movfair_spark",
        )


def schema_in(footer: Mapping[bytes, bytes] | None) -> StructType | None:
    """Columns with their metadata from the footer of a Parquet file; None when Spark did not write it."""
    from pyspark.sql.types import StructType

    text = (footer or {}).get(FOOTER_KEY)
    return StructType.fromJson(json.loads(text)) if text else None
