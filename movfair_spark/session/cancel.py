"""End what runs in a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def cancel_jobs(spark: SparkSession) -> None:
    """Cancel all jobs of the session's application."""
    spark.sparkContext.cancelAllJobs()
