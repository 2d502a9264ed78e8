"""What every benchmark needs: a result with its target, time and memory of a process tree, a table, a JSON file."""

from __future__ import annotations

import json
import os
import platform
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "build" / "bench.json"


@dataclass(frozen=True)
class Result:
    """One comparison. ``ratio`` is what the target speaks of; ``better`` says in which direction."""

    name: str
    ours: float
    other: float
    ratio: float
    target: float
    better: Literal["higher", "lower"]
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether the ratio reaches the target."""
        return self.ratio >= self.target if self.better == "higher" else self.ratio <= self.target


def seconds(function: Callable[[], Any], repeats: int = 1) -> float:
    """Shortest wall time of a call over some repeats; the shortest is the least disturbed one."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def process_tree(root: int) -> list[int]:
    """Process ids of a process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, queue = [], [root]
    while queue:
        process = queue.pop()
        found.append(process)
        queue.extend(parents.get(process, []))
    return found


def pss_bytes(process: int) -> int:
    """Proportional set size of one process: shared pages count once over all; page cache does not count."""
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def command_of(process: int) -> str:
    """Name of the program that a process runs."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text().split("\0")[0].rpartition("/")[2]
    except OSError:
        return ""


def cpu_seconds(process: int) -> float:
    """CPU time of one process, without its children; 0 when it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Usage:
    """Wall time, CPU time and memory of this process and all its descendants while a block runs.

    Memory is the sum of PSS, sampled five times a second.

    Attributes
    ----------
    samples : list of (float, int)
        Moment (``time.monotonic``) and bytes of each sample.
    largest_python : int
        Bytes of the largest Python process besides this one, at its peak.
    seconds, cpu_seconds : float
        Known when the block has ended. Of a process that ends within the block, CPU time counts up to its last sample.
    """

    def __init__(self, interval_seconds: float = 0.2) -> None:
        self.interval_seconds = interval_seconds
        self.samples: list[tuple[float, int]] = []
        self.seconds = self.cpu_seconds = 0.0
        self.largest_python = 0
        self._spent: dict[int, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def _sample(self) -> None:
        while not self._stop.is_set():
            start = time.monotonic()
            self._look(start)
            self._stop.wait(max(0.0, self.interval_seconds - (time.monotonic() - start)))

    def _look(self, moment: float) -> None:
        tree = process_tree(os.getpid())
        sizes = {item: pss_bytes(item) for item in tree}
        self.samples.append((moment, sum(sizes.values())))
        for item, size in sizes.items():
            if item != os.getpid() and size > self.largest_python and "python" in command_of(item):
                self.largest_python = size
        for item in tree:
            self._spent[item] = max(self._spent.get(item, 0.0), cpu_seconds(item))

    def __enter__(self) -> Usage:
        self._before = {item: cpu_seconds(item) for item in process_tree(os.getpid())}
        self._start = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.monotonic() - self._start
        self._stop.set()
        self._thread.join()
        self._look(time.monotonic())
        self.cpu_seconds = sum(spent - self._before.get(item, 0.0) for item, spent in self._spent.items())

    def peak_gib(self, begin: float = -float("inf"), end: float = float("inf")) -> float:
        """Peak in GiB, of the whole block or between two moments."""
        return max((size for moment, size in self.samples if begin <= moment <= end), default=0) / 2**30

    @property
    def text(self) -> str:
        """What stands beside a figure."""
        return f"{self.seconds:.1f} s wall, {self.cpu_seconds:.1f} s CPU, peak {self.peak_gib():.2f} GiB"


@contextmanager
def spark_session(cores: int = 2, memory: str = "2g", **settings: str) -> Iterator[Any]:
    """Give a quiet local session that is stopped at the end, so that one benchmark does not warm up the next."""
    from movfair_spark.session.spark import local_session

    options = {"spark.ui.enabled": "false", "spark.log.level": "ERROR"}
    options |= {key.replace("__", "."): value for key, value in settings.items()}
    spark = local_session(cores=cores, memory=memory, settings=options)
    try:
        yield spark
    finally:
        spark.stop()


def machine() -> str:
    """Name the machine and the versions that figures are stated with."""
    import numba
    import numpy
    import pyspark

    model = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.machine(),
    )
    return (
        f"{os.cpu_count()} cores of {model}; Python {platform.python_version()}, numpy {numpy.__version__}, "
        f"numba {numba.__version__}, pyspark {pyspark.__version__}"
    )


def record(results: Iterable[Result]) -> None:
    """Replace rows of the same name in ``build/bench.json`` and keep the others."""
    rows = {row["name"]: row for row in json.loads(OUTPUT.read_text())} if OUTPUT.exists() else {}
    for result in results:
        rows[result.name] = {**asdict(result), "met": result.met, "machine": machine()}
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(list(rows.values()), indent=1, allow_nan=False) + "\n")


def show(results: Iterable[Result]) -> None:
    """Print both figures, their ratio and the target."""
    table = Table(title=machine())
    for name in ("benchmark", "ours", "other", "ratio", "target", "met", "note"):
        table.add_column(name, overflow="fold")
    for item in results:
        sign = ">=" if item.better == "higher" else "<="
        table.add_row(
            item.name,
            f"{item.ours:.4g}",
            f"{item.other:.4g}",
            f"{item.ratio:.4g}",
            f"{sign} {item.target:g}",
            "yes" if item.met else "NO",
            item.note,
        )
    Console().print(table)
