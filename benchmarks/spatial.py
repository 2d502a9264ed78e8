"""200 million points over 10 random partitionings: the audit of points with counts drawn per cell, on two cores.

Each world costs the occupied cells of the partitionings' common refinement, one multivariate hypergeometric draw. The other
figure is the direct way, labels permuted over people: the CPU time of one world of it on five million people, for all
people and worlds. Points are made by the scan itself, so that no disk takes part; it is read twice, for the bounding box
and for the counts. Sameness: regions and best statistic against NumPy's own counts, on fewer points.

Reproduce: ``python -m benchmarks spatial``; alone on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness import Result, Usage, spark_session
from movfair_spark.audits.spatial import Spatial, spatial
from movfair_spark.kernels.spatial.partitionings import cells_of, random_splits, regular
from movfair_spark.kernels.spatial.worlds import permuted
from movfair_spark.models.bernoulli import statistics

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TARGET, SIDE, WORLDS = 10.0, 1 << 20, 999
REGIONS = {"kind": "random", "count": 10, "least": 10, "most": 40, "seed": 3}


def points(spark: SparkSession, n: int) -> DataFrame:
    """Points in a square, 60 % of them positive, but 55 % in a part of it."""
    place = spark.range(0, n, 1, 64).selectExpr(
        f"CAST(xxhash64(id, 1) & {SIDE - 1} AS double) AS x",
        f"CAST(xxhash64(id, 2) & {SIDE - 1} AS double) AS y",
        "(xxhash64(id, 3) & 1048575) / 1048576D AS u",
    )
    rate = f"IF(x < {SIDE // 8} AND y < {SIDE // 8}, 0.55D, 0.6D)"
    return place.selectExpr("x", "y", f"CAST(u < {rate} AS int) AS outcome")


def configuration(draw: str) -> dict[str, Any]:
    """One configuration for all sizes."""
    return {
        "input": {"crs": "planar", "columns": {"x": "x", "y": "y", "outcome": "outcome"}},
        "regions": [REGIONS],
        "scan": {"n_simulations": WORLDS, "draw": draw},
    }


def direct_seconds(n: int) -> float:
    """CPU time of one world in which the labels of n people are permuted and counted per cell."""
    cells = (np.arange(n, dtype=np.int64) * 7_919 % 10_000).astype(np.int32)
    permuted(1, 0, cells[:1_000], 600, 10_000)  # compile
    start = time.process_time()
    permuted(1, 0, cells, round(0.6 * n), 10_000)
    return time.process_time() - start


def expected(rows: DataFrame) -> tuple[int, float]:
    """Occupied cells and the best statistic, from NumPy's counts."""
    table = rows.toPandas()
    x, y, outcome = (table[name].to_numpy() for name in ("x", "y", "outcome"))
    box, cells, best = (x.min(), y.min(), x.max(), y.max()), 0, 0.0
    for columns, lines in random_splits(REGIONS["count"], REGIONS["seed"]):  # type: ignore[arg-type]
        found = cells_of(x, y, regular(box, columns, lines))
        n = np.bincount(found)
        p = np.bincount(found, weights=outcome).astype(np.int64)[n > 0]
        cells += int((n > 0).sum())
        best = max(best, float(statistics(n[n > 0], p, len(x), int(outcome.sum())).max()))
    return cells, best


def same(spark: SparkSession, n: int) -> Result:
    """Compare an audit with NumPy's counts."""
    rows = points(spark, n)
    found = _figures(spatial(rows, configuration("counts"), spark=spark))
    equal = [found["regions"], found["statistic"]] == list(expected(rows))
    return Result(
        "points: same regions and best statistic as NumPy",
        equal,
        1,
        float(equal),
        1.0,
        "higher",
        f"{n:,} points",
    )


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    n, sample = (200_000, 20_000) if small else (200_000_000, 5_000_000)
    with spark_session() as spark:
        yield same(spark, 50_000 if small else 1_000_000)
        with Usage() as usage:
            found = spatial(points(spark, n), configuration("counts"), spark=spark)
    steps = ", ".join(f"{step['step']} {step['seconds']:.0f} s" for step in found.manifest["steps"])
    other = direct_seconds(sample) * n / sample * WORLDS
    figures = _figures(found)
    yield Result(
        "points over 10 partitionings (CPU seconds)",
        usage.cpu_seconds,
        other,
        other / usage.cpu_seconds,
        TARGET,
        "higher",
        f"{figures['people']:,} points, {figures['regions']:,} regions, {WORLDS} worlds; {usage.text}; {steps}",
    )


def _figures(found: Spatial) -> Any:
    assert found.verdict is not None
    return found.verdict.data
