from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from movfair_spark.session import jars
from movfair_spark.session.archive import archive_options, location
from movfair_spark.session.java import Java, find_java

HERE = Java(Path("/opt/java17"), 17, "PATH")


def test_without_an_archive_there_are_no_options(tmp_path):
    assert archive_options(HERE, tmp_path) == []


def test_an_archive_is_used_and_never_complained_about(tmp_path):
    path = location(HERE, tmp_path)
    path.write_bytes(b"not an archive")
    assert f"-XX:SharedArchiveFile={path}" in archive_options(HERE, tmp_path)
    assert "-Xshare:auto" in archive_options(HERE, tmp_path)


def test_another_java_has_another_archive(tmp_path):
    assert location(HERE, tmp_path) != location(Java(Path("/opt/java21"), 21, "PATH"), tmp_path)


def test_java_starts_with_a_file_that_is_no_archive(tmp_path):
    java = find_java()
    location(java, tmp_path).write_bytes(b"not an archive")
    command = [str(java.home / "bin" / "java"), *archive_options(java, tmp_path), "-version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "share" not in done.stdout + done.stderr.replace("sharing", "")


@pytest.mark.slow
def test_a_made_archive_is_mapped(tmp_path):
    for path in jars.paths():
        (tmp_path / path.name).symlink_to(path)
    environment = {**os.environ, jars.FOLDER_VARIABLE: str(tmp_path)}
    command = [sys.executable, "-m", "movfair_spark.session.archive"]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    archive = Path(made.stdout.strip().splitlines()[-1])
    assert archive.parent == tmp_path
    code = (
        "from movfair_spark.session.spark import local_session\n"
        "spark = local_session(cores=1, memory='1g')\n"
        "process = spark.sparkContext._gateway.proc.pid\n"
        "print('.jsa' in open(f'/proc/{process}/maps').read())\n"
        "spark.stop()\n"
    )
    used = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert used.stdout.strip().endswith("True")
