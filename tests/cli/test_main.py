"""What the command says about itself, without Spark."""

from __future__ import annotations

import subprocess
import sys

import pytest

from movfair_spark import __version__
from movfair_spark.cli.main import main

COMMANDS = [
    "audit",
    "simulate",
    "stops",
    "cellsets",
    "candidates",
    "scan",
    "doctor",
    "spark-args",
    "java-home",
]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert "Usage: movfair" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{__version__}\n"


def test_it_starts_without_importing_spark() -> None:
    code = "import sys, movfair_spark.cli.main; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_spark_args_can_be_split_by_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spark-args", "--driver-memory", "3g"]) == 0
    words = capsys.readouterr().out.split()
    pairs = dict(
        word.split("=", 1) for option, word in zip(words, words[1:], strict=False) if option == "--conf"
    )
    assert pairs["spark.driver.memory"] == "3g"
    assert pairs["spark.sql.extensions"] == "org.apache.sedona.sql.SedonaSqlExtensions"
    assert pairs["spark.executorEnv.NUMBA_CACHE_DIR"]
    assert "log4j2.properties" in pairs["spark.driver.extraJavaOptions"]
    assert "sedona-spark-shaded" in words[words.index("--jars") + 1]


def test_java_home_is_one_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["java-home"]) == 0
    assert capsys.readouterr().out.count("\n") == 1
