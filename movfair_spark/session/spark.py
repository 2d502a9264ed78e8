"""The Spark session with Sedona. Only the command line and tests build one; the library takes one as argument."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session import jars
from movfair_spark.session.archive import archive_options
from movfair_spark.session.java import find_java
from movfair_spark.session.truststore import trust_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEDONA = {
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrator": "org.apache.sedona.core.serde.SedonaKryoRegistrator",
    "spark.sql.extensions": "org.apache.sedona.sql.SedonaSqlExtensions",
}

# Nothing in the package depends on these for a right answer; they make it fast and quiet.
RECOMMENDED = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "200000",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.ui.showConsoleProgress": "false",
}

# Of an audit of a minute on two cores, the JVM's optimising compiler took a fourth: now it takes only what is really hot.
# The collector works when it must, not beside the tasks.
_JVM = (
    "-XX:+UseParallelGC",
    "-XX:Tier4InvocationThreshold=30000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=60000",
    "-XX:Tier4BackEdgeThreshold=400000",
)

# What makes local mode fast. With the variable, workers of RDDs and of Arrow functions come from one daemon, not from two.
LOCAL = {
    "spark.python.daemon.module": "movfair_spark.session.daemon",
    "spark.executorEnv.SPARK_SIMPLIFIED_TRACEBACK": "1",
    "spark.driver.extraJavaOptions": " ".join(_JVM),
}


def local_session(
    *, cores: int | str = "*", memory: str = "4g", settings: Mapping[str, str] | None = None
) -> SparkSession:
    """Build a session in Spark's local mode, with Sedona loaded from local jars.

    Parameters
    ----------
    cores : int or str
        Number of task slots; ``*`` for all.
    memory : str
        Heap of the one JVM, for example ``4g``.
    settings : mapping, optional
        Further Spark settings; they win.

    Returns
    -------
    SparkSession

    Raises
    ------
    EnvironmentProblem
        No usable Java, a Spark outside the table, or missing jars.
    """
    files = jars.paths()
    java = find_java()
    os.environ["JAVA_HOME"] = str(java.home)
    # Otherwise local workers start the first python3 on PATH, which lacks the packages of an inactive venv.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local[{cores}]").appName("movfair")
    named = str(cores).split(",")[0]
    slots = int(named) if named.isdigit() else os.cpu_count() or 1
    options = {
        "spark.driver.memory": memory,
        # Spark's 200 cost more than small tables themselves; steps with large ones name their own.
        "spark.sql.shuffle.partitions": str(4 * slots),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.jars": ",".join(str(path) for path in files),
        **SEDONA,
        **RECOMMENDED,
        **LOCAL,
        **(settings or {}),
    }
    folder = Path(files[0]).parent
    extra = [*archive_options(java, folder), *trust_options(java, folder)]
    options["spark.driver.extraJavaOptions"] = " ".join([options["spark.driver.extraJavaOptions"], *extra])
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    require_sedona(session)
    return session


def require_sedona(spark: SparkSession) -> None:
    """Probe Sedona's functions on the driver.

    Raises
    ------
    EnvironmentProblem
        The session was started without Sedona's jars or extension.
    """
    try:
        spark.sql("SELECT ST_X(ST_Point(1.0, 2.0))").collect()
    except Exception as error:
        if "UNRESOLVED_ROUTINE" not in str(error) and "JavaPackage" not in str(error):
            raise
        raise EnvironmentProblem(
            "this Spark session does not know Sedona's functions (ST_Point is unresolved)",
            "start it with spark.jars, spark.sql.extensions and the Kryo settings that 'movfair spark-args' prints",
        ) from None
