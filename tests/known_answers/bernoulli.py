"""Bernoulli likelihoods: SaTScan's printed answers, the published lending figures, values of bug reports.

The tables (n, p, N, P) are those that the source prints beside its statistic; the windows themselves are built in
``tests/models/test_satscan_bernoulli.py``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from movfair_spark.models.bernoulli import bound, statistic, support_bound
from movfair_spark.models.significance import critical_rank

SATSCAN = "SaTScan v10.3.2"
NOTES = "exact arithmetic, 40 digits"

_CLUSTER = re.compile(
    r"Population\.+: (?P<n>\d+)\s+Number of cases\.+: (?P<p>\d+)\s.*?Log likelihood ratio\.+: (?P<llr>[\d.]+)",
    re.S,
)
_RESULTS = {
    "satscan_nhumberside_bernoulli": {"nh_high": "high", "nh_low": "low", "nh_both": "both"},
    "satscan_movement_multilocation": {
        "mv_bern_high_any": "high",
        "mv_bern_both_any": "both",
        "mv_bern_high_all": "high",
        "mv_bern_both_all": "both",
    },
    "satscan_degenerate": {"b_b": "both"},
}
_LENDING = {
    "20 x 20": (13_656, 11_101, 1313.125348643052),
    "100 x 50": (7_926, 6_671, 999.360101127834),
    "25 x 12": (21_725, 17_089, 1599.389178343433),
}


def _case(case: str, source: str, expected: float, ours: float, tolerance: float) -> dict[str, Any]:
    return {"case": case, "source": source, "expected": expected, "ours": ours, "tolerance": tolerance}


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Known answers of the Bernoulli model."""
    for folder, results in _RESULTS.items():
        for name, direction in results.items():
            text = (data / "scan" / folder / f"expected_{name}.txt").read_text()
            total = int(re.search(r"Total population\.+: (\d+)", text)[1])  # type: ignore[index]
            cases_in_all = int(re.search(r"Total number of cases\.+: (\d+)", text)[1])  # type: ignore[index]
            for number, cluster in enumerate(_CLUSTER.finditer(text), start=1):
                n, p = int(cluster["n"]), int(cluster["p"])
                ours = statistic(n, p, total, cases_in_all, direction)
                yield _case(f"{name}: LLR of cluster {number}", SATSCAN, float(cluster["llr"]), ours, 1e-6)
    for grid, (n, p, expected) in _LENDING.items():
        ours = statistic(n, p, 206_418, 127_286)
        yield _case(f"lending, {grid}: LLR of the best cell", "AuditSpatialFairness", expected, ours, 1e-9)
    yield _case(
        "lending, 20 x 20 (published digits)",
        "Sacharidis et al. 2023, code",
        1313.1253486430214,
        statistic(13_656, 11_101, 206_418, 127_286),
        1e-9,
    )
    yield _case(
        "lending: LLR of the best square",
        "AuditSpatialFairness",
        1963.0672387208906,
        statistic(17_874, 14_719, 206_418, 127_286),
        1e-9,
    )
    for name, (n, p, expected) in {
        "synth_fair": (29, 23, 5.331105),
        "synth_unfair": (27, 2, 11.612090),
    }.items():
        yield _case(f"{name}, 20 x 20", SATSCAN, expected, statistic(n, p, 10_000, 5_000), 1e-6)
    yield _case("semisynth, 20 x 20", SATSCAN, 2.356804, statistic(70, 26, 10_000, 5_000), 1e-6)
    yield _case(
        "n·P over 2^31 (scipy #7759)", NOTES, 1539.139317, statistic(65_536, 40_000, 131_072, 70_000), 1e-6
    )
    for (n, p), expected in {
        (1, 1): 1.001489,
        (1, 0): 0.547462,
        (4, 4): 6.730117,
        (6, 0): 6.730117,
        (9, 4): 0.547462,
        (10, 4): 0.0,
    }.items():
        yield _case(
            f"N = 10, P = 4, n = {n}, p = {p} (SpatialEpi #41)", NOTES, expected, statistic(n, p, 10, 4), 1e-6
        )
    yield _case(
        "six people, perfect split (fieldtrip #2608)", NOTES, 6 * math.log(2), statistic(3, 3, 6, 3), 1e-12
    )
    yield _case("false positive parity (toolkit #29)", NOTES, 3.819085, statistic(4, 4, 6, 4), 1e-6)
    for m, expected in {5: 4.58, 10: 9.16, 12: 11.0, 14: 12.83, 16: 14.66, 20: 18.33, 25: 22.91}.items():
        yield _case(f"bound({m}), N = 100,000, rate 0.6", NOTES, expected, bound(m, 100_000, 60_000), 0.005)
    yield _case("B(5) = bound(3), N = 20, P = 3", NOTES, 8.45, support_bound(5, 20, 3), 0.005)
    yield _case("rank of alpha 0.043 in 4,999", "decimal arithmetic", 215, critical_rank(4_999, 0.043), 0)
