"""The zip for ``--py-files``: complete with its configuration files, the same bytes each time, and the jobs use it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.make_zip import make

ROOT = Path(__file__).resolve().parents[2]
PROBE = """
import movfair_spark
from movfair_spark.config import resources
assert ".zip" in movfair_spark.__file__, movfair_spark.__file__
assert "people" in resources.read("city.yaml")
import movfair_spark.cli.main
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("dist"))


def _python(archive: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=archive.parent,
        env={**os.environ, "PYTHONPATH": str(archive)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_package_and_its_configuration_are_read_from_the_zip(archive: Path) -> None:
    done = _python(archive, "-c", PROBE)
    assert done.returncode == 0, done.stderr


def test_the_same_files_give_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    assert make(tmp_path).read_bytes() == archive.read_bytes()


@pytest.mark.parametrize("job", ["audit", "stops", "cellsets", "candidates", "scan", "simulate"])
def test_every_job_is_its_command(archive: Path, job: str) -> None:
    done = _python(archive, str(ROOT / "jobs" / f"{job}.py"), "--output", "x", "--set", "scan.alhpa=1")
    assert done.returncode == 2
    assert "Did you mean 'alpha'?" in done.stderr
    assert f"jobs/{job}.py" in (ROOT / "jobs" / f"{job}.py").read_text()
