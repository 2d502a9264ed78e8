"""Sedona's jars: fetched once, in set-up, checked by SHA-256, then used as local files.

The Ivy that comes in the pyspark wheel does the fetching: ``spark.jars.packages`` would resolve them in every
session, and its default settings fail where Sedona's parent pom is not served.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from movfair_spark.config import resources
from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session.java import find_java
from movfair_spark.session.truststore import trust_options
from movfair_spark.session.versions import Jar, SparkLine, installed_line

FOLDER_VARIABLE = "MOVFAIR_JARS"


def folder() -> Path:
    """Where the jars are kept: MOVFAIR_JARS, else ``share/movfair_spark/jars`` of the environment."""
    import sys

    given = os.environ.get(FOLDER_VARIABLE)
    return Path(given) if given else Path(sys.prefix) / "share" / "movfair_spark" / "jars"


def paths(line: SparkLine | None = None) -> list[Path]:
    """Local jar files for a line of Spark.

    Raises
    ------
    EnvironmentProblem
        A jar is missing.
    """
    line = line or installed_line()
    found = [folder() / jar.filename for jar in line.jars]
    missing = [path.name for path in found if not path.is_file()]
    if missing:
        raise EnvironmentProblem(
            f"Sedona's jars are not in {folder()}: {', '.join(missing)}",
            "run 'make setup' (or 'python -m movfair_spark.session.jars') once with a network, or copy the files "
            f"there and set {FOLDER_VARIABLE} to their folder",
        )
    return found


def fetch(line: SparkLine | None = None) -> list[Path]:
    """Fetch what is missing and check every file's SHA-256.

    Returns
    -------
    list of Path

    Raises
    ------
    EnvironmentProblem
        A jar cannot be had, or is not the file that the table names.
    """
    line = line or installed_line()
    folder().mkdir(parents=True, exist_ok=True)
    for jar in line.jars:
        target = folder() / jar.filename
        if not target.is_file():
            _retrieve(jar, line, target)
        _check(jar, target)
    return paths(line)


def _retrieve(jar: Jar, line: SparkLine, target: Path) -> None:
    import pyspark

    java = find_java(line)
    ivy = sorted((Path(pyspark.__file__).parent / "jars").glob("ivy-*.jar"))
    if not ivy:
        raise EnvironmentProblem("this pyspark holds no ivy jar", f"copy {jar.filename} to {target.parent}")
    with tempfile.TemporaryDirectory() as scratch:
        settings = Path(scratch) / "ivysettings.xml"
        settings.write_text(resources.read("ivysettings.xml"), encoding="utf-8")
        command = [str(java.home / "bin" / "java"), *trust_options(java, target.parent), "-jar", str(ivy[-1])]
        command += ["-settings", str(settings), "-cache", f"{scratch}/cache"]
        command += ["-dependency", jar.organisation, jar.name, jar.version]
        command += ["-retrieve", f"{scratch}/[artifact]-[revision].[ext]"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        fetched = Path(scratch) / jar.filename
        if not fetched.is_file():
            lines = [text.strip() for text in (answer.stdout + answer.stderr).splitlines() if text.strip()]
            reason = next(
                (text for text in lines if "ERROR" in text or "not found" in text), lines[-1] if lines else ""
            )
            raise EnvironmentProblem(
                f"{jar.coordinate} cannot be had: {reason}",
                f"check the network, or copy {jar.filename} to {target.parent} by hand",
            )
        draft = target.with_suffix(f".{os.getpid()}")
        draft.write_bytes(fetched.read_bytes())
        draft.replace(target)


def _check(jar: Jar, path: Path) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != jar.sha256:
        raise EnvironmentProblem(
            f"{path} has SHA-256 {found}, expected {jar.sha256}", "delete the file and run 'make setup' again"
        )


if __name__ == "__main__":
    import sys

    try:
        for path in fetch():
            print(path)
    except EnvironmentProblem as problem:
        sys.exit(f"movfair: {problem}")
