"""The scan statistic, its null and its evidence (paper section 4.5, design section 3)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from movfair_spark.config.simulated import SimulatedConfig


class ScanConfig(SimulatedConfig):
    """What is tested, how often it is simulated, and what counts as evidence."""

    null: Literal["all_zonings", "per_zoning"] = "all_zonings"
    objects_without_stops: Literal["exclude", "include"] = "exclude"
    support_bound: bool = True
    max_memberships: int | None = Field(default=None, ge=1)
    all_subsets: bool = False
    distribution: Literal["auto", "worlds", "blocks"] = "auto"
    broadcast_limit_mb: float = Field(default=64.0, gt=0)
    write_candidates: bool = False
