"""Spark's event log: bytes shuffled by moment, and wall time of stages by the description of their job."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DESCRIPTION = "spark.job.description"
#: Settings of an application whose log is read here.
SETTINGS = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}


@dataclass(frozen=True)
class Task:
    """One attempt at a task that ended: seconds since the epoch, bytes it wrote for a shuffle and spilled to disk."""

    finished: float
    shuffled: int
    spilled: int


@dataclass(frozen=True)
class Stage:
    """A stage that was run: what its job does, and seconds from its submission to its end."""

    description: str
    seconds: float


def events(folder: Path) -> list[dict[str, Any]]:
    """All events of the applications that logged into a folder."""
    files = sorted(item for item in folder.iterdir() if item.is_file() and not item.name.startswith("."))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def tasks(log: Iterable[dict[str, Any]]) -> Iterator[Task]:
    """Tasks in the order in which they ended."""
    for event in log:
        if event["Event"] == "SparkListenerTaskEnd":
            metrics = event.get("Task Metrics") or {}
            yield Task(
                event["Task Info"]["Finish Time"] / 1000.0,
                metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0),
                metrics.get("Disk Bytes Spilled", 0),
            )


def stages(log: Iterable[dict[str, Any]]) -> Iterator[Stage]:
    """Stages that were run; those that a job could skip are not in the log."""
    described: dict[int, str] = {}
    for event in log:
        if event["Event"] == "SparkListenerJobStart":
            text = (event.get("Properties") or {}).get(DESCRIPTION, "")
            for stage in event["Stage IDs"]:
                described.setdefault(stage, text)
        elif event["Event"] == "SparkListenerStageCompleted":
            info = event["Stage Info"]
            if "Completion Time" in info:
                milliseconds = info["Completion Time"] - info["Submission Time"]
                yield Stage(described.get(info["Stage ID"], ""), milliseconds / 1000.0)
