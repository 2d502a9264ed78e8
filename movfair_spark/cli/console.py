"""Progress on stderr: one line per step with rows and seconds, and a bar for long steps on a terminal."""

from __future__ import annotations

import sys
from typing import TextIO

from rich.console import Console as RichConsole
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from movfair_spark.runs.step import Finished


class Console:
    """Observer of a run, and the progress hook of long steps.

    Parameters
    ----------
    stream : TextIO, optional
        By default the process's stderr as it is now.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        if self._stream.isatty():
            self._bar = Progress(
                TextColumn("{task.description:<10}"),
                BarColumn(),
                TextColumn("{task.fields[note]}"),
                TimeElapsedColumn(),
                console=RichConsole(file=self._stream),
                transient=True,
            )

    def line(self, text: str) -> None:
        """Write one line."""
        print(text, file=self._stream, flush=True)

    def started(self, step: str) -> None:
        """Show a bar that waits for the first figures."""
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task(step, total=None, note="")

    def __call__(self, step: str, done: int, total: int, note: str = "") -> None:
        """Move the bar."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=step, completed=done, total=total, note=note)

    def finished(self, step: Finished) -> None:
        """Replace the bar by one line."""
        self.close()
        rows = ", ".join(f"{count:,} {name}" for name, count in step.rows.items())
        took = "found finished" if step.reused else f"{step.seconds:.1f} s"
        self.line(f"{step.name:<10} {took:>14}  {rows}".rstrip())

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None and self._task is not None:
            self._bar.stop()
            self._bar.remove_task(self._task)
            self._task = None
