"""Progress on stderr: a line per step, and a bar that leaves nothing behind on a terminal."""

from __future__ import annotations

import io
import re

import pytest

from movfair_spark.cli.console import Console
from movfair_spark.runs import Finished


class Terminal(io.StringIO):
    """A stream that says that somebody looks at it."""

    def isatty(self) -> bool:
        return True


def finished(*, reused: bool = False) -> Finished:
    files = session = None
    return Finished(session, files, "stops", "k", "folder", {"stops": 1_234, "rejects": 5}, {}, 2.04, reused)


def test_a_line_per_step_with_rows_and_seconds() -> None:
    stream = io.StringIO()
    console = Console(stream)
    console.started("stops")
    console("stops", 1, 2, "half")
    console.finished(finished())
    console.finished(finished(reused=True))
    assert stream.getvalue().splitlines() == [
        "stops               2.0 s  1,234 stops, 5 rejects",
        "stops      found finished  1,234 stops, 5 rejects",
    ]


def test_a_terminal_sees_a_bar_that_gives_way_to_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    console = Console(stream)
    console.started("simulate")
    console("simulate", 512, 1_024, "p about 0.001")
    console.finished(finished())
    console.close()
    assert "p about 0.001" in stream.getvalue()
    assert re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).rstrip("\n").endswith("5 rejects")
