"""Heap of the driver's JVM."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def driver_heap_bytes(spark: SparkSession) -> int:
    """Largest heap that the driver's JVM may use, in bytes."""
    return int(spark._jvm.java.lang.Runtime.getRuntime().maxMemory())  # type: ignore[union-attr]
