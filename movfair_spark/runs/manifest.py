"""``manifest.json``: what was asked, what went in, what came out, with which versions, in how many seconds."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

from movfair_spark.runs.keys import Fingerprint
from movfair_spark.runs.step import Finished
from movfair_spark.tables.marks import SCHEMA_VERSION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PACKAGES = (
    "numpy",
    "numba",
    "pandas",
    "pyarrow",
    "pydantic",
    "pyproj",
    "shapely",
    "geopandas",
    "apache-sedona",
)


def strict(value: Any) -> Any:
    """Make a value strict JSON: infinities become the strings 'inf' and '-inf', NaN becomes null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [strict(item) for item in value]
    return value


def versions(spark: SparkSession, version: str) -> dict[str, str]:
    """Versions of everything that a number can depend on; ``version`` is the package's own."""
    found = {"movfair_spark": version, "python": platform.python_version(), "spark": spark.version}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "absent"
    return found


def build(
    spark: SparkSession,
    *,
    version: str,
    configuration: Mapping[str, Any],
    seeds: Mapping[str, int],
    inputs: Mapping[str, Fingerprint],
    steps: Sequence[Finished],
    rows: Mapping[str, Any],
    published: Sequence[str],
    notices: Sequence[str],
    memory: Mapping[str, str],
    verdict: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Put the manifest together.

    Parameters
    ----------
    spark : SparkSession
    version : str
        Of this package.
    configuration : mapping
        As resolved: the file, ``--set`` over it, and the defaults.
    seeds : mapping
        Name to seed.
    inputs : mapping
        Name of an input to its fingerprint.
    steps : sequence of Finished
    rows : mapping
        Per input: rows read, kept, duplicate, merged and rejected per reason.
    published : sequence of str
        Names in the run folder.
    notices : sequence of str
        What a reader should know, such as a time zone that was not given.
    memory : mapping
        Step to the bound of its memory.
    verdict : mapping or None
        None before the test was done.

    Returns
    -------
    dict
        Strict JSON values only.
    """
    return strict(
        {
            "schema_version": SCHEMA_VERSION,
            "written": datetime.now(UTC).isoformat(timespec="seconds"),
            "verdict": verdict,
            "notices": list(notices),
            "configuration": configuration,
            "seeds": seeds,
            "versions": versions(spark, version),
            "inputs": {name: item.as_json() for name, item in inputs.items()},
            "rows": rows,
            "steps": [_step(done) for done in steps],
            "memory": memory,
            "published": list(published),
        }
    )


def _step(done: Finished) -> dict[str, Any]:
    return {
        "step": done.name,
        "key": done.key,
        "attempt": done.folder.rsplit("/", 1)[1],
        "reused": done.reused,
        "seconds": done.seconds,
        "rows": dict(done.rows),
        "facts": dict(done.facts),
    }
