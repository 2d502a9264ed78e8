"""The tables ``evidence``, ``evidence_objects`` and ``candidates`` (design section 1, Tables)."""

from __future__ import annotations

CANDIDATES_SCHEMA = "zoning_id int, candidate_id bigint, cells array<bigint>, support bigint"
"""cells in ascending order; candidate_id is made from them, so that the same cells keep their id from run to run."""


def evidence_schema(detail: str) -> str:
    """Columns of ``evidence`` without the geometry, which the report adds.

    Parameters
    ----------
    detail : str
        The model's own columns, for example ``observed bigint, expected double``.
    """
    return (
        "zoning_id int, candidate_id bigint, rank bigint, cells array<bigint>, n_cellsets bigint, members_id string, "
        f"model string, notion string, n bigint, statistic double, p_value double, direction string, "
        f"detail struct<{_struct(detail)}>, non_overlapping boolean"
    )


def evidence_objects_schema(uid_type: str) -> str:
    """Columns of ``evidence_objects``: best p-value and number of evidence rows of each object in one."""
    return f"uid {uid_type}, p_value double, candidates bigint"


def _struct(columns: str) -> str:
    return ", ".join(": ".join(column.split()) for column in columns.split(","))
