"""Small results to the driver through Arrow, whatever the session's settings are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def to_arrow(frame: DataFrame) -> pa.Table:
    """Collect a DataFrame as an Arrow table.

    Ids stay what they are (pandas would turn a nullable bigint into floats), and neither
    ``spark.sql.execution.arrow.pyspark.enabled`` nor the session's time zone plays a part: pass times as
    microseconds.

    Parameters
    ----------
    frame : DataFrame
        A table that fits the driver.

    Returns
    -------
    pyarrow.Table
    """
    collect = getattr(type(frame), "toArrow", None)
    if collect is not None:  # Spark 4
        return collect(frame)
    from pyspark.sql.pandas.types import to_arrow_schema

    batches = frame._collect_as_arrow()
    return pa.Table.from_batches(
        batches, schema=batches[0].schema if batches else to_arrow_schema(frame.schema)
    )
