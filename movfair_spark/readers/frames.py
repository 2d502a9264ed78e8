"""DataFrames that a caller passes: the same fields, rules and rejects as files."""

from __future__ import annotations

from pyspark.sql import DataFrame

from movfair_spark.readers.source import Field, Source, column


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
    """
    fields = {item.name: Field(item.name, column(item.name), item.dataType) for item in frame.schema.fields}
    return Source(label=label, base=frame, fields=fields, names=tuple(frame.columns))
