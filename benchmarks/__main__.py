"""Run benchmarks: ``python -m benchmarks [NAME ...] [--small]``.

Each module of this folder with a ``run(small)`` generator of results is one benchmark. Run them alone on the
machine. ``--small`` is the form that the tests run: right output, no meaning in the times.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.harness import OUTPUT, ROOT, Result, record, show


def names() -> list[str]:
    """All benchmarks, the one that runs for half an hour (``paper``) only by name."""
    found = [item.name for item in pkgutil.iter_modules(benchmarks.__path__) if item.name != "__main__"]
    return [name for name in found if hasattr(importlib.import_module(f"benchmarks.{name}"), "run")]


def main(arguments: list[str]) -> int:
    """Run the chosen benchmarks, print and record their results; 1 when a target is missed."""
    small = "--small" in arguments
    chosen = [item for item in arguments if not item.startswith("--")]
    results: list[Result] = []
    for name in chosen or [item for item in names() if item != "paper"]:
        print(f"== {name}", flush=True)
        fresh = list(importlib.import_module(f"benchmarks.{name}").run(small))
        show(fresh)
        if not small:
            record(fresh)
        results += fresh
    if not small:
        print(
            f"{sum(item.met for item in results)} of {len(results)} targets met; {OUTPUT.relative_to(ROOT)} written"
        )
    return 0 if small else int(not all(item.met for item in results))


if __name__ == "__main__":  # importing this module must run nothing
    sys.exit(main(sys.argv[1:]))
