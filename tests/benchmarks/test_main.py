"""What `python -m benchmarks` runs when no benchmark is named."""

from __future__ import annotations

import importlib
import inspect

from benchmarks.__main__ import names


def test_every_benchmark_is_run_with_its_form_alone():
    found = names()
    assert {"evidence", "executors", "simulations", "stop_kernel", "stop_stage"} <= set(found)
    for name in found:
        run = importlib.import_module(f"benchmarks.{name}").run
        assert list(inspect.signature(run).parameters) == ["small"], name
