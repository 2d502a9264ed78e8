"""One bad input: what it writes, how it is configured, and the error or the rejects that must follow.

A case writes its files into an empty folder; its configuration names them with ``{folder}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from movfair_spark import errors

HEADER = "uid,time,lon,lat"
GOOD = [
    f"p{i % 5},2024-01-01T{8 + i // 60:02d}:{i % 60:02d}:00Z,12.49{i % 10},41.89{i % 10}" for i in range(20)
]
LABEL_HEADER = "uid,outcome"
LABELS = [f"p{i},{i % 2}" for i in range(5)]


@dataclass(frozen=True)
class Case:
    """One bad input.

    Parameters
    ----------
    name : str
    write : callable
        Makes the files in the folder that it is given.
    table : {'input', 'labels'}
        Which table is bad; the other one is good (:func:`write_good`).
    config : mapping
        Section of the configuration (``input`` or ``labels``), with ``{folder}`` in its paths.
    scan : mapping
        What is tested: section ``scan`` of the configuration.
    error : type, optional
        Class of the error that must be raised.
    says : str
        What its message must hold.
    rejects : mapping, optional
        Reason -> rows, where the input is accepted.
    late : bool
        Shows only when the rows are scanned, not when the input is opened.
    """

    name: str
    write: Callable[[Path], None]
    config: Mapping[str, Any] = field(default_factory=dict)
    table: str = "input"
    error: type[errors.MovfairError] | None = None
    says: str = ""
    rejects: Mapping[str, int] = field(default_factory=dict)
    late: bool = False
    scan: Mapping[str, Any] = field(default_factory=dict)

    def section(self, folder: Path) -> dict[str, Any]:
        """Configuration of the bad table for files in ``folder``."""
        default = "points.csv" if self.table == "input" else "labels.csv"
        settings = {"path": f"{folder}/{default}", **self.config}
        return {key: _fill(value, folder) for key, value in settings.items()}


def _fill(value: Any, folder: Path) -> Any:
    return value.replace("{folder}", str(folder)) if isinstance(value, str) else value


def write_good(folder: Path) -> None:
    """Write the good tables that stand beside a bad one: points.csv and labels.csv."""
    lines("points.csv", HEADER, *GOOD)(folder)
    lines("labels.csv", LABEL_HEADER, *LABELS)(folder)


def lines(name: str, *rows: str, end: str = "\n") -> Callable[[Path], None]:
    """Write a text file."""

    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(end.join(rows) + (end if rows else ""), encoding="utf-8", newline="")

    return write


def raw(name: str, content: bytes) -> Callable[[Path], None]:
    """Write bytes."""

    def write(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return write


def parquet(name: str, cut: int | None = None, **columns: Any) -> Callable[[Path], None]:
    """Write a Parquet file, whole or only its first ``cut`` bytes."""

    def write(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), path)
        if cut is not None:
            path.write_bytes(path.read_bytes()[:cut])

    return write


def both(*writers: Callable[[Path], None]) -> Callable[[Path], None]:
    """Write several files."""

    def write(folder: Path) -> None:
        for writer in writers:
            writer(folder)

    return write


def points(*bad: str) -> Callable[[Path], None]:
    """Write good points with bad ones among them."""
    return lines("points.csv", HEADER, *GOOD[:10], *bad, *GOOD[10:])


def labels(*bad: str, header: str = LABEL_HEADER) -> Callable[[Path], None]:
    """Write good labels with bad ones after them."""
    return lines("labels.csv", header, *LABELS, *bad)


def many(separator: str = ",", order: tuple[int, ...] = (0, 1, 2, 3)) -> list[str]:
    """Give header and good rows with another separator or order of columns."""
    split = [row.split(",") for row in [HEADER, *GOOD]]
    return [separator.join(row[i] for i in order) for row in split]
