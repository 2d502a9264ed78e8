"""``make`` refuses what it cannot work with in one line, before it makes anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that set-up reads, without an environment; ``./python`` says that it is Python 3.10."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-spark4.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "python").write_text("#!/bin/sh\necho 3.10\n")
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", *words]
    # The tests themselves run under make: its variables must not reach the one that is tested.
    own = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "SPARK", "MFLAGS"))}
    return subprocess.run(
        command, cwd=folder, env=own, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(("line", "pythons"), [("3.5", "3.11 3.12"), ("4.0", "3.11 3.12 3.13")])
@pytest.mark.parametrize("python", ["./python", "no-such-python"])
def test_another_python_is_refused_in_one_line(checkout: Path, line: str, pythons: str, python: str) -> None:
    done = make(checkout, f"SPARK={line}", f"PYTHON={python}", "setup")
    assert done.returncode == 2
    told = [text for text in done.stderr.splitlines() if not text.startswith("make")]
    found = "3.10" if python == "./python" else "none"
    assert told == [
        f"movfair_spark on Spark {line} needs Python {pythons}; {python} is {found}. Try: make PYTHON=python3.11 setup"
    ]
    assert not list(checkout.glob(".venv*"))


def test_another_spark_is_refused(checkout: Path) -> None:
    done = make(checkout, "SPARK=4.1", "setup")
    assert done.returncode == 2
    assert "SPARK=4.1 is not supported: use 3.5 or 4.0" in done.stderr


def test_help_lists_every_command(checkout: Path) -> None:
    listed = {text.split()[0] for text in make(checkout, "help").stdout.splitlines()}
    assert {"setup", "audit", "test", "test-slow", "test-spark4", "known-answers", "check", "dist"} <= listed
