"""The table ``null_distribution``: the simulated maxima of each null."""

from __future__ import annotations

SCHEMA = "zoning_id int, simulation bigint, max_statistic double, censored boolean"
"""zoning_id is null for the one null over all zonings; simulations count from 0, as their seeds do; a censored
maximum is only known to be at most the bound that the manifest names."""
