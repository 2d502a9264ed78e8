"""The table ``cellsets``, and the one frame of the pass that makes it together with the zonings' figures."""

from __future__ import annotations

CELLSET = "cellset"
"""Rows (zoning_id, uid, packed): the part of the table ``cellsets`` of some people, of whom uid is the first."""

OCCUPANCY = "occupancy"
"""Rows (zoning_id, cells, people per cell): a part of the counts, to be summed."""

PEOPLE = "people"
"""Rows (people): a part of the number of people with stops, to be summed."""


def assigned_schema(uid_type: str) -> str:
    """Columns of the pass; ``kind`` tells the rows apart. ``packed`` is made by `stages.cellset_parts`."""
    return f"kind string, zoning_id int, uid {uid_type}, packed binary, cells array<bigint>, people array<bigint>"


def cellsets_schema(uid_type: str) -> str:
    """Columns of the table ``cellsets``."""
    return f"zoning_id int, uid {uid_type}, cells array<bigint>, days array<int>"
