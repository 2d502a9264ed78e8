"""House rules that no linter knows; ``make lint`` runs them, ``tests/test_checks.py`` holds them to account."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "movfair_spark"

# Databricks Standard and Spark Connect have none of these: two layers may touch them, and no other.
DRIVER_ONLY = {"sparkContext", "_jvm", "_jsc", "_jsparkSession", "_jdf", "broadcast", "rdd"}
DRIVER_LAYERS = {"session", "fanout"}
# np.log and its kin differ between CPUs in the last bit; values that are compared or printed come from math.*.
CPU_DEPENDENT = {
    "log",
    "log2",
    "log10",
    "log1p",
    "exp",
    "expm1",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arctan2",
    "power",
}
NUMERIC_LAYERS = {"kernels", "models"}


def driver_only(source: str, layer: str) -> Iterator[tuple[int, str]]:
    """Uses of the SparkContext, the JVM or broadcasts outside the two layers that may."""
    if layer in DRIVER_LAYERS:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in DRIVER_ONLY:
            owner = ast.unparse(node.value)
            if node.attr == "broadcast" and owner in {"F", "functions", "np", "numpy"}:
                continue  # a join hint, or NumPy's
            if node.attr in {"rdd", "broadcast"} and not owner.endswith(
                ("df", "frame", "sc", "sparkContext")
            ):
                continue
            yield node.lineno, f"{owner}.{node.attr} outside session and fanout"


def cpu_dependent(source: str, layer: str) -> Iterator[tuple[int, str]]:
    """NumPy functions and powers whose last bit depends on the CPU, inside kernels and models."""
    if layer not in NUMERIC_LAYERS:
        return
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in CPU_DEPENDENT
            and ast.unparse(node.value) in {"np", "numpy"}
        ):
            yield node.lineno, f"np.{node.attr} in {layer}: use math.{node.attr} on scalars"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _constants(node):
            yield node.lineno, f"** in {layer}: write x * x"
        if isinstance(node, ast.keyword) and node.arg == "fastmath":
            yield node.value.lineno, f"fastmath in {layer}"


def _constants(node: ast.BinOp) -> bool:
    """Whether both sides are numbers: such a power is a constant, 2.0**-52."""
    sides = [side.operand if isinstance(side, ast.UnaryOp) else side for side in (node.left, node.right)]
    return all(isinstance(side, ast.Constant) for side in sides)


def aggregates(source: str, layer: str) -> Iterator[tuple[int, str]]:
    """Sedona's aggregates: some of them end the job at the first missing geometry (apache/sedona #2565)."""
    for number, line in enumerate(source.splitlines(), 1):
        if re.search(r"ST_\w+_Aggr\b", line):
            yield (
                number,
                f"an aggregate of Sedona in {layer}: collect the geometries and use ST_Union of the array",
            )


def addresses(text: str) -> Iterator[tuple[int, str]]:
    """Index addresses in a lock file: it must work with any index."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"https?://|--(extra-)?index-url|--find-links", line):
            yield number, "an address in a lock file"


def main() -> int:
    """Print every breach; 1 when there is one."""
    breaches = []
    for path in sorted(PACKAGE.rglob("*.py")):
        layer = path.relative_to(PACKAGE).parts[0]
        source = path.read_text(encoding="utf-8")
        found = [*driver_only(source, layer), *cpu_dependent(source, layer), *aggregates(source, layer)]
        for number, text in found:
            breaches.append(f"{path.relative_to(ROOT)}:{number}: {text}")
    for name in ("requirements.lock", "requirements-spark4.lock"):
        for number, text in addresses((ROOT / name).read_text(encoding="utf-8")):
            breaches.append(f"{name}:{number}: {text}")
    print("\n".join(breaches), end="\n" if breaches else "")
    return int(bool(breaches))


if __name__ == "__main__":
    sys.exit(main())
