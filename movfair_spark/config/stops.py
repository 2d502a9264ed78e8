"""Stop detection (paper section 4.1, design section 2)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from movfair_spark.config.base import Section


class StopsConfig(Section):
    """How fixes become stops."""

    radius_m: float = Field(default=50.0, gt=0, le=1_000_000)
    min_minutes: float = Field(default=10.0, gt=0, le=525_600)
    max_gap_minutes: float | None = Field(default=None, gt=0)
    leave: Literal["last_inside", "first_outside"] = "last_inside"
    min_points: int = Field(default=1, ge=1)
    compat: Literal["none", "skmob"] = "none"
    compress_m: float | None = Field(default=None, gt=0)
    engine: Literal["kernel", "sedona"] = "kernel"
    sedona_max_fixes: int = Field(default=5_000_000, gt=0)
