"""The checks of ``movfair doctor``: each answers one question about the environment and says what to do."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from movfair_spark.errors import MovfairError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PYTHONS = {"3.5": ((3, 11), (3, 12)), "4.0": ((3, 11), (3, 12), (3, 13))}
GB = 1024**3


@dataclass(frozen=True)
class Finding:
    """Answer of one check; ``remedy`` is empty when there is nothing to do."""

    check: str
    state: Literal["ok", "warning", "failure"]
    found: str
    remedy: str = ""


def of(check: str, question: Callable[[], Finding]) -> Finding:
    """Ask, and turn whatever goes wrong into a finding."""
    try:
        return question()
    except MovfairError as error:
        return Finding(check, "failure", error.problem, error.remedy)
    except Exception as error:  # noqa: BLE001 - a doctor must survive what it finds
        text = str(error).strip()
        first = text.splitlines()[0] if text else type(error).__name__
        return Finding(check, "failure", first, "see Spark's log, whose path stands below")


def python() -> Finding:
    """Whether this Python is one that the installed Spark supports."""
    from movfair_spark.session.versions import installed_line

    found = f"{platform.python_version()} at {sys.executable}"
    wanted = PYTHONS[installed_line().spark]
    if sys.version_info[:2] in wanted:
        return Finding("python", "ok", found)
    names = " or ".join(f"{major}.{minor}" for major, minor in wanted)
    return Finding("python", "failure", found, f"make the environment with Python {names}")


def java() -> Finding:
    """Whether there is a Java of the right version."""
    from movfair_spark.session.java import find_java

    chosen = find_java()
    return Finding("java", "ok", f"Java {chosen.major} from {chosen.source} at {chosen.home}")


def jars() -> Finding:
    """Whether Sedona's jars for the installed Spark are there."""
    from movfair_spark.session import jars as module
    from movfair_spark.session.versions import installed_line

    line = installed_line()
    return Finding("jars", "ok", ", ".join(path.name for path in module.paths(line)))


def spark(session: SparkSession) -> Finding:
    """Which Spark answers."""
    from movfair_spark.session.versions import line_of

    line_of(session.version)
    context = session.conf.get("spark.master", "?")
    return Finding("spark", "ok", f"{session.version} on {context}")


def sedona_driver(session: SparkSession) -> Finding:
    """Whether Sedona's functions are known on the driver, CRS transformation included."""
    from movfair_spark.session.static import require_static

    require_static(session)
    row = session.sql(
        "SELECT ST_X(ST_Transform(ST_Point(9.0D, 45.0D), 'EPSG:4326', 'EPSG:32632')) AS x"
    ).head()
    x = float(row[0]) if row else float("nan")
    if abs(x - 500_000.0) > 0.01:
        return Finding(
            "sedona", "failure", f"a control point is {x:.3f} instead of 500000", "replace the jars"
        )
    return Finding("sedona", "ok", "functions and coordinate systems answer on the driver")


def sedona_executors(session: SparkSession) -> Finding:
    """Whether executors know Sedona's functions too."""
    frame = session.range(0, 64, 1, 4).selectExpr("CAST(id AS double) AS d").repartition(4)
    total = frame.selectExpr("SUM(ST_X(ST_Point(d, 0.0D))) AS s").head()
    if total is None or total[0] != 2016.0:
        return Finding(
            "executors", "failure", f"sum of 0..63 is {total}", "give the jars to executors (--jars)"
        )
    return Finding("executors", "ok", "Sedona answers on executors")


def python_workers(session: SparkSession) -> Finding:
    """Whether executors run the same Python with the packages that kernels need."""
    rows = (
        session.range(0, 4, 1, 4)
        .mapInArrow(_describe_worker, "python string, problem string")
        .distinct()
        .collect()
    )
    problems = sorted({row.problem for row in rows if row.problem})
    if problems:
        return Finding(
            "workers",
            "failure",
            "; ".join(problems),
            "install the package's dependencies on the executors (--archives, PYSPARK_PYTHON) and pass --py-files",
        )
    versions = sorted({row.python for row in rows})
    if versions != [platform.python_version()]:
        return Finding(
            "workers",
            "failure",
            f"executors run Python {', '.join(versions)}, the driver {platform.python_version()}",
            "set PYSPARK_PYTHON to the same Python",
        )
    return Finding("workers", "ok", f"Python {versions[0]} with compiled kernels")


def write_access(session: SparkSession, folder: str) -> Finding:
    """Whether Spark can write, read and delete in the output folder."""
    from movfair_spark.session.filesystem import FileSystem

    files = FileSystem(session)
    root = files.qualify(folder)
    there = files.exists(root)
    probe = f"{root}/.doctor-{uuid.uuid4().hex[:8]}"
    session.range(0, 2, 1, 2).write.parquet(probe)
    count = session.read.parquet(probe).count()
    files.delete(probe)
    if not there:
        files.delete(root)
    if count != 2:
        return Finding(
            "output", "failure", f"{root}: 2 rows written, {count} read back", "choose another --output"
        )
    return Finding("output", "ok", f"{root} can be written")


def memory(session: SparkSession) -> Finding:
    """Whether heap, machine and scratch disk are large enough for a laptop's audit."""
    from movfair_spark.session.memory import driver_heap_bytes

    heap = driver_heap_bytes(session)
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    scratch = Path(session.conf.get("spark.local.dir", "/tmp") or "/tmp")
    free = shutil.disk_usage(scratch if scratch.is_dir() else "/").free
    found = (
        f"heap {heap / GB:.1f} GB of {machine / GB:.1f} GB, {free / GB:.0f} GB free for shuffles in {scratch}"
    )
    if heap < 0.9 * GB:
        return Finding(
            "memory",
            "warning",
            found,
            "give the driver more: --memory 4g, or --driver-memory under spark-submit",
        )
    if machine and heap > 0.8 * machine:
        return Finding("memory", "warning", found, "leave room for Python workers: choose a smaller --memory")
    if free < 5 * GB:
        return Finding("memory", "warning", found, "point spark.local.dir to a larger disk")
    return Finding("memory", "ok", found)


def _describe_worker(batches):  # type: ignore[no-untyped-def]
    import pyarrow

    problem = ""
    try:
        import numpy as np

        from movfair_spark.kernels.geo import haversine

        haversine(0.0, 0.0, 0.0, 1.0, 6371.0)
        np.zeros(1)
    except Exception as error:  # noqa: BLE001
        problem = f"{type(error).__name__}: {error}"
    for _ in batches:
        pass
    yield pyarrow.RecordBatch.from_pydict({"python": [platform.python_version()], "problem": [problem]})
