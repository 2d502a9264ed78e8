"""The whole scan, cells and labels to evidence: published audits of one-place populations, and enumerated p-values.

Everyone has one place here (movement paper 4.6), so a zoning's candidates are its cells.
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from movfair_spark.config.scan import ScanConfig
from movfair_spark.stages.evidence import evidence
from movfair_spark.stages.null import simulate
from movfair_spark.stages.population import population
from movfair_spark.stages.prepare import prepared

LENDING = {
    (20, 20): (13_656, 11_101, 1313.125348643052, (39, 43)),
    (100, 50): (7_926, 6_671, 999.360101127834, (55, 62)),
    (25, 12): (21_725, 17_089, 1599.389178343433, (28, 30)),
}
"""Best cell's n, p and log-likelihood ratio; significant cells at 0.005 that a permutation null may give."""

SYNTHETIC = {
    "synth_fair": (29, 23, 5.331105, 0.41),
    "synth_unfair": (27, 2, 11.612090, 0.0015),
    "semisynth": (70, 26, 2.356804, 0.95),
}
"""SaTScan on 20 x 20 cells, 9,999 replicates: best cell's n, p, log-likelihood ratio, p-value."""


def grid_cells(x: np.ndarray, y: np.ndarray, k: int, rows: int) -> np.ndarray:
    """Cell of each point in a k x l partitioning of the bounding box, by comparison with the edges."""

    def interval(values: np.ndarray, parts: int) -> np.ndarray:
        low, high = values.min(), values.max()
        edges = low + np.arange(1, parts) * (high - low) / parts
        return np.searchsorted(edges, values, side="right")

    return interval(x, k) * rows + interval(y, rows)


def audit(spark: Any, cells: np.ndarray, labels: np.ndarray, config: ScanConfig) -> dict[str, Any]:
    """Scan people with one place each."""
    people = pd.DataFrame({"uid": np.arange(len(cells)), "cell": cells, "outcome": labels.astype(float)})
    frame = spark.createDataFrame(people)
    cellsets = frame.selectExpr("0 zoning_id", "uid", "array(cell) cells")
    tested = population(cellsets, frame.select("uid", "outcome"), config)
    with prepared(cellsets, tested, config) as ready:
        nulls = simulate(ready, config)
        rows = evidence(ready, nulls, config).orderBy("rank").collect()
    return {"null": nulls[None], "rows": rows}


def _case(case: str, source: str, expected: float, ours: float, tolerance: float) -> dict[str, Any]:
    return {"case": case, "source": source, "expected": expected, "ours": ours, "tolerance": tolerance}


def _enumerated(spark: Any) -> Iterator[dict[str, Any]]:
    labels = np.array([1, 1, 1, 0, 0, 0])
    found = audit(spark, np.array([0, 0, 0, 1, 1, 1]), labels, ScanConfig(alpha=0.2, seed=11))
    source = "all 20 labelings enumerated (mlxtend #718, permute #108)"
    best = found["rows"][0]
    yield _case("perfect split of 3 + 3: LLR", source, 6 * math.log(2), best["statistic"], 1e-12)
    yield _case("perfect split of 3 + 3: p", source, 0.1, best["p_value"], 4 * math.sqrt(0.1 * 0.9 / 999))


def _lending(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    with gzip.open(data / "lar" / "lar_2021.csv.gz") as file:
        table = pd.read_csv(file)
    x, y = table["lon"].to_numpy(), table["lat"].to_numpy()
    config = ScanConfig(n_simulations=1_999, alpha=0.005, seed=5)
    for (k, rows), (n, p, statistic, (low, high)) in LENDING.items():
        found = audit(spark, grid_cells(x, y, k, rows), table["approved"].to_numpy(), config)
        best, name = found["rows"][0], f"lending {k} x {rows}"
        yield _case(f"{name}: n of the best cell", "AuditSpatialFairness", n, best["n"], 0)
        yield _case(f"{name}: p of the best cell", "AuditSpatialFairness", p, best["detail"]["observed"], 0)
        yield _case(f"{name}: LLR", "AuditSpatialFairness", statistic, best["statistic"], 1e-9)
        yield _case(
            f"{name}: significant cells at 0.005", "permutation null, 1,999 worlds", (low + high) / 2,
            len(found["rows"]), (high - low) / 2,
        )  # fmt: skip


def _synthetic(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    for name, (n, p, statistic, chance) in SYNTHETIC.items():
        table = pd.read_csv(next((data / "synthetic_spatial").glob(f"{name}.*")))
        cells = grid_cells(table["lon"].to_numpy(), table["lat"].to_numpy(), 20, 20)
        found = audit(spark, cells, table["label"].to_numpy(), ScanConfig(alpha=0.99, seed=5))
        best, ours = found["rows"][0], found["null"].result.p_value
        error = 4 * math.sqrt(chance * (1 - chance) * (1 / 9_999 + 1 / 999))
        yield _case(f"{name}: n of the best cell", "SaTScan v10.3.2", n, best["n"], 0)
        yield _case(f"{name}: p of the best cell", "SaTScan v10.3.2", p, best["detail"]["observed"], 0)
        yield _case(f"{name}: LLR", "SaTScan v10.3.2", statistic, best["statistic"], 1e-6)
        yield _case(f"{name}: p-value", "SaTScan v10.3.2, 9,999 replicates", chance, ours, error)


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Known answers of the scan as a whole."""
    yield from _enumerated(spark)
    yield from _lending(data, spark)
    yield from _synthetic(data, spark)
