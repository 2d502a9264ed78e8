"""Set-up and session on a fresh machine: an empty Java home, with the system's Java and with none at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from movfair_spark.session.versions import installed_line

pytestmark = pytest.mark.slow

PROBE = """
from movfair_spark.session.spark import local_session
spark = local_session(cores=1, memory="1g", settings={"spark.ui.enabled": "false"})
print("X", spark.sql("SELECT ST_X(ST_Transform(ST_Point(-84.37, 33.75), 'EPSG:4326', 'EPSG:26916'))").first()[0])
spark.stop()
"""


@pytest.fixture(params=["system", "none"])
def machine(request, tmp_path):
    """Environment variables of a new user: empty homes, no jars yet, with or without Java on PATH."""
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("SSL_CERT_FILE", "PIP_CERT") if name in os.environ}
    environment = {
        **kept,
        "HOME": str(home),
        "JAVA_TOOL_OPTIONS": f"-Duser.home={home}",
        "MOVFAIR_JARS": str(tmp_path / "jars"),
        "PATH": os.environ["PATH"],
    }
    if request.param == "none":
        if not installed_line().bundled_java:
            pytest.skip("Spark 4 cannot start on the bundled Java")
        environment["PATH"] = str(_path_without_java(tmp_path / "bin"))
    elif shutil.which("java") is None:
        pytest.skip("this machine has no Java on PATH")
    return environment


def _path_without_java(folder: Path) -> Path:
    folder.mkdir()
    for name in (
        "bash",
        "sh",
        "env",
        "dirname",
        "ps",
        "chmod",
        "uname",
        "ls",
        "cat",
        "nohup",
        "hostname",
        "find",
        "xargs",
    ):
        found = shutil.which(name)
        if found:
            (folder / name).symlink_to(found)
    return folder


def test_jars_are_fetched_and_sedona_transforms_a_point(machine):
    subprocess.run([sys.executable, "-m", "movfair_spark.session.jars"], env=machine, check=True, timeout=300)
    answer = subprocess.run(
        [sys.executable, "-c", PROBE], env=machine, check=True, timeout=300, capture_output=True, text=True
    )
    assert answer.stdout.split("X ")[1].startswith("743616.98")
