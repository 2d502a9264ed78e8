"""DataFrames that a caller passes: the same fields, rules and rejects as files."""

from __future__ import annotations

from pyspark.sql import DataFrame

from movfair_spark.crs import CoordinateSystem
from movfair_spark.readers.source import Field, Source, column
from movfair_spark.tables.marks import crs_of, refuse_newer


def open_frame(frame: DataFrame, label: str) -> Source:
    """Take a DataFrame as an input.

    Parameters
    ----------
    frame : DataFrame
        Any; its columns are mapped like those of a file.
    label : str
        What messages call it, for example ``"points (DataFrame)"``.

    Returns
    -------
    Source
        Without files: an example of a reject then has a value but no row number.

    Raises
    ------
    InputError
        It is a table of ours that a later version wrote.
    """
    refuse_newer(frame.schema, label)
    definition = crs_of(frame.schema)
    fields = {item.name: Field(item.name, column(item.name), item.dataType) for item in frame.schema.fields}
    return Source(
        label=label,
        base=frame,
        fields=fields,
        names=tuple(frame.columns),
        crs=None if definition is None else CoordinateSystem.parse(definition),
    )
