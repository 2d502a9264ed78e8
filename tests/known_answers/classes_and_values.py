"""Multinomial and Normal likelihoods: SaTScan's printed answers and values of bug reports.

Multinomial tables (counts per class) are those that SaTScan prints; the Normal values are computed from its input files
for the locations that it prints.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from movfair_spark.models import multinomial
from movfair_spark.models.normal import Normal
from tests.models import windows

SATSCAN = "SaTScan v10.3.2"

_CLASSES = {
    "satscan_maryland_multinomial": ("md_multinomial", "mdsub1500", "mdsub2500"),
    "satscan_movement_multilocation": ("mv_multi_any", "mv_multi_all"),
    "satscan_degenerate": ("m_m3",),
}
_VALUES = {
    "norm_high": ("NormalFake", "high", False),
    "norm_low": ("NormalFake", "low", False),
    "norm_both": ("NormalFake", "both", False),
    "wn1_1": ("wn1", "high", True),
    "wn1_2": ("wn1", "low", True),
    "wn2_1": ("wn2", "high", True),
    "wn2_2": ("wn2", "low", True),
}
_PEOPLE = {
    "mv_norm_high_any": "high",
    "mv_norm_both_any": "both",
    "mv_norm_high_all": "high",
    "mv_norm_both_all": "both",
}
_CLUSTER = re.compile(
    r"\n(?P<number>\d+)\.Location IDs included\.: (?P<places>.*?)\n  Coordinates(?P<rest>.*?)P-value", re.S
)


def _case(case: str, expected: float, ours: float, tolerance: float, source: str = SATSCAN) -> dict[str, Any]:
    return {"case": case, "source": source, "expected": expected, "ours": ours, "tolerance": tolerance}


def _clusters(path: Path) -> Iterator[tuple[str, set[str], str]]:
    for found in _CLUSTER.finditer(path.read_text()):
        yield found["number"], set(re.split(r",\s*", found["places"].strip())), found["rest"]


def _field(text: str, name: str) -> str:
    return re.search(rf"{re.escape(name)}\.*: (.*)", text)[1]  # type: ignore[index]


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


def _rows(path: Path) -> list[list[str]]:
    table = (line.split() for line in path.read_text().splitlines() if line.strip())
    return [row for row in table for _ in range(int(row[1]))]


def _classes(data: Path) -> Iterator[dict[str, Any]]:
    for folder, names in _CLASSES.items():
        for name in names:
            path = data / "scan" / folder / f"expected_{name}.txt"
            totals = _numbers(_field(path.read_text(), "Total cases per category"))
            for number, _, rest in _clusters(path):
                # SaTScan may join categories of equal rates: only tables of all categories are comparable as printed.
                counts = _numbers(_field(rest, "Number of cases"))
                if len(counts) == len(totals):
                    expected = float(_field(rest, "Log likelihood ratio"))
                    yield _case(
                        f"{name}: LLR of cluster {number}",
                        expected,
                        multinomial.statistic(counts, totals),
                        1e-6,
                    )


def _values(data: Path) -> Iterator[dict[str, Any]]:
    folder = data / "scan" / "satscan_normalfake_normal"
    for name, (cases_file, direction, weighted) in _VALUES.items():
        table = _rows(folder / f"{cases_file}.cas")
        weights = np.array([float(row[3]) for row in table]) if weighted else None
        model = Normal(np.array([float(row[2]) for row in table]), direction, weights)
        for number, places, rest in _clusters(folder / f"expected_{name}.txt"):
            members = [i for i, row in enumerate(table) if row[0] in places]
            expected = float(_field(rest, "Log likelihood ratio"))
            yield _case(f"{name}: LLR of cluster {number}", expected, model.statistic(members), 1e-6)


def _people(data: Path) -> Iterator[dict[str, Any]]:
    # SaTScan lists all locations of the outermost ring, also those that the window does not hold: windows are built anew.
    folder = data / "scan" / "satscan_movement_multilocation"
    cells, coordinates = windows.read_multilocation(folder)
    table = _rows(folder / "mv_n.cas")
    for name, direction in _PEOPLE.items():
        model = Normal(np.array([float(row[2]) for row in table]), direction)
        circles = windows.members(coordinates, [cells[row[0]] for row in table], every=name.endswith("all"))
        ours = max(model.statistic(who) for who in circles if len(who) > 1)
        expected = windows.expected(folder / f"expected_{name}.txt")[0]
        yield _case(f"{name}: LLR of the best window", expected, ours, 1e-6)


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Known answers of the multinomial and the Normal model."""
    yield from _classes(data)
    yield from _values(data)
    yield from _people(data)
    for name in ("small", "big"):
        table = _rows(data / "scan" / "satscan_degenerate" / f"{name}.cas")
        model = Normal(np.array([float(row[2]) for row in table]))
        ours = model.statistic([i for i, row in enumerate(table) if row[0] in "AB"])
        yield _case(f"{name}: LLR of A, B", 4.569066, ours, 1e-6, f"{SATSCAN} (loses big)")
    split = Normal(np.repeat([1.0, 0.0], 6)).statistic(range(6))
    yield _case(
        "sep: two values split perfectly", math.inf, split, 0.0, "Kulldorff et al. 2009 (SaTScan drops it)"
    )
    yield _case("const: all values equal", 0.0, Normal(np.full(8, 2.0)).statistic([0, 1]), 0.0)
    ours = multinomial.bound(5, [3, 5, 92])
    yield _case("bound(5), C = (3, 5, 92)", 19.85, ours, 0.005, "enumeration of all tables")
