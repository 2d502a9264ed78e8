"""From Parquet in time order to stops, beside Spark's own shuffle and sort of the same rows.

Spark's part is ``repartition(n, uid).sortWithinPartitions(uid, ts)`` of the four columns to a no-op sink; ours is the
whole stage: the rules on the read, one shuffle, the kernel, stops written to Parquet. Both run in one session with the
same number of partitions, in turns, after a warm-up. A person with 50 million fixes passes beside it: a Python worker
holds its imports, a batch and 16 bytes per fix of the largest open window, so it must stay well below what the fixes are.

Reproduce: ``python -m benchmarks stop_stage``; alone on the machine.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.harness import ROOT, Result, Usage, spark_session
from movfair_spark.config.city import CityConfig
from movfair_spark.config.input import InputConfig
from movfair_spark.config.stops import StopsConfig
from movfair_spark.readers import read_input
from movfair_spark.stages.stops import detect_stops, split_stops
from movfair_spark.synth.simulate import points

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TARGET, TURNS, PARTITIONS = 1.6, 3, 8
LONG_TARGET = 0.5
_LONG_MINUTES = 20
"""One person moves on after every 20 minutes: windows of 1,200 fixes at a fix per second."""


def spark_alone(spark: SparkSession, path: Path) -> None:
    """Shuffle and sort, and nothing else."""
    rows = spark.read.parquet(str(path))
    in_order = rows.repartition(PARTITIONS, "uid").sortWithinPartitions("uid", "ts")
    in_order.write.format("noop").mode("overwrite").save()


def stage(spark: SparkSession, path: Path, output: Path) -> None:
    """Run the stop stage as an audit does."""
    found = read_input(spark, InputConfig(path=str(path)))
    detected = detect_stops(found.frame, StopsConfig(), found.crs, partitions=PARTITIONS)
    detected.write.mode("overwrite").parquet(str(output))


def one_long_person(spark: SparkSession, fixes: int) -> DataFrame:
    """Build the rows of one person with a fix per second, in the order of time, in a random order of files."""
    return spark.range(0, fixes, 1, 16).selectExpr(
        "1L AS uid",
        "timestamp_micros(1700000000000000 + id * 1000000) AS ts",
        f"((id div {60 * _LONG_MINUTES}) % 100 + 1) * 0.01D AS lon",
        "(id % 7) * 0.00001D AS lat",
    )


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    people, fixes = (20, 200_000) if small else (2_800, 50_000_000)
    folder = ROOT / "build" / "stop_stage"
    shutil.rmtree(folder, ignore_errors=True)
    with spark_session() as spark:
        path, output = folder / "points", folder / "stops"
        points(spark, CityConfig(people=people, row_order="time")).write.parquet(str(path))
        rows = spark.read.parquet(str(path)).count()
        best: dict[str, Usage] = {}
        for turn in range(TURNS + 1):
            for name, work in (
                ("spark", lambda: spark_alone(spark, path)),
                ("ours", lambda: stage(spark, path, output)),
            ):
                with Usage() as usage:
                    work()
                if turn and (
                    name not in best or usage.seconds < best[name].seconds
                ):  # the first one warms up
                    best[name] = usage
        ours, other = best["ours"], best["spark"]
        stops = split_stops(spark.read.parquet(str(output)))[0].count()
        yield Result(
            "stop stage against Spark's shuffle and sort (seconds)",
            ours.seconds,
            other.seconds,
            ours.seconds / other.seconds,
            TARGET,
            "lower",
            f"{rows:,} fixes in time order, {stops:,} stops; ours {ours.text}; Spark {other.text}",
        )
        one_long_person(spark, fixes).write.parquet(str(folder / "long"))
    yield long_person(folder, fixes)
    shutil.rmtree(folder)


def long_person(folder: Path, fixes: int) -> Result:
    """Find the stops of one person with all the fixes, in a session of its own."""
    with spark_session(memory="1g") as spark:
        with Usage() as usage:
            stage(spark, folder / "long", folder / "long_stops")
        stops = split_stops(spark.read.parquet(str(folder / "long_stops")))[0].count()
    worker, all_of_them = usage.largest_python / 2**30, 24 * fixes / 2**30
    return Result(
        "stop stage, one person with 50 million fixes (GiB of the largest Python worker)",
        worker,
        all_of_them,
        worker / all_of_them,
        LONG_TARGET,
        "lower",
        f"{fixes:,} fixes of one person, {stops:,} stops, against 24 bytes for each of the fixes; heap of 1 GiB, {usage.text}",
    )
