"""An archive of Java classes as they are after loading (class data sharing), which saves seconds of every local session.

Spark and its libraries load and verify 15,000 classes before the first row is read. The JVM maps them from the archive
instead, as long as Java and the class path are those of the archive; otherwise it leaves it alone and says nothing.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from movfair_spark.session.java import Java, find_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Java 11 has no archives made at exit.
_LEAST_JAVA = 13
_QUIET = ("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:class+path=off")


def location(java: Java, folder: Path) -> Path:
    """Where the archive of this Java and this Spark lies; ``folder`` is that of the jars."""
    import pyspark

    key = hashlib.sha256(f"{java.home} {pyspark.__file__} {pyspark.__version__}".encode()).hexdigest()[:16]
    return folder / f"classes-{key}.jsa"


def archive_options(java: Java, folder: Path) -> list[str]:
    """Java options that use the archive; none where there is no archive."""
    path = location(java, folder)
    return [f"-XX:SharedArchiveFile={path}", *_QUIET] if path.is_file() else []


def make() -> Path | None:
    """Make the archive in a session of its own, which does a little of what audits do.

    Returns
    -------
    Path or None
        None where this Java cannot make one, or where its folder cannot be written: nothing depends on it.
    """
    from movfair_spark.session import jars
    from movfair_spark.session.spark import LOCAL, local_session

    java = find_java()
    path = location(java, jars.folder())
    if java.major < _LEAST_JAVA or not os.access(jars.folder(), os.W_OK):
        return None
    path.unlink(missing_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    options = "spark.driver.extraJavaOptions"
    spark = local_session(
        cores=2,
        memory="1g",
        settings={options: f"{LOCAL[options]} -XX:ArchiveClassesAtExit={draft} {' '.join(_QUIET)}"},
    )
    with tempfile.TemporaryDirectory() as scratch:
        _work(spark, scratch)
    gateway = spark.sparkContext._gateway
    spark.stop()
    # The JVM writes the archive when it ends, and it ends when its standard input does.
    assert gateway is not None
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    if not draft.is_file():
        return None
    return draft.replace(path)


def _work(spark: SparkSession, scratch: str) -> None:
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    rows = spark.range(0, 2000, 1, 2).selectExpr(
        "id uid", "id % 7 k", "cast(id as double) x", "array(id, id + 1) cells", "timestamp_micros(id) ts"
    )
    passed = (
        rows.repartition(2, "uid")
        .sortWithinPartitions("uid")
        .mapInArrow(lambda batches: batches, rows.schema)
    )
    passed.write.parquet(f"{scratch}/rows")
    rows.selectExpr("k", "ST_Point(x, x) geometry").write.format("geoparquet").save(f"{scratch}/places")
    rows.selectExpr("k", "string(x) x").write.csv(f"{scratch}/csv", header=True)
    read = spark.read.parquet(f"{scratch}/rows")
    sums = read.groupBy("k").agg(F.sum("x").alias("total"), F.collect_list("uid").alias("all"))
    numbered = read.withColumn("rank", F.row_number().over(Window.orderBy("x")))
    numbered.join(F.broadcast(sums), "k").select("rank", F.explode("all")).toPandas()
    numbered.join(sums.hint("merge"), "k", "left").agg(F.max("rank"), F.max_by("uid", "x")).collect()
    places = spark.read.format("geoparquet").load(f"{scratch}/places")
    places.selectExpr("ST_AsBinary(ST_Buffer(geometry, 1.0)) round").collect()
    spark.read.csv(f"{scratch}/csv", header=True).distinct().count()
    read.persist().count()


if __name__ == "__main__":
    print(make() or "no archive of Java classes was made")
