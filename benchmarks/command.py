"""The command ``movfair`` as a user runs it, measured from outside: its steps with memory, shuffle and disk."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import events
from benchmarks.harness import ROOT, Usage

_CODE = "import sys; from movfair_spark.cli.main import main; sys.exit(main())"


@dataclass(frozen=True)
class StepUse:
    """What one step took: seconds of its own clock, rows written, peak of all processes, bytes shuffled and spilled."""

    name: str
    seconds: float
    rows: dict[str, int]
    peak_gib: float
    shuffled_bytes: int
    spilled_bytes: int


@dataclass(frozen=True)
class Measured:
    """One run of the command: the process as a whole, its steps, and the most disk that it held at once."""

    usage: Usage
    steps: list[StepUse]
    disk_bytes: int
    manifest: dict[str, Any]

    @property
    def seconds(self) -> float:
        """Seconds of all steps together, without the start of the session."""
        return sum(step.seconds for step in self.steps)

    @property
    def text(self) -> str:
        """The steps and the process in words."""
        return f"{', '.join(f'{step.name} {step.seconds:.1f} s' for step in self.steps)}; {self.usage.text}"


class Disk:
    """Largest total size of some folders while a block runs, looked at every second."""

    def __init__(self, *folders: Path) -> None:
        self.folders, self.peak_bytes = folders, 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self._stop.wait(1.0):
            self.peak_bytes = max(self.peak_bytes, sum(size(folder) for folder in self.folders))

    def __enter__(self) -> Disk:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.peak_bytes = max(self.peak_bytes, sum(size(folder) for folder in self.folders))


def size(folder: Path) -> int:
    """Bytes of all files below a folder; files that vanish meanwhile do not count."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(here, name)).st_size
            except OSError:
                continue
    return total


def simulate(output: Path, *arguments: str) -> None:
    """Write a city with ``movfair simulate``."""
    command = [sys.executable, "-c", _CODE, "simulate", "--output", str(output), *arguments]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def audit(folder: Path, *arguments: str, memory: str = "4g") -> Measured:
    """Run ``movfair audit --output folder/run`` in local mode; arguments may name further options.

    Raises
    ------
    RuntimeError
        The command failed; its messages are quoted.
    """
    log, local, run = folder / "events", folder / "local", folder / "run"
    for item in (log, local):
        shutil.rmtree(item, ignore_errors=True)
        item.mkdir(parents=True)
    settings = {**events.SETTINGS, "spark.eventLog.dir": log.as_uri(), "spark.local.dir": str(local)}
    command = [sys.executable, "-c", _CODE, "audit", "--output", str(run), "--memory", memory, *arguments]
    command += [word for key, value in settings.items() for word in ("--spark", f"{key}={value}")]
    ends: dict[str, float] = {}
    lines: list[str] = []
    with Usage() as usage, Disk(local, run) as disk:
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stderr is not None
            for line in process.stderr:
                lines.append(line)
                ends.setdefault(line.split(" ")[0], time.monotonic())
        if process.returncode != 0:
            raise RuntimeError(f"movfair audit failed: {''.join(lines)}")
    manifest = json.loads((run / "manifest.json").read_text())
    return Measured(usage, steps_of(manifest, ends, usage, log), disk.peak_bytes, manifest)


def steps_of(manifest: dict[str, Any], ends: dict[str, float], usage: Usage, log: Path) -> list[StepUse]:
    """Give the steps that were done in this run: each lasts from its end (its line on stderr) back by its seconds."""
    # Both clocks at one moment: event logs count from the epoch.
    epoch = time.time() - time.monotonic()
    done = list(events.tasks(events.events(log)))
    found = []
    for step in manifest["steps"]:
        if step["reused"]:
            continue
        end = ends[step["step"]]
        begin = end - step["seconds"]
        mine = [task for task in done if begin <= task.finished - epoch <= end]
        found.append(
            StepUse(
                step["step"],
                step["seconds"],
                step["rows"],
                usage.peak_gib(begin, end),
                sum(task.shuffled for task in mine),
                sum(task.spilled for task in mine),
            )
        )
    return found
