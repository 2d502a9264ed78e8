"""One worker of one core against two: wall time of the stages, from Spark's event log.

A standalone master with 1 and with 2 workers; each worker (its executor and Python process) is bound to a core of its
own, so that it has one and not a share of both, and uses the environment that this is run in. Audits follow each other in
one application: the first two warm the executors up (imports, compiled code), then the median of three of the stages'
seconds for stops, candidates and simulations. Stops come from 29 million fixes; candidates and 9,999 simulations from
20,000 people with the paper's 40 grids.

Reproduce: ``python -m benchmarks executors``; alone on the machine.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from benchmarks import command, events, evidence
from benchmarks.harness import ROOT, Result
from tests.cluster.standalone import LIMIT_S, QUICK_JVM, Cluster

TARGET, WARM_UPS, TURNS = 0.6, 2, 3
#: What the descriptions of the jobs of each part begin with.
PARTS = {"stops": ("stops",), "candidates": ("candidates",), "simulations": ("scan: worlds",)}


def stage_seconds(found: list[events.Stage], beginnings: tuple[str, ...]) -> list[float]:
    """Seconds per turn of the stages whose job's description begins with one of some texts."""
    turns: list[float] = []
    for stage in found:
        if stage.description == "turn":
            turns.append(0.0)
        elif stage.description.startswith(beginnings):
            turns[-1] += stage.seconds
    return turns


def inputs(folder: Path, small: bool) -> list[tuple[Path, tuple[str, ...]]]:
    """Write the inputs of the audits; gives each configuration and the parts that are measured with it."""
    people = 20 if small else 4_000
    options = (f"city.people={people}", "city.row_order=time", f"city.pattern.people={people // 4}")
    command.simulate(folder / "city", *(word for option in options for word in ("--set", option)))
    content = {
        "time_zone": "America/New_York",
        "input": {"path": str(folder / "city" / "points")},
        "labels": {"path": str(folder / "city" / "labels")},
        "partitions": 8,
    }
    if small:
        content["zonings"] = {"layers": [{"kind": "square", "size_m": [1_000.0], "shifts": 2}]}
        content["scan"] = {"n_simulations": 99}
    (folder / "stops.yaml").write_text(yaml.safe_dump(content))
    if small:
        return [(folder / "stops.yaml", tuple(PARTS))]
    scan = evidence.write(folder / "scan", 20_000, n_simulations=9_999)
    return [(folder / "stops.yaml", ("stops",)), (scan, ("candidates", "simulations"))]


def measured(
    cluster: Cluster, config: Path, parts: tuple[str, ...], output: Path, turns: int
) -> dict[str, list[float]]:
    """Run audits on a cluster; seconds of the stages of each part and turn.

    Raises
    ------
    RuntimeError
        The job failed; its messages are quoted.
    """
    shutil.rmtree(cluster.events)
    cluster.events.mkdir()
    until = "stops" if parts == ("stops",) else "candidates"
    arguments = ("--config", str(config), "--set", "scan.write_candidates=true", "--until", until)
    script = ROOT / "benchmarks" / "executors_job.py"
    # The driver compiles little: with two workers it has no processor to itself.
    quick = {"spark.driver.extraJavaOptions": QUICK_JVM}
    job = cluster.submit(script, str(turns), str(output), *arguments, settings=quick, installed=True)
    _, messages = job.communicate(timeout=LIMIT_S)
    if job.returncode != 0:
        raise RuntimeError(f"the audits failed: {messages.decode()}")
    found = list(events.stages(events.events(cluster.events)))
    return {part: stage_seconds(found, PARTS[part]) for part in parts}


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    folder = ROOT / "build" / "executors"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    configs = inputs(folder, small)
    seconds: dict[tuple[str, int], list[float]] = {}
    warm_ups, turns = (0, 1) if small else (WARM_UPS, TURNS)
    for workers in (1, 2):
        cluster = Cluster(folder / f"spark-{workers}", Path(sys.executable), workers=workers, bound=True)
        try:
            for config, parts in configs:
                output = folder / f"run-{workers}-{parts[0]}"
                for part, found in measured(cluster, config, parts, output, warm_ups + turns).items():
                    seconds[part, workers] = found[warm_ups:]
                shutil.rmtree(output)
        finally:
            cluster.stop()
    for part in PARTS:
        one, two = (statistics.median(seconds[part, workers]) for workers in (1, 2))
        note = "; ".join(
            f"{workers}: {', '.join(f'{item:.1f}' for item in seconds[part, workers])} s"
            for workers in (1, 2)
        )
        yield Result(
            f"executors: {part}, 2 workers against 1 (stage seconds)",
            two,
            one,
            two / one,
            TARGET,
            "lower",
            f"workers {note}",
        )
    shutil.rmtree(folder)
