"""The table ``stops``, and the one frame of the pass that finds them together with the counts of rows."""

from __future__ import annotations

STOP = "stop"
"""Rows of the table ``stops``."""

COUNT = "count"
"""Rows (reason, rows): a part of the counts, to be taken together by :data:`LARGEST_WINDOW` or summed."""

READ = "read"
KEPT = "kept"
DUPLICATE = "duplicate"
MERGED = "merged"
LARGEST_WINDOW = "largest_window"
"""Most fixes of one open window (16 bytes of memory each): the largest over the parts, not their sum."""


def detected_schema(uid_type: str) -> str:
    """Columns as they leave the pass: times are microseconds since the epoch, ``kind`` tells the rows apart."""
    return (
        f"kind string, uid {uid_type}, stop_id int, arrive bigint, leave bigint, x double, y double, n_points int, "
        "reason string, rows bigint"
    )


def stops_schema(uid_type: str) -> str:
    """Columns of the table ``stops``; x and y are in the input's reference system."""
    return f"uid {uid_type}, stop_id int, arrive timestamp, leave timestamp, x double, y double, n_points int"
