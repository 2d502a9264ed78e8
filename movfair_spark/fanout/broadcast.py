"""Broadcasts that end with the work that needs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Shared(Protocol):
    """A value that every Python worker can read; ship the handle in a closure, never the value."""

    @property
    def value(self) -> Any:
        """The value; a Python worker unpickles its own copy once."""


@contextmanager
def broadcast(spark: SparkSession, value: Any) -> Iterator[Shared]:
    """Broadcast a value for the time of a ``with`` block.

    Parameters
    ----------
    spark : SparkSession
        The session whose executors read it.
    value : object
        Packed arrays or bytes; each Python worker holds its own copy, so count it once per core.

    Yields
    ------
    Shared
        The handle; all jobs that use it must have ended when the block ends.
    """
    handle = spark.sparkContext.broadcast(value)
    try:
        yield handle
    finally:
        handle.destroy()


def slots(spark: SparkSession) -> int:
    """Tasks that the cluster runs at once, as Spark sees it now (at least 1)."""
    return max(1, int(spark.sparkContext.defaultParallelism))
