"""Sensitivity and PPV of the movement paper's toy example."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from movfair_spark.evaluation.planted import retrieval

_HOTSPOT = np.arange(600)
# Name, people found, sensitivity, PPV, source.
_CASES = (
    ("300 of 600 among 1,000 found", np.r_[0:300, 1000:1700], 0.5, 0.3, "paper, appendix F"),
    ("30 of 600 alone", np.arange(30), 0.05, 1.0, "paper, appendix F"),
    ("everybody found", np.arange(100_000), 1.0, 0.006, "paper 5.3, by definition (appendix F prints 0.003)"),
)


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Known answers of the measures of retrieval."""
    for name, found, sensitivity, ppv, source in _CASES:
        ours = retrieval(_HOTSPOT, found)
        for measure, expected, value in (
            ("sensitivity", sensitivity, ours.sensitivity),
            ("PPV", ppv, ours.ppv),
        ):
            yield {
                "case": f"{name}: {measure}",
                "source": source,
                "expected": expected,
                "ours": value,
                "tolerance": 1e-12,
            }
