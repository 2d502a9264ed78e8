"""How often a test is simulated and what counts as evidence, for people who move and for points alike."""

from __future__ import annotations

from decimal import Decimal
from math import ceil
from typing import Self

from pydantic import Field, model_validator

from movfair_spark.config.notion import NotionConfig


class SimulatedConfig(NotionConfig):
    """A test of outcomes and its null.

    Attributes
    ----------
    n_simulations, seed : int
    alpha : float
        Evidence has a p-value at or below it.
    min_support : int
        Candidates have at least so many people.
    max_support_share : float
        And at most this share of them.
    """

    n_simulations: int = Field(default=999, ge=1, le=99_999)
    alpha: float = Field(default=0.01, gt=0, lt=1)
    seed: int = Field(default=1, ge=0, lt=2**63)
    min_support: int = Field(default=1, ge=1)
    max_support_share: float = Field(default=1.0, gt=0, le=1)

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
