"""Stop detection (paper section 4.1, design section 2)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from movfair_spark.config.base import Section


class StopsConfig(Section):
    """How fixes become stops.

    Distances are metres on a sphere of 6371.0 km (straight lines for ``planar`` and fitting metric systems). A fix
    exactly ``radius_m`` from a window's first fix is inside, a stop of exactly ``min_minutes`` is one, a pause of
    exactly ``max_gap_minutes`` is none. ``leave: first_outside`` is for loggers that sleep while people stay.
    ``compress_m`` joins consecutive fixes that near to each other first; no stay is lost by it. ``compat: skmob``
    answers as scikit-mobility 1.3.1 does: strict comparisons, its own compression for ``compress_m``, and stays that
    end at the first fix outside whatever ``leave`` says.
    """

    radius_m: float = Field(default=50.0, gt=0, le=1_000_000)
    min_minutes: float = Field(default=10.0, gt=0, le=525_600)
    max_gap_minutes: float | None = Field(default=None, gt=0, le=52_560_000)
    leave: Literal["last_inside", "first_outside"] = "last_inside"
    min_points: int = Field(default=1, ge=1)
    compat: Literal["none", "skmob"] = "none"
    compress_m: float | None = Field(default=None, ge=0, le=1_000_000)
    engine: Literal["kernel", "sedona"] = "kernel"
    sedona_max_fixes: int = Field(default=5_000_000, gt=0)

    @field_validator("compat")
    @classmethod
    def _skmob_has_its_own_rule(cls, value: str, info: ValidationInfo) -> str:
        if value == "skmob" and info.data.get("min_points", 1) != 1:
            raise ValueError("scikit-mobility has no 'min_points': leave it out")
        return value

    @field_validator("engine")
    @classmethod
    def _sedona_has_the_default_rule(cls, value: str, info: ValidationInfo) -> str:
        if value == "sedona" and (info.data.get("compat"), info.data.get("compress_m")) != ("none", None):
            raise ValueError(
                "the sedona engine knows the default rule without compression: use engine: kernel"
            )
        return value
