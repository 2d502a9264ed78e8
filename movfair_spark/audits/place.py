"""Where an audit works: the session it was given, the DataFrame it was given, and its run folder."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Any

from movfair_spark.errors import ConfigurationError, OutputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def session_of(spark: SparkSession | None, *inputs: object) -> SparkSession:
    """Choose the session: the one given, that of a DataFrame, or the active one.

    Raises
    ------
    ConfigurationError
        There is none.
    """
    from pyspark.sql import SparkSession

    for value in inputs:
        if spark is None and hasattr(value, "sparkSession"):
            spark = value.sparkSession
    spark = spark or SparkSession.getActiveSession()
    if spark is None:
        raise ConfigurationError(
            "there is no Spark session",
            "pass spark=, or make one first (movfair_spark.session.spark.local_session)",
        )
    return spark


def run_folder(output: str | os.PathLike[str] | None, spark: SparkSession) -> str:
    """Choose the run folder; without one a temporary folder, which every executor must see.

    A temporary folder goes at the end of the process, not with the result: a table may outlive the result it was
    taken from.

    Raises
    ------
    OutputError
        No folder was named and the executors are on other machines.
    """
    if output is not None:
        return str(output)
    if not str(spark.conf.get("spark.master", "")).startswith("local"):
        raise OutputError(
            "output is missing and the executors of a cluster do not see this machine's temporary folder",
            "pass output= with a path that all of them can write",
        )
    folder = tempfile.mkdtemp(prefix="movfair-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def spark_frame(spark: SparkSession, data: Any) -> Any:
    """Turn a pandas DataFrame into one of Spark; anything else stays what it is.

    Rows go by way of Arrow: null texts stay null, and 64-bit integers beside nulls stay integers.
    """
    import pandas as pd

    if not isinstance(data, pd.DataFrame):
        return data
    import pyarrow as pa
    from pyspark.sql.pandas.types import from_arrow_schema

    table = pa.Table.from_pandas(data, preserve_index=False)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    return spark.createDataFrame(rows, from_arrow_schema(table.schema))
