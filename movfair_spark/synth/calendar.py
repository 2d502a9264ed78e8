"""The days of a simulation in absolute time."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import numpy as np

from movfair_spark.config.city import CityConfig

SATURDAY = 5


@dataclass(frozen=True, eq=False)
class Calendar:
    """Local days.

    Attributes
    ----------
    starts_s : ndarray of int64, shape (days + 1,)
        Local midnights in seconds since the epoch, UTC; the last one ends the simulation.
    working : ndarray of bool, shape (days,)
        Monday to Friday.
    """

    starts_s: np.ndarray
    working: np.ndarray


def calendar(config: CityConfig) -> Calendar:
    """Days of a city's configuration; a day has 23 or 25 hours where the clock changes."""
    days = [config.first_day + datetime.timedelta(days=number) for number in range(config.days + 1)]
    zone = ZoneInfo(config.time_zone)
    midnights = [datetime.datetime.combine(day, datetime.time(), zone).timestamp() for day in days]
    return Calendar(
        np.array([round(second) for second in midnights], dtype=np.int64),
        np.array([day.weekday() < SATURDAY for day in days[:-1]], dtype=np.bool_),
    )
