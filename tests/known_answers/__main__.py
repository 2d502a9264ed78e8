"""Run all known answers, print the table and write ``build/known_answers.json``.

Each module of this folder has ``cases(data, spark)``, which yields dictionaries with case, source, expected,
ours and tolerance (numbers, or lists of numbers of equal length).
"""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import tests.known_answers
from tests.conftest import ROOT, SHARED_DATA


def difference(expected: Any, ours: Any) -> float:
    """Largest absolute difference of two numbers or two lists of numbers; infinite when lengths differ."""
    if isinstance(expected, list):
        if not isinstance(ours, list) or len(expected) != len(ours):
            return math.inf
        return max((difference(a, b) for a, b in zip(expected, ours, strict=True)), default=0.0)
    if expected == ours:  # covers infinities and texts
        return 0.0
    if isinstance(expected, str) or isinstance(ours, str) or ours is None or expected is None:
        return math.inf
    return abs(expected - ours)


def rows(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """All cases of all modules, with their difference and whether it is within the tolerance."""
    for module in sorted(pkgutil.iter_modules(tests.known_answers.__path__), key=lambda item: item.name):
        if module.name.startswith("_"):
            continue
        for case in importlib.import_module(f"tests.known_answers.{module.name}").cases(data, spark):
            gap = difference(case["expected"], case["ours"])
            yield {**case, "part": module.name, "difference": gap, "ok": bool(gap <= case["tolerance"])}


def _json(value: Any) -> Any:
    # JSON has no infinite numbers: they are written as text.
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_json(item) for item in value]
    return value.item() if hasattr(value, "item") else value


def main() -> int:
    """Print the validation report; 1 when an answer is off."""
    if not SHARED_DATA.is_dir():
        print("The folder ../shared/data with known answers is not beside this checkout.", file=sys.stderr)
        return 2
    from movfair_spark.session.spark import local_session

    spark = local_session(
        cores=2, memory="3g", settings={"spark.ui.enabled": "false", "spark.log.level": "ERROR"}
    )
    found = list(rows(SHARED_DATA, spark))
    spark.stop()
    table = Table(title="Known answers")
    for name in ("part", "case", "source", "expected", "ours", "difference", "tolerance", ""):
        table.add_column(name, overflow="fold")
    for row in found:
        cells = [row["part"], row["case"], row["source"], row["expected"], row["ours"]]
        texts = [f"{cell:.12g}" if isinstance(cell, float) else str(cell) for cell in cells]
        texts += [f"{row['difference']:.2g}", f"{row['tolerance']:.2g}", "ok" if row["ok"] else "OFF"]
        table.add_row(*texts)
    Console(width=None if sys.stdout.isatty() else 180).print(table)
    output = ROOT / "build" / "known_answers.json"
    output.parent.mkdir(exist_ok=True)
    content = [{key: _json(value) for key, value in row.items()} for row in found]
    output.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    wrong = sum(not row["ok"] for row in found)
    print(f"{len(found) - wrong} of {len(found)} known answers agree; {output.relative_to(ROOT)} written")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
