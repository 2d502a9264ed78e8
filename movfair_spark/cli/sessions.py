"""Which Spark session a command works in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from movfair_spark.cli.interrupt import Interruptible, in_own_thread
from movfair_spark.errors import ConfigurationError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def submitted() -> bool:
    """Whether ``spark-submit`` has started the JVM already."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def active() -> SparkSession | None:
    """Find the session that this process has already (a notebook, a Databricks cluster, a test)."""
    import sys

    if "pyspark" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession()


@contextmanager
def opened(
    interruptible: Interruptible, *, cores: str = "*", memory: str = "4g", settings: Sequence[str] = ()
) -> Iterator[SparkSession]:
    """Give the active session, the one of ``spark-submit``, or a local one of our own, which ends with the block.

    Raises
    ------
    EnvironmentProblem
        No usable Java, missing jars, or a static setting that is missing under ``spark-submit``.
    ConfigurationError
        A Spark setting is no ``key=value``.
    """
    from movfair_spark.session.cancel import cancel_jobs
    from movfair_spark.session.spark import local_session
    from movfair_spark.session.static import submitted_session

    extra = dict(_pair(text) for text in settings)
    existing = active()
    if existing is not None:
        interruptible.cancel = lambda: cancel_jobs(existing)
        interruptible.arm()
        yield existing
        return
    spark = submitted_session() if submitted() else local_session(cores=cores, memory=memory, settings=extra)
    interruptible.cancel = lambda: cancel_jobs(spark)
    interruptible.arm()
    try:
        yield spark
    finally:
        if interruptible.number is None:
            spark.stop()
        else:
            in_own_thread(spark.stop)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.startswith("spark."):
        raise ConfigurationError(
            f"--spark {text} is no Spark setting", "write for example --spark spark.local.dir=/data"
        )
    return key, value
