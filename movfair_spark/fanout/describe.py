"""Names for jobs, so that Spark's UI and event log tell what they do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEY = "spark.job.description"


@contextmanager
def described(spark: SparkSession, text: str) -> Iterator[None]:
    """Describe the jobs that this thread starts inside the block; the description before it comes back after.

    Parameters
    ----------
    spark : SparkSession
        The session that runs the jobs.
    text : str
        For example ``scan: worlds 0-1023, support 13 and over``. No ids or places of people.
    """
    context = spark.sparkContext
    before = context.getLocalProperty(KEY)
    context.setLocalProperty(KEY, text)
    try:
        yield
    finally:
        context.setLocalProperty(KEY, before)  # type: ignore[arg-type]
