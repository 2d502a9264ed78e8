"""Redirection at process level: what a child process prints goes to the log."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from movfair_spark.cli.streams import redirected
from movfair_spark.errors import OutputError

SCRIPT = """
import subprocess, sys
from pathlib import Path
from movfair_spark.cli.streams import redirected
with redirected(Path(sys.argv[1])):
    subprocess.run([sys.executable, "-c", "import sys; print('child out'); print('child err', file=sys.stderr)"])
    print("verdict")
    print("progress", file=sys.stderr)
print("after")
"""


def test_children_write_to_the_log_and_we_to_the_real_streams(tmp_path: Path) -> None:
    log = tmp_path / "folder" / "movfair.log"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(log)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "verdict\nafter\n"
    assert done.stderr == "progress\n"
    assert sorted(log.read_text().splitlines()) == ["child err", "child out"]


def test_a_log_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="Choose another"), redirected(tmp_path / "file" / "movfair.log"):
        pass
