"""Short ways to write an input and to read it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from movfair_spark.config.input import InputConfig, LabelsConfig
from movfair_spark.readers import Ingest, Labels, read_input, read_labels
from movfair_spark.tables.rejects import REASONS


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def ingest(spark, path: Path | str, time_zone: str = "UTC", **settings: Any) -> Ingest:
    return read_input(spark, InputConfig(path=str(path), **settings), time_zone)


def from_frame(spark, frame, time_zone: str = "UTC", **settings: Any) -> Ingest:
    return read_input(spark, InputConfig(**settings), time_zone, frame)


def labels(spark, path: Path | str, **settings: Any) -> Labels:
    return read_labels(spark, LabelsConfig(path=str(path), **settings))


def rows(result: Ingest | Labels) -> list[tuple]:
    """All rows as tuples, in a fixed order."""
    return sorted((tuple(row) for row in result.frame.collect()), key=repr)


def kept(result: Ingest) -> list[tuple]:
    """The good rows without their reason."""
    return [row[:-1] for row in rows(result) if row[-1] == 0]


def reasons(result: Ingest) -> list[str]:
    """The reasons of the bad rows."""
    return sorted(REASONS[row[-1]] for row in rows(result) if row[-1])


def examples(result: Ingest | Labels) -> dict[str, tuple[int, str]]:
    """Reason -> rows and example, from the second scan."""
    return {row["reason"]: (row["rows"], row["example"]) for row in result.details().collect()}
