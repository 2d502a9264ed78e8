"""Small tables of stops for tests of the steps after stop detection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HOUR = 3_600_000_000


def micros(text: str) -> int:
    """Microseconds since the epoch of a UTC time."""
    return (datetime.fromisoformat(text).replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)


def stops_frame(spark: SparkSession, rows: Iterable[Sequence], uid_type: str = "bigint") -> DataFrame:
    """Table ``stops`` from (uid, stop_id, arrive, leave, x, y), times in microseconds."""
    frame = spark.createDataFrame(
        [tuple(row) for row in rows],
        f"uid {uid_type}, stop_id int, arrive bigint, leave bigint, x double, y double",
    )
    return frame.select(
        "uid",
        "stop_id",
        F.timestamp_micros("arrive").alias("arrive"),
        F.timestamp_micros("leave").alias("leave"),
        "x",
        "y",
        F.lit(1).alias("n_points"),
    )
