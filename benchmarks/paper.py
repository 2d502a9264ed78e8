"""The paper's experiment at full size, from 720 million raw fixes: ``make bench-paper``.

100,000 people over ten days with a fix every two minutes are simulated to Parquet, in time order, and the whole audit
runs on them; a table of steps shows rows, seconds, peak memory of all processes, bytes shuffled and spilled. The same
with 1 % and 10 % of the people tells the marginal cost of a fix: (t100 - t10) / (n100 - n10) is at most 1.15 times
(t10 - t1) / (n10 - n1), with t the seconds of all steps (the start of the session is left out).

Reproduce: ``make bench-paper``, or some sizes alone: ``make bench-paper PERCENT="1 10"``. All sizes need about 20 GB of
free disk under ``build``.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.console import Console
from rich.table import Table

from benchmarks import command
from benchmarks.harness import ROOT, Result, machine, record, show

PEOPLE, FIXES = 100_000, 720_000_000
MINUTES, GIB, MARGINAL = 30.0, 8.0, 1.15


def measure(percent: float) -> tuple[int, command.Measured]:
    """Simulate a share of the people, audit them, print the steps; gives the fixes that were read, and the run."""
    people = round(PEOPLE * percent / 100)
    folder = ROOT / "build" / "paper"
    shutil.rmtree(folder, ignore_errors=True)
    city = folder / "city"
    pattern = max(5, min(200, people // 10))
    options = [f"city.people={people}", "city.row_order=time", f"city.pattern.people={pattern}"]
    command.simulate(city, *(word for option in options for word in ("--set", option)))
    paths = [f"input.path={city / 'points'}", f"labels.path={city / 'labels'}", "time_zone=America/New_York"]
    found = command.audit(folder, *(word for option in paths for word in ("--set", option)))
    fixes = int(found.manifest["rows"]["points"]["read"])
    Console().print(table(percent, fixes, command.size(city), found))
    shutil.rmtree(folder)
    return fixes, found


def table(percent: float, fixes: int, stored: int, found: command.Measured) -> Table:
    """Show the steps of a run."""
    title = f"{percent:g} %: {fixes:,} fixes ({stored / 1e9:.2f} GB of Parquet), {found.usage.text}, {found.seconds:.1f} s in steps"
    shown = Table(title=f"{title}, disk {found.disk_bytes / 1e9:.2f} GB beside the input\n{machine()}")
    for name in ("step", "rows", "seconds", "peak GiB", "MB shuffled", "MB spilled"):
        shown.add_column(name, justify="left" if name in ("step", "rows") else "right")
    for step in found.steps:
        rows = ", ".join(f"{count:,} {name}" for name, count in step.rows.items())
        megabytes = (f"{count / 1e6:,.1f}" for count in (step.shuffled_bytes, step.spilled_bytes))
        shown.add_row(step.name, rows, f"{step.seconds:.1f}", f"{step.peak_gib:.2f}", *megabytes)
    return shown


def marginal_ratio(points: Sequence[tuple[int, float]]) -> float:
    """Cost of a further fix between the two larger of three sizes (fixes, seconds), over that between the smaller."""
    small, large = ((t1 - t0) / (n1 - n0) for (n0, t0), (n1, t1) in pairwise(points))
    return large / small


def results(percents: Sequence[float]) -> Iterator[Result]:
    """Measure some sizes, ascending; the targets are those of 100 % and of 1, 10 and 100 % together."""
    points = []
    for percent in sorted(percents):
        fixes, found = measure(percent)
        points.append((fixes, found.seconds))
        if percent == 100:
            note = (
                f"{fixes:,} fixes; {found.usage.text}; disk {found.disk_bytes / 1e9:.1f} GB beside the input"
            )
            minutes, peak = found.usage.seconds / 60, found.usage.peak_gib()
            yield Result("paper, whole audit (minutes)", minutes, MINUTES, minutes, MINUTES, "lower", note)
            yield Result(
                "paper, whole audit (GiB)", peak, GIB, peak, GIB, "lower", "sum of PSS of all processes"
            )
    if len(points) == 3:
        ratio = marginal_ratio(points)
        note = ", ".join(f"{fixes:,} fixes {seconds:.1f} s" for fixes, seconds in points)
        yield Result("paper, marginal cost of a fix", ratio, 1.0, ratio, MARGINAL, "lower", note)


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    yield from results((0.02, 0.05) if small else (1, 10, 100))


def main(arguments: list[str]) -> int:
    """Run the sizes named in percent; 1 when a target of the whole size is missed."""
    found = list(results([float(item) for item in arguments] or [1, 10, 100]))
    show(found)
    record(found)
    return int(not all(item.met for item in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
