"""The embedded city: people, days, sampling, noise, and outcomes with planted unfairness.

The movement defaults follow Table 2 of the paper (a box of 4.69 km x 4.83 km in Atlanta); the keys of
:class:`PatternConfig` are the parameters of its injection protocol (section 5.2, Table 1).
"""

from __future__ import annotations

import datetime
from typing import Literal
from zoneinfo import available_timezones

from pydantic import Field, field_validator, model_validator

from movfair_spark.config.base import Section


class GpsConfig(Section):
    """How fixes differ from where a person is.

    ``noise_m`` is the standard deviation per axis (bounded at 3.5 times it); ``spot_m`` the half width of the
    square about a place's door in which every person has one spot for all visits; ``gap_share`` the share of
    person-days with a gap of about ``gap_minutes``; ``bad_row_share`` the number of bad rows per good fix.
    """

    noise_m: float = Field(default=5.0, ge=0, le=1000)
    spot_m: float = Field(default=15.0, ge=0, le=1000)
    gap_share: float = Field(default=0.05, ge=0, le=1)
    gap_minutes: float = Field(default=60.0, gt=0, le=1440)
    bad_row_share: float = Field(default=0.0, ge=0, le=0.5)


class PatternConfig(Section):
    """Hotspots: people with at least ``stops_per_region`` stops in each of a hotspot's regions.

    The regions of a hotspot grow together until ``people`` are in it, to within ``tolerance`` (paper: 10).
    """

    hotspots: int = Field(default=1, ge=1, le=20)
    regions: int = Field(default=2, ge=1, le=5)
    stops_per_region: int = Field(default=1, ge=1, le=100)
    people: int = Field(default=200, ge=1)
    tolerance: int = Field(default=10, ge=0)
    seed: int = Field(default=1, ge=0, lt=2**63)


class OutcomesConfig(Section):
    """Outcomes 0/1: ``rate`` outside the pattern, ``rate`` minus or plus ``magnitude`` inside.

    ``fair`` gives everybody the same rate; the pattern is still written as truth. ``bad_labels`` is the number of
    rows of each kind of bad label (no outcome, a person who is in no trajectory).
    """

    rate: float = Field(default=0.6, ge=0, le=1)
    magnitude: float = Field(default=0.4, ge=0, le=1)
    direction: Literal["low", "high"] = "low"
    fair: bool = False
    bad_labels: int = Field(default=0, ge=0, le=1_000_000)
    seed: int = Field(default=1, ge=0, lt=2**63)

    @property
    def rate_inside(self) -> float:
        """Rate of people in the planted pattern."""
        if self.fair:
            return self.rate
        return self.rate - self.magnitude if self.direction == "low" else self.rate + self.magnitude

    @model_validator(mode="after")
    def _rate_inside_is_a_share(self) -> OutcomesConfig:
        if not -1e-12 <= self.rate_inside <= 1 + 1e-12:
            raise ValueError(
                f"the rate inside the pattern would be {self.rate_inside:g}; rate and magnitude must leave it in [0, 1]"
            )
        return self


class CityConfig(Section):
    """A simulated city: the same seed gives the same rows for any number of partitions."""

    people: int = Field(default=2000, ge=1, le=100_000_000)
    days: int = Field(default=10, ge=1, le=3650)
    first_day: datetime.date = datetime.date(2024, 6, 3)
    time_zone: str = "America/New_York"
    interval_seconds: int = Field(default=120, ge=1, le=3600)
    longitude: float = Field(default=-84.388, ge=-179.9, le=179.9)
    latitude: float = Field(default=33.749, ge=-80, le=80)
    width_m: float = Field(default=4690.0, ge=1000, le=6000)
    height_m: float = Field(default=4830.0, ge=1000, le=6000)
    block_m: float = Field(default=100.0, ge=20, le=1000)
    people_per_home: float = Field(default=4.0, gt=0)
    people_per_workplace: float = Field(default=40.0, gt=0)
    people_per_venue: float = Field(default=20.0, gt=0)
    row_order: Literal["person", "time"] = "person"
    format: Literal["parquet", "csv"] = "parquet"
    gps: GpsConfig = GpsConfig()
    pattern: PatternConfig = PatternConfig()
    outcomes: OutcomesConfig = OutcomesConfig()
    seed: int = Field(default=7, ge=0, lt=2**63)

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError("is no name of the IANA time zone database (such as Europe/Rome)")
        return value
