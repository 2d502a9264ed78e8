"""Tables of a run folder as values that can be compared bit for bit."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

ORDER = {
    "evidence.parquet": ("rank",),
    "null_distribution": ("simulation",),
    "evidence_objects": ("uid",),
    "stops": ("uid", "stop_id"),
    "cellsets": ("zoning_id", "uid"),
}


def bits(run: Path, name: str) -> list[Any]:
    """Rows of a table in their order, doubles as their 64 bits."""
    table = pq.read_table(run / name).sort_by([(column, "ascending") for column in ORDER[name]])
    return [_exact(row) for row in table.to_pylist()]


def same_bits(one: Path, other: Path) -> None:
    """Compare all tables of two run folders."""
    for name in ORDER:
        assert bits(one, name) == bits(other, name), name


def _exact(value: Any) -> Any:
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_exact(item) for item in value]
    return value
