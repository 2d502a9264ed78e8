"""An opened input: its fields and how to scan it, the same for files of any form and for DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from movfair_spark.crs import CoordinateSystem

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

# Names of the columns that a scan adds. A user's column cannot clash: only these and the roles are selected.
RAGGED, SKIP, FILE, BLOCK, POSITION = "_ragged", "_skip", "_file", "_block", "_position"


@dataclass(frozen=True)
class Field:
    """One column of the input.

    Parameters
    ----------
    name : str
        As the input calls it.
    value : Column
        Its value on the prepared scan.
    type : DataType
        Spark type of that value.
    nanos : {'utc', 'naive'} or None
        The value is a long of nanoseconds since 1970: instants, or readings of a local clock.
    """

    name: str
    value: Column
    type: DataType
    nanos: str | None = None


@dataclass(frozen=True)
class Source:
    """An input before anything is known about the meaning of its columns.

    Parameters
    ----------
    label : str
        Path or table, for messages.
    base : DataFrame
        The plain read.
    fields : mapping of str to Field
    names : tuple of str
        All names in the order of the input, twins included; the names of the fields when left out.
    prepare : callable
        Adds to the base what the expressions of the fields need.
    skip : Column or None
        True for lines that are no rows (headers, blank lines).
    ragged : Column or None
        True for rows with another number of fields than the header.
    files : tuple of str
        The files behind it; empty for a DataFrame.
    unit : {'row', 'line'}
        What a row number counts in a file.
    text : bool
        Everything is a string.
    crs : CoordinateSystem or None
        What the file itself says.
    geometry : str or None
        The field that the file declares to be its geometry.
    """

    label: str
    base: DataFrame
    fields: Mapping[str, Field]
    names: tuple[str, ...] = ()
    prepare: Callable[[DataFrame], DataFrame] = lambda frame: frame
    skip: Column | None = None
    ragged: Column | None = None
    files: tuple[str, ...] = ()
    unit: str = "row"
    text: bool = False
    crs: CoordinateSystem | None = None
    geometry: str | None = None

    @property
    def columns(self) -> list[str]:
        """Names to choose from."""
        return list(self.names or self.fields)

    def rows(self, roles: Mapping[str, str | None], *, located: bool = False) -> DataFrame:
        """Scan the fields that are needed, as raw values.

        Parameters
        ----------
        roles : mapping of str to str or None
            Role -> name of the field; the result calls it ``_role``. None: no such column.
        located : bool
            Add the file, the start of the block in it and the position of the row inside the scan, and keep
            the lines that are no rows (they count in the row number).

        Returns
        -------
        DataFrame
            ``_role`` columns, ``_ragged``; with ``located`` also ``_skip``, ``_file``, ``_block``, ``_position``.
        """
        frame = self.base
        extra = []
        if located:
            at = F.monotonically_increasing_id().alias(POSITION)
            if self.files:
                frame = frame.select(
                    "*",
                    F.col("_metadata.file_path").alias(FILE),
                    F.col("_metadata.file_block_start").alias(BLOCK),
                    at,
                )
            else:
                frame = frame.select("*", F.lit("").alias(FILE), F.lit(0).cast("long").alias(BLOCK), at)
            extra = [F.col(FILE), F.col(BLOCK), F.col(POSITION), _or_false(self.skip).alias(SKIP)]
        frame = self.prepare(frame)
        if self.skip is not None and not located:
            frame = frame.where(~_or_false(self.skip))
        columns = [
            self.fields[name].value.alias(f"_{role}") for role, name in roles.items() if name is not None
        ]
        return frame.select(*columns, _or_false(self.ragged).alias(RAGGED), *extra)


def column(name: str) -> Column:
    """Refer to a column by its exact name, whatever signs it holds."""
    return F.col("`" + name.replace("`", "``") + "`")


def _or_false(condition: Column | None) -> Column:
    return F.lit(False) if condition is None else F.coalesce(condition, F.lit(False))
