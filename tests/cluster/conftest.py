"""One cluster per test session, one input, and the answer of local mode to compare with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import tiny
from tests.cluster.standalone import LIMIT_S, QUICK_JVM, Cluster, environment_without_package

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    python = environment_without_package(folder / "environment")
    started = Cluster(folder / "spark", python)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Configuration of an input of 160,000 rows, large enough for tasks that can be met running."""
    folder = tmp_path_factory.mktemp("input")
    return tiny.write(folder, people=200, days=4, fixes=100)


def movfair(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    """Start the command in local mode, as a user does."""
    code = "import sys; from movfair_spark.cli.main import main; sys.exit(main())"
    local = ["--cores", "2", "--memory", "1g", "--spark", "spark.ui.enabled=false"]
    local += ["--spark", f"spark.driver.extraJavaOptions={QUICK_JVM}"]
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments, *local],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )


@pytest.fixture(scope="session")
def reference(configuration: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Run folder, stdout and stderr of one undisturbed audit in local mode."""
    output = tmp_path_factory.mktemp("reference") / "run"
    process = movfair("audit", "--config", str(configuration), "--output", str(output))
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, err.decode()
    return output, out.decode(), err.decode()
