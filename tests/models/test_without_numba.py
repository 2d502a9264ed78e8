"""NUMBA_DISABLE_JIT=1 gives the same bits as compiled code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from movfair_spark.kernels.closure import closures, members_hash
from movfair_spark.models.base import Model
from movfair_spark.models.bernoulli import Bernoulli
from movfair_spark.models.multinomial import Multinomial
from movfair_spark.models.normal import Normal
from movfair_spark.models.parts import Parts
from tests.kernels.subsets import packed, rows


def whole_scan() -> dict[str, object]:
    cellsets = [{i % 3, 3 + i % 5, 8 + (i * i) % 7} - {(i * 5) % 11} for i in range(40)]
    model = Bernoulli((np.arange(40) * 7 % 10 < 4).astype(np.uint8))
    m = packed(cellsets)
    words = model.worlds(3, range(20), observed=True)
    counter = model.counter(words, 21)
    counter.walk(m, 4)
    counter.walk(m, 2, 4)
    evidence = []
    for part in model.evidence(m, 0.5, 2):
        starts, cells = closures(m, part.candidates.starts, part.candidates.members)
        evidence.append(
            [
                [[sorted(c), who, k] for c, who, k in rows(part.candidates)],
                [value.hex() for value in part.statistic.tolist()],
                cells.tolist(),
                starts.tolist(),
                members_hash(part.candidates.starts, part.candidates.members).tolist(),
            ]
        )
    return {
        "maxima": [value.hex() for value in counter.maxima().tolist()],
        "counted": [counter.n_candidates, counter.n_memberships],
        "words": words[:, 0].tolist(),
        "bound": model.support_bound(9).hex(),
        "evidence": evidence,
        "other models": [maxima_and_bound(model) for model in other_models()],
    }


def other_models() -> list[Model]:
    """Classes, sums over parts within strata, and real values with weights and within strata, of 12 people."""
    i = np.arange(12)
    values, strata = (i * 7 % 5 + i / 8).astype(np.float64), i % 2
    return [
        Multinomial(i * 5 % 3, 3),
        Parts(i * 5 % 7 % 2, 2, part=i // 6, strata=strata),
        Parts(i * 5 % 3, 3, strata=strata, name="multinomial"),
        Normal(values, weights=1.0 + i % 3),
        Normal(values, strata=strata),
    ]


def maxima_and_bound(model: Model) -> list[str]:
    counter = model.counter(model.worlds(3, range(5), observed=True), 6)
    counter.walk(packed([{i % 3, 3 + i % 2} for i in range(12)]), 1)
    bound = model.support_bound(4) if np.isfinite(model.support_bound(4)) else 0.0
    return [float(value).hex() for value in [*counter.maxima(), bound]]


def test_compiled_and_plain_agree():
    """squidpy #1234, CellphoneDB #231 (report 2): compiled or not, the same worlds and the same maxima."""
    code = (
        "import json; from tests.models.test_without_numba import whole_scan; print(json.dumps(whole_scan()))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert json.loads(plain.stdout) == json.loads(json.dumps(whole_scan()))
