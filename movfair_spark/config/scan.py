"""The scan statistic, its null and its evidence (paper section 4.5, design section 3)."""

from __future__ import annotations

from decimal import Decimal
from math import ceil
from typing import Literal, Self

from pydantic import Field, model_validator

from movfair_spark.config.notion import NotionConfig


class ScanConfig(NotionConfig):
    """What is tested, how often it is simulated, and what counts as evidence."""

    null: Literal["all_zonings", "per_zoning"] = "all_zonings"
    n_simulations: int = Field(default=999, ge=1, le=99_999)
    alpha: float = Field(default=0.01, gt=0, lt=1)
    seed: int = Field(default=1, ge=0, lt=2**63)
    min_support: int = Field(default=1, ge=1)
    max_support_share: float = Field(default=1.0, gt=0, le=1)
    objects_without_stops: Literal["exclude", "include"] = "exclude"
    support_bound: bool = True
    max_memberships: int | None = Field(default=None, ge=1)
    all_subsets: bool = False
    distribution: Literal["auto", "worlds", "blocks"] = "auto"
    broadcast_limit_mb: float = Field(default=64.0, gt=0)
    write_candidates: bool = False

    @model_validator(mode="after")
    def _alpha_can_be_reached(self) -> Self:
        """Refuse an alpha below the smallest p-value, 1 / (n_simulations + 1)."""
        alpha = Decimal(repr(self.alpha))
        if alpha * (self.n_simulations + 1) < 1:
            raise ValueError(
                f"n_simulations = {self.n_simulations} gives no p-value at or below alpha = {self.alpha:g}; "
                f"at least {ceil(1 / alpha) - 1} simulations are needed"
            )
        return self
