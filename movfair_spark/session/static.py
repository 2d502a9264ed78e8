"""Static Spark settings: those that a job started by ``spark-submit`` cannot set any more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session import jars
from movfair_spark.session.spark import RECOMMENDED, SEDONA, require_sedona
from movfair_spark.session.versions import SparkLine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NUMBA_CACHE = "spark.executorEnv.NUMBA_CACHE_DIR"
NUMBA_CACHE_DIR = "/tmp/movfair-numba"
_HEAP = "spark.driver.memory"


def settings(*, memory: str = "4g") -> dict[str, str]:
    """List the settings that a ``spark-submit`` of a movfair job needs, besides the jars.

    Parameters
    ----------
    memory : str
        Heap of the driver.
    """
    return {_HEAP: memory, **SEDONA, **RECOMMENDED, NUMBA_CACHE: NUMBA_CACHE_DIR}


def submit_arguments(
    *, memory: str = "4g", log4j2: Path | None = None, line: SparkLine | None = None
) -> list[str]:
    """Arguments for ``spark-submit``, free of spaces so that a shell can split them.

    Parameters
    ----------
    memory : str
        Heap of the driver.
    log4j2 : Path, optional
        A log4j2 configuration for the driver's JVM.
    line : SparkLine, optional
        By default that of the installed pyspark.

    Raises
    ------
    EnvironmentProblem
        The jars are missing, or a path holds a space.
    """
    arguments = ["--jars", ",".join(str(path) for path in jars.paths(line))]
    options = settings(memory=memory)
    if log4j2 is not None:
        options["spark.driver.extraJavaOptions"] = f"-Dlog4j2.configurationFile={log4j2}"
    for key, value in options.items():
        arguments += ["--conf", f"{key}={value}"]
    spaced = [argument for argument in arguments if any(mark.isspace() for mark in argument)]
    if spaced:
        raise EnvironmentProblem(
            f"'{spaced[0]}' holds a space and cannot stand in $(movfair spark-args)",
            f"move the files to a path without spaces ({jars.FOLDER_VARIABLE} names the folder of the jars)",
        )
    return arguments


def submitted_session() -> SparkSession:
    """Give the session of a job that ``spark-submit`` has started.

    Raises
    ------
    EnvironmentProblem
        A setting that cannot be given any more is missing.
    """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("movfair")
    for key, value in RECOMMENDED.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    try:
        require_static(spark)
    except BaseException:
        spark.stop()
        raise
    return spark


def require_static(spark: SparkSession) -> None:
    """Make sure that a session made by somebody else has what cannot be set later.

    Raises
    ------
    EnvironmentProblem
        Names the first setting that is missing, its value and how to give it.
    """
    conf = dict(spark.sparkContext.getConf().getAll())
    remedy = "start the job with: spark-submit $(movfair spark-args) …, or put conf/spark-defaults.conf into $SPARK_CONF_DIR"
    for key, value in SEDONA.items():
        if value not in conf.get(key, ""):
            raise EnvironmentProblem(f"the Spark setting {key} is missing; it must be {value}", remedy)
    from_zip = ".zip" in str(Path(__file__))
    if from_zip and not conf.get("spark.master", "").startswith("local") and NUMBA_CACHE not in conf:
        raise EnvironmentProblem(
            f"the Spark setting {NUMBA_CACHE} is missing; it must name a folder that executors can write, such as "
            f"{NUMBA_CACHE_DIR} (compiled kernels are kept there, the package itself lies in a zip)",
            remedy,
        )
    try:
        require_sedona(spark)
    except EnvironmentProblem:
        raise EnvironmentProblem(
            "the Spark setting spark.jars is missing or lacks Sedona's jars: ST_Point is unresolved", remedy
        ) from None
