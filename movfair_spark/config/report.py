"""What a reader gets to see: verdict, map, evidence.geojson (design section 4, Privacy)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from movfair_spark.config.base import Section


class ReportConfig(Section):
    """Reports never show small groups, and no ids of people."""

    min_report_objects: int = Field(default=5, ge=1)
    max_features: int = Field(default=1000, ge=1)
    non_overlapping: Literal["objects", "area"] = "objects"
    map: bool = True
