"""Time, memory and targets of benchmarks."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.harness import Result, Usage


def test_a_target_is_met_on_its_own_side():
    assert Result("speed", 4.0, 2.0, 2.0, 2.0, "higher").met
    assert not Result("speed", 3.0, 2.0, 1.5, 2.0, "higher").met
    assert Result("time", 3.0, 2.0, 1.5, 1.5, "lower").met
    assert not Result("time", 4.0, 2.0, 2.0, 1.5, "lower").met


def test_usage_counts_the_descendants_of_this_process():
    code = "held = bytearray(300_000_000)\nfor k in range(len(held) // 4096): held[4096 * k] = 1\nimport time; time.sleep(1)"
    with Usage(interval_seconds=0.05) as usage:
        subprocess.run([sys.executable, "-c", code], check=True)
    least = min(size for _, size in usage.samples)
    assert usage.peak_gib() * 2**30 - least > 290_000_000
    assert usage.seconds > 1.0 and 0.0 < usage.cpu_seconds < usage.seconds + 1.0


def test_time_of_a_process_that_has_ended_counts():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'], timeout=1.5)"
    with Usage() as usage:
        # The grandchild's time is never handed to this process: its parent is killed.
        subprocess.run([sys.executable, "-c", code], check=False, stderr=subprocess.DEVNULL)
    assert usage.cpu_seconds > 0.7


def test_a_peak_is_that_of_its_span():
    usage = Usage()
    usage.samples = [(1.0, 2**30), (2.0, 5 * 2**30), (3.0, 2 * 2**30)]
    assert (usage.peak_gib(), usage.peak_gib(0.0, 1.5), usage.peak_gib(2.5), usage.peak_gib(9.0)) == (
        5.0,
        1.0,
        2.0,
        0.0,
    )
