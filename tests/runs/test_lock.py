"""run.lock: one live driver per folder; dead and silent holders are replaced."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from movfair_spark.errors import RunLockedError
from movfair_spark.runs import lock as module
from movfair_spark.runs.lock import RunLock
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _lock(spark: SparkSession, folder: Path) -> RunLock:
    return RunLock(FileSystem(spark), f"file://{folder}", interval_s=0.2, patience_s=1.0)


def test_it_is_there_while_held_and_gone_afterwards(spark: SparkSession, tmp_path: Path) -> None:
    with _lock(spark, tmp_path):
        assert (tmp_path / "run.lock").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_live_holder_makes_a_second_driver_fail(spark: SparkSession, tmp_path: Path) -> None:
    with _lock(spark, tmp_path) as first:
        with pytest.raises(RunLockedError, match="another driver .* works in"):
            _lock(spark, tmp_path).acquire()
        first.check()


def test_it_is_taken_over_from_a_dead_process_of_this_machine_at_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    holder = {"owner": "x", "machine": module._machine(), "pid": ended.pid, "beat": 3, "patience_s": 60}
    (tmp_path / "run.lock").write_text(json.dumps(holder))
    began = time.monotonic()
    with _lock(spark, tmp_path):
        assert time.monotonic() - began < 5


def test_a_process_id_in_use_again_is_not_the_holder(spark: SparkSession, tmp_path: Path) -> None:
    import os

    holder = {
        "owner": "x",
        "machine": module._machine(),
        "pid": os.getpid(),
        "started": "1",
        "patience_s": 60,
    }
    (tmp_path / "run.lock").write_text(json.dumps(holder))
    with _lock(spark, tmp_path) as mine:
        mine.check()


def test_it_is_taken_over_from_a_silent_holder_elsewhere(spark: SparkSession, tmp_path: Path) -> None:
    holder = {"owner": "x", "machine": "another", "host": "h", "pid": 1, "beat": 3, "patience_s": 0.6}
    (tmp_path / "run.lock").write_text(json.dumps(holder))
    with _lock(spark, tmp_path) as mine:
        mine.check()


def test_a_beating_holder_elsewhere_is_alive(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    holder = {"owner": "x", "machine": "another", "host": "h7", "pid": 1, "beat": 0, "patience_s": 20}
    path.write_text(json.dumps(holder))

    def beat() -> None:
        time.sleep(0.6)
        path.write_text(json.dumps({**holder, "beat": 1}))

    thread = threading.Thread(target=beat)
    thread.start()
    with pytest.raises(RunLockedError, match="h7"):
        _lock(spark, tmp_path).acquire()
    thread.join()
    assert json.loads(path.read_text())["owner"] == "x"


def test_a_lock_cut_short_by_a_crash_is_taken_over(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "run.lock").write_text('{"owner": "x", "mach')
    with _lock(spark, tmp_path) as mine:
        mine.check()


def test_a_driver_that_slept_too_long_notices_and_leaves_the_lock(
    spark: SparkSession, tmp_path: Path
) -> None:
    with _lock(spark, tmp_path) as mine:
        (tmp_path / "run.lock").write_text(json.dumps({"owner": "other"}))
        with pytest.raises(RunLockedError, match="taken over"):
            mine.check()
    assert (tmp_path / "run.lock").exists()
