"""The embedded city: people, days, sampling, noise and planted unfairness."""

from __future__ import annotations

from pydantic import Field

from movfair_spark.config.base import Section


class CityConfig(Section):
    """A small simulated city."""

    people: int = Field(default=2000, ge=1, le=100_000_000)
    days: int = Field(default=7, ge=1, le=3650)
    seed: int = Field(default=7, ge=0, lt=2**63)
