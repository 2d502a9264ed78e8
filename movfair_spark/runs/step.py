"""A step, one attempt at it, and what a finished one left behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from movfair_spark.runs.notes import Notes
from movfair_spark.session.filesystem import FileSystem
from movfair_spark.tables.marks import refuse_newer, stamped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Work = Callable[["Attempt"], None]


@dataclass(frozen=True)
class Step:
    """One step of an audit.

    Attributes
    ----------
    name : str
        As in ``--until NAME`` and ``steps/NAME/``.
    version : int
        Raised whenever the step's rules change, so that older results are not used again.
    parameters : callable
        Its own parameters as JSON values; called when the steps before it are finished.
    inputs : callable
        Keys of its inputs (of file sets and of earlier steps); None for an input without a key.
    work : callable
        Does the step and writes its tables into the attempt.
    publishes : tuple of str
        Names in the attempt that are published under the same name in the run folder.
    """

    name: str
    version: int
    parameters: Callable[[], Mapping[str, Any]]
    inputs: Callable[[], list[str | None]]
    work: Work
    publishes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finished:
    """A finished step: where its tables are, and what its record says.

    ``rows`` counts the rows of each table, ``facts`` holds what the step noted, ``seconds`` is its wall time (of the
    run that did it, when ``reused``).
    """

    spark: SparkSession
    files: FileSystem
    name: str
    key: str | None
    folder: str
    rows: Mapping[str, int]
    facts: Mapping[str, Any]
    seconds: float
    reused: bool

    def path(self, name: str) -> str:
        """Path of a table or file of the step."""
        return f"{self.folder}/{name}"

    def has(self, name: str) -> bool:
        """Whether the step wrote it."""
        return self.files.exists(self.path(name))

    def table(self, name: str) -> DataFrame:
        """Read a Parquet table that the step wrote.

        Raises
        ------
        InputError
            A later version of the package wrote it.
        """
        frame = self.spark.read.parquet(self.path(name))
        refuse_newer(frame.schema, f"table {name} of step '{self.name}'")
        return frame

    def text(self, name: str) -> str:
        """Read a text file that the step wrote."""
        return self.files.read_text(self.path(name)) or ""


@dataclass
class Attempt:
    """Where one attempt at a step writes; nothing of it counts before the record names it."""

    spark: SparkSession
    files: FileSystem
    folder: str
    notes: Notes
    rows: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def path(self, name: str) -> str:
        """Path of a table or file of this attempt."""
        return f"{self.folder}/{name}"

    def write(self, name: str, frame: DataFrame, *, crs: str | None = None) -> DataFrame:
        """Write a table to Parquet with its marks, count its rows from the footers, and read it back.

        The table that comes back has no lineage: what follows never computes it again. ``crs`` is the reference
        system of its columns x and y.
        """
        frame = stamped(frame, crs)
        frame.write.mode("errorifexists").parquet(self.path(name))
        written = self.spark.read.schema(frame.schema).parquet(self.path(name))
        self.rows[name] = written.count()
        return written

    def note_rows(self, name: str, count: int) -> None:
        """Record the rows of a table that something else wrote."""
        self.rows[name] = count

    def write_text(self, name: str, text: str) -> None:
        """Write a text file."""
        self.files.write(self.path(name), text)

    def write_json(self, name: str, value: Any) -> None:
        """Write a strict JSON file (no NaN, no infinity)."""
        self.write_text(name, json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False) + "\n")

    def upload(self, name: str, source: Path) -> None:
        """Copy a local file of the driver into the attempt."""
        self.files.upload(source, self.path(name))

    def single_file(self, name: str, folder: str) -> None:
        """Turn a table written as one part into the one file ``name``, and drop the folder."""
        parts = [part for part in self.files.names(self.path(folder)) if part.startswith("part-")]
        if len(parts) != 1:
            raise RuntimeError(f"{folder} has {len(parts)} parts, expected 1")
        self.files.rename(self.path(f"{folder}/{parts[0]}"), self.path(name))
        self.files.delete(self.path(folder))
