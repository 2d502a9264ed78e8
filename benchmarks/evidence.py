"""From a table of stops to evidence at the paper's size: wall time and memory of everything together.

100,000 people with 4.6 million stops in ten days, 40 grids, 999 simulations, support 1. The table of stops is made by a
first run, and an audit of 500 people compiles the kernels where they are not in the cache yet; the last run, which is
measured, is a process of its own: Java and session start, cell assignment, ranking, Eclat, simulations, evidence, Parquet.
Then two more models are audited on the same people, in the same run folder: one that favours as many people as the first,
whose null is known, and one that favours fewer, whose null is not.

Reproduce: ``python -m benchmarks evidence``; alone on the machine.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from benchmarks import command
from benchmarks.harness import ROOT, Result
from benchmarks.population import places

SECONDS, GIB = 60.0, 4.0
SECOND_MODEL_SECONDS = 60.0
SMALL = 500
DAYS, RATE, RATE_INSIDE = 10, 0.6, 0.2
_DAY, _MINUTE, _FIRST = 86_400_000_000, 60_000_000, 1_717_372_800_000_000
# Place (None: one of the eight venues), begin and end in minutes of the day, share of days.
_ROUTINE = (
    (0, 0, 450, 1.0),
    (1, 510, 1020, 1.0),
    (None, 1050, 1110, 1.0),
    (None, 1120, 1160, 0.6),
    (0, 1200, 1440, 1.0),
)


def stops(n_people: int, seed: int = 5) -> pa.Table:
    """Draw stops of people between their places: about 46 each, in metres of a local system."""
    rng = np.random.Generator(np.random.Philox(seed))
    xy = places(n_people)
    parts = []
    for day in range(DAYS):
        for place, begin, end, share in _ROUTINE:
            there = np.flatnonzero(rng.random(n_people) < share)
            # The first venues are visited most often.
            chosen = 2 + (8 * rng.random(len(there)) ** 2).astype(np.int64) if place is None else place
            at = xy[there, chosen] + rng.normal(0.0, 4.0, (len(there), 2))
            arrive = _FIRST + day * _DAY + begin * _MINUTE + rng.integers(0, 5 * _MINUTE, len(there))
            parts.append((there, arrive, arrive + (end - begin - 10) * _MINUTE, at[:, 0], at[:, 1]))
    uid, arrive, leave, x, y = (np.concatenate(column) for column in zip(*parts, strict=True))
    moment = pa.timestamp("us", tz="UTC")
    columns = [pa.array(uid), pa.array(arrive, moment), pa.array(leave, moment), pa.array(x), pa.array(y)]
    return pa.table(columns, names=["uid", "arrive", "leave", "x", "y"])


def labels(n_people: int, seed: int = 6, rate: float = RATE) -> pa.Table:
    """Outcomes with a rate, and 0.2 among the people who work at one middling workplace."""
    rng = np.random.Generator(np.random.Philox(seed))
    _, at, size = np.unique(places(n_people)[:, 1], axis=0, return_inverse=True, return_counts=True)
    inside = at.ravel() == np.argmin(np.abs(size - 200))
    outcome = rng.random(n_people) < np.where(inside, RATE_INSIDE, rate)
    return pa.table(
        [pa.array(np.arange(n_people)), pa.array(outcome.astype(np.int32))], names=["uid", "outcome"]
    )


def write(folder: Path, n_people: int, n_simulations: int = 999) -> Path:
    """Write both tables and the configuration; gives the path of the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(stops(n_people), folder / "stops.parquet", row_group_size=1 << 20)
    pq.write_table(labels(n_people), folder / "labels.parquet")
    content = {
        "time_zone": "UTC",
        "input": {"path": str(folder / "stops.parquet"), "kind": "stops", "crs": "planar"},
        "labels": {"path": str(folder / "labels.parquet")},
        "scan": {"n_simulations": n_simulations},
    }
    (folder / "audit.yaml").write_text(yaml.safe_dump(content))
    return folder / "audit.yaml"


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    n_people = SMALL if small else 100_000
    folder = ROOT / "build" / "evidence"
    shutil.rmtree(folder, ignore_errors=True)
    if not small:
        first = write(folder / "first", SMALL)
        # At this level there is evidence, whatever it is, so that its kernels are compiled too.
        lenient = ("--set", "scan.alpha=0.9")
        command.audit(folder / "first", "--config", str(first), "--until", "evidence", *lenient, memory="2g")
    config = write(folder, n_people)
    command.audit(folder, "--config", str(config), "--until", "stops", memory="2g")
    found = command.audit(folder, "--config", str(config), "--until", "evidence", memory="2g")
    facts = {step["step"]: step for step in found.manifest["steps"]}
    null = facts["evidence"]["facts"]["nulls"][0]
    note = (
        f"{facts['stops']['rows']['stops']:,} stops of {n_people:,} people, {facts['null']['facts']['zonings']} zonings, "
        f"support {null['support']}, {null['memberships'] / 1e6:.0f} M memberships, "
        f"{facts['evidence']['rows']['evidence']:,} rows of evidence; {found.text}; "
        f"disk {found.disk_bytes / 1e9:.2f} GB"
    )
    spent, peak = found.usage.seconds, found.usage.peak_gib()
    yield Result("stops table to evidence (seconds)", spent, SECONDS, spent, SECONDS, "lower", note)
    yield Result(
        "stops table to evidence (GiB)", peak, GIB, peak, GIB, "lower", "sum of PSS of all processes"
    )
    yield from second_models(folder, config, n_people)
    shutil.rmtree(folder)


def second_models(folder: Path, config: Path, n_people: int) -> Iterator[Result]:
    """Measure audits of further models on the people of a run."""
    first = labels(n_people)
    shuffled = np.random.Generator(np.random.Philox(7)).permutation(first["outcome"].to_numpy())
    models = {
        "as many people favoured": first.set_column(1, "outcome", pa.array(shuffled)),
        "fewer people favoured": labels(n_people, seed=8, rate=0.5),
    }
    for name, table in models.items():
        path = folder / "second.parquet"
        pq.write_table(table, path)
        options = ("--set", f"labels.path={path}")
        found = command.audit(folder, "--config", str(config), "--until", "evidence", *options, memory="2g")
        spent = found.usage.seconds
        yield Result(
            f"a second model on the same people, {name} (seconds)",
            spent,
            SECOND_MODEL_SECONDS,
            spent,
            SECOND_MODEL_SECONDS,
            "lower",
            f"with the start of the session; {found.text}",
        )
