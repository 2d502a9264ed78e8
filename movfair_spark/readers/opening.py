"""From a configuration, or a DataFrame, to an opened source: which form the files have."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession

from movfair_spark.config.input import InputConfig, LabelsConfig
from movfair_spark.errors import InputError
from movfair_spark.readers.csv import open_csv
from movfair_spark.readers.files import HEADER_BYTES, first_lines, list_files, paths_of
from movfair_spark.readers.frames import open_frame
from movfair_spark.readers.parquet import open_parquet
from movfair_spark.readers.pol import CHECKIN_HEADER, STATE_HEADER, open_pol
from movfair_spark.readers.source import Source
from movfair_spark.session.filesystem import FileSystem


def open_input(spark: SparkSession, config: InputConfig | LabelsConfig, frame: DataFrame | None) -> Source:
    """Open what a configuration names, or a DataFrame in its place.

    Raises
    ------
    InputError
        No path, or files that are not of the declared form.
    """
    if frame is not None:
        return open_frame(
            frame, f"{'labels' if isinstance(config, LabelsConfig) else config.kind} (DataFrame)"
        )
    paths = paths_of(config.path, "labels" if isinstance(config, LabelsConfig) else "input")
    form = config.format if config.format != "auto" else guess_form(spark, paths)
    if form == "pol":
        return open_pol(spark, paths)
    if form == "csv":
        return open_csv(spark, paths, separator=config.separator, header=config.header)
    source = open_parquet(spark, paths)
    if form == "geoparquet" and source.geometry is None:
        raise InputError(f"{source.label} is Parquet, but not GeoParquet", "set format: parquet")
    return source


def guess_form(spark: SparkSession, paths: Sequence[str]) -> str:
    """Form of the first file that is not empty, by its first bytes: parquet, pol or csv."""
    system = FileSystem(spark)
    files = list_files(spark, [system.qualify(path) for path in paths])
    first = next(file for file in files if file.size)
    if first.path.endswith(".parquet") or system.read_bytes(first.path, 0, 4) == b"PAR1":
        return "parquet"
    start = next(iter(first_lines(spark, first, HEADER_BYTES)), "")
    return "pol" if start.startswith((STATE_HEADER, CHECKIN_HEADER)) else "csv"
