"""The whole scan as plain Python gives the same bits as compiled (a process of its own: the switch is read at import)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from movfair_spark.config.scan import ScanConfig
from movfair_spark.kernels.worlds import order
from tests.oracle.scan import scan as oracle
from tests.stages.populations import draw, run

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import json, os, sys
from pyspark.sql import SparkSession
os.environ["PYSPARK_PYTHON"] = sys.executable
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config(
    "spark.driver.memory", "600m").config("spark.sql.shuffle.partitions", "1").config(
    "spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
from tests.stages.test_scan_without_numba import figures
print("FIGURES", json.dumps(figures(spark)))
"""


def figures(spark) -> list:
    """Null and evidence of a tiny population; doubles in hexadecimal."""
    cellsets, labels = draw(8, n=12, zonings=1, cells=3, top=3)
    found = run(spark, cellsets, labels, ScanConfig(n_simulations=9, alpha=0.6, seed=17), partitions=1)
    rows = [
        (r["cells"], r["n_cellsets"], r["members_id"], r["statistic"].hex(), r["p_value"])
        for r in found["rows"]
    ]
    return [[row["max_statistic"].hex() for row in found["null"]], [list(row) for row in rows]]


@pytest.mark.slow
def test_numba_off_gives_the_same_bits(spark):
    """DABEST #234: a seed set outside the compiled loop has no effect inside."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr[-2000:]
    plain = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("FIGURES"))[8:])
    assert plain == figures(spark)
    cellsets, labels = draw(8, n=12, zonings=1, cells=3, top=3)
    expected = oracle(cellsets, labels, order, n_simulations=9, alpha="0.6", seed=17)
    assert [row[0] for row in plain[1]] == [list(row.cells) for row in expected.evidence]
    assert len(plain[1]) > 0
