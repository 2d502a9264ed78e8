from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
from movfair_spark.kernels.parity.analysis import analyse
from movfair_spark.kernels.parity.family import Settings
from movfair_spark.kernels.parity.local import run_local
from tests.kernels.parity.samples import family
rng = np.random.default_rng(1)
small = family([rng.normal(size=12).round(1).tolist(), rng.normal(size=9).round(1).tolist(), [0.5, 1.5]])
large = family([rng.normal(size=200).tolist(), rng.normal(size=90).tolist()])
table = family([rng.normal(size=40).round().tolist(), rng.normal(size=30).round().tolist()], by_counts=True)
settings = Settings(permutations=9, pair_permutations=50, bootstrap_draws=9)
for result in analyse([small, large, table], settings, run_local):
    print(result.test)
    print(result.moments)
"""


def run(**environment: str) -> str:
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_compiled_and_plain_python_give_the_same_bits() -> None:
    """RNAlysis #218: a seed set outside the compiled loop has no effect inside."""
    assert run() == run(NUMBA_DISABLE_JIT="1")
