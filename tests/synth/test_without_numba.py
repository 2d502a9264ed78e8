"""The same city comes out of plain Python."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np

from movfair_spark.config.city import CityConfig
from movfair_spark.synth.city import build
from movfair_spark.synth.fixes import fixes
from movfair_spark.synth.outcomes import draw
from movfair_spark.synth.pattern import plant


def digest() -> str:
    """Fixes, planted people, regions and outcomes of a tiny city."""
    config = CityConfig(
        people=60, days=2, interval_seconds=1800, pattern={"people": 8}, gps={"bad_row_share": 0.05}
    )
    (hotspot,) = plant(config)
    parts = [*fixes(build(config), range(8), range(2)), hotspot.people]
    parts += [region.distances for region in hotspot.regions]
    parts.append(draw(config, np.arange(60), hotspot.people))
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


def test_the_bits_are_the_same_without_compilation():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", f"from {__name__} import digest; print(digest())"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == digest()
