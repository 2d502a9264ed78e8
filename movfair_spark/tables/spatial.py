"""Tables of the audit of points."""

from __future__ import annotations

LAYERS = "layer_id int, kind string, name string, regions bigint"
"""Layers of regions; ``regions`` counts those that hold anybody."""

NULL = "simulation bigint, max_statistic double"


def evidence_schema(detail: str) -> str:
    """Columns of significant regions; the geometry is added when written.

    ``region`` is the cell, or the window's position in its layer; ``direction`` high, low, mixed (parts of different sign)
    or null (classes); ``detail`` the model's own columns; ``non_overlapping`` the greedy selection by statistic,
    ``best_of_centre`` the paper's selection by centres (null for layers without centres). Equal ``members_id``: the same
    people.
    """
    return (
        "rank bigint, layer_id int, region bigint, kind string, layer string, name string, members_id string, "
        "model string, notion string, n bigint, statistic double, p_value double, direction string, "
        f"detail struct<{', '.join(column.replace(' ', ': ', 1) for column in detail.split(', '))}>, "
        "non_overlapping boolean, best_of_centre boolean"
    )


MEANVAR = (
    "rank bigint, layer_id int, region bigint, layer string, name string, n bigint, p bigint, rate double, "
    "contribution double"
)
"""Cells of partitionings by their contribution to MeanVar, the first ``report.max_features``."""
