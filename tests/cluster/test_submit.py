"""spark-submit on a real cluster: the same bits as local mode, also when an executor dies."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.standalone import LIMIT_S, Cluster, free_port, get, wait_for
from tests.cluster.tables import bits, same_bits

pytestmark = pytest.mark.slow


def test_the_same_evidence_as_local_mode(
    cluster: Cluster, configuration: Path, reference: tuple[Path, str, str], tmp_path: Path
) -> None:
    process = cluster.submit("audit", "--config", str(configuration), "--output", str(tmp_path / "run"))
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, err.decode()[-3000:]
    assert bits(reference[0], "evidence.parquet")
    same_bits(reference[0], tmp_path / "run")
    assert out.decode().split("Files:")[0] == reference[1].split("Files:")[0]


def test_a_setting_that_is_missing_is_named(cluster: Cluster, configuration: Path, tmp_path: Path) -> None:
    process = cluster.submit(
        "audit",
        "--config",
        str(configuration),
        "--output",
        str(tmp_path / "run"),
        settings={"spark.sql.extensions": "", "spark.kryo.registrator": ""},
    )
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert out == b""
    assert b"the Spark setting spark.kryo.registrator is missing" in err
    assert b"spark-submit $(movfair spark-args)" in err


def _busy_executor(base: str) -> tuple[str, str] | None:
    """Application and executor with a running task and a finished task of a shuffle that is still to be read."""
    applications = get(f"{base}/applications") or []
    for application in (each["id"] for each in applications):
        root = f"{base}/applications/{application}"
        for stage in get(f"{root}/stages?status=active") or []:
            tasks = get(f"{root}/stages/{stage['stageId']}/{stage['attemptId']}/taskList?length=1000") or []
            written = {
                task["executorId"]
                for task in tasks
                if task["status"] == "SUCCESS"
                and task.get("taskMetrics", {}).get("shuffleWriteMetrics", {}).get("bytesWritten", 0) > 0
            }
            running = {task["executorId"] for task in tasks if task["status"] == "RUNNING"}
            for executor in sorted(written & running - {"driver"}):
                return application, executor
    return None


def test_a_killed_executor_changes_no_bit(
    cluster: Cluster, configuration: Path, reference: tuple[Path, str, str], tmp_path: Path
) -> None:
    page = free_port()
    process = cluster.submit(
        "audit",
        "--config",
        str(configuration),
        "--output",
        str(tmp_path / "run"),
        settings={
            "spark.ui.port": str(page),
            # Many small tasks that write a shuffle, and no second copy of what the dead executor wrote.
            "spark.sql.files.maxPartitionBytes": "100k",
            "spark.sql.files.openCostInBytes": "100k",
            "spark.shuffle.service.enabled": "false",
        },
    )
    base = f"http://127.0.0.1:{page}/api/v1"
    application, executor = wait_for("busy executor", lambda: _busy_executor(base), every=0.02)
    os.kill(cluster.executor_process(application, executor), signal.SIGKILL)
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, err.decode()[-3000:]
    again = [event for event in cluster.event_log(application) if _because_of(event, executor)]
    assert again, "no task failed or ran again"
    same_bits(reference[0], tmp_path / "run")


def _because_of(event: dict[str, Any], executor: str) -> bool:
    if event["Event"] != "SparkListenerTaskEnd":
        return False
    reason = event["Task End Reason"]
    ran_there = event["Task Info"]["Executor ID"] == executor
    if reason["Reason"] in ("ExecutorLostFailure", "Resubmitted"):
        return ran_there
    return reason["Reason"] == "FetchFailed" and json.dumps(reason).find(f'"Executor ID": "{executor}"') >= 0
