"""Tables of the Patterns-of-Life simulator: the agents' state per step, and their check-ins.

Every line of an AgentStateTable ends with one extra tab, only the first file has the header, and a null nested
object prints as one ``null``, so that later fields move: the first four fields are read by position. Times are
local simulated times; coordinates are metres of EPSG:26916 on all maps that the simulator ships.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import EmptyTableError, InputError
from movfair_spark.readers.csv import open_csv
from movfair_spark.readers.files import first_lines, list_files, name_of
from movfair_spark.readers.source import Field, Source
from movfair_spark.session.filesystem import FileSystem

CRS = "EPSG:26916"
STATE_HEADER = "step\tsimulationTime\tlocation\tagentId"
CHECKIN_HEADER = "UserId\tCheckinTime\tVenueId\tVenueType\tX\tY"
_FIELDS = ("step", "simulationTime", "location", "agentId")
_ROWS_CHECKED = 1000


def open_pol(spark: SparkSession, paths: Sequence[str]) -> Source:
    """Open AgentStateTable files, or Checkin.tsv (told apart by the first line).

    Raises
    ------
    InputError
        No file of either table.
    """
    system = FileSystem(spark)
    given = [system.qualify(path) for path in paths]
    files = list_files(spark, given)
    first = next(file for file in files if file.size)
    lines = [line for line in first_lines(spark, first) if line.strip()]
    if not lines:
        raise EmptyTableError(
            f"{name_of(first.path)} has no rows, only blank lines", "check how it was written"
        )
    if lines[0].startswith(CHECKIN_HEADER):
        return _with_crs(open_csv(spark, paths, separator="\t"))
    headed = lines[0].startswith(STATE_HEADER)
    rows = lines[1:_ROWS_CHECKED] if headed else lines[:_ROWS_CHECKED]
    # Only fields 0-3 have a fixed place, so only they can tell whether this is such a table.
    if not headed and not any(len(line.split("\t")) >= len(_FIELDS) for line in rows):
        raise InputError(
            f"{name_of(first.path)} is no table of the Patterns-of-Life simulator (tab separated, "
            f"{', '.join(_FIELDS)} first)",
            "set format: csv",
        )
    if headed and not rows and len(files) == 1:
        raise EmptyTableError(f"{name_of(first.path)} has a header and no rows", "check how it was written")
    # The table prints a missing value as the text null; NA and None are values (and could be ids).
    fields = {
        name: Field(name, F.expr(f"nullif(get(_row, {i}), 'null')"), T.StringType())
        for i, name in enumerate(_FIELDS)
    }
    return Source(
        label=", ".join(name_of(path) for path in given),
        base=spark.read.schema("value string").text(list(given)),
        fields=fields,
        prepare=lambda frame: frame.withColumn("_row", F.split("value", "\t", 5)),
        skip=F.col("value").startswith("step\t") | (F.trim(F.col("value")) == ""),
        ragged=F.size("_row") < 4,
        files=tuple(file.path for file in files),
        unit="line",
        text=True,
        crs=CoordinateSystem.parse(CRS),
        geometry="location",
    )


def _with_crs(source: Source) -> Source:
    return replace(source, crs=CoordinateSystem.parse(CRS))
