"""The city as plain arrays: what the kernels need to follow any person on any day."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from movfair_spark.config.city import CityConfig
from movfair_spark.synth import places
from movfair_spark.synth.calendar import calendar
from movfair_spark.synth.draws import stream, wrapping

EARTH_M = 6_371_000.0
PLACES, PEOPLE, PATTERN, OUTCOMES = 0, 1, 2, 3  # streams below the seed


class City(NamedTuple):
    """A simulated city.

    Attributes
    ----------
    people : uint64
        Parent of the people's keys.
    x, y : ndarray of float64, shape (places,)
        Doors, metres from the lower left corner: homes, then workplaces, then venues. Low numbers of workplaces and
        venues are the popular ones.
    homes, workplaces, venues : int
        Their numbers.
    block_m : float
        Distance between avenues and between streets.
    starts_s : ndarray of int64, shape (days + 1,)
        Local midnights, seconds since the epoch.
    working : ndarray of bool, shape (days,)
        Monday to Friday.
    west, south : float
        Longitude and latitude of the lower left corner, degrees.
    degrees_per_m_x, degrees_per_m_y : float
        Scale of the local map.
    interval_s : int
        Time between fixes.
    noise_m, spot_m, gap_share, gap_s, bad_row_share : float
        As in :class:`~movfair_spark.config.city.GpsConfig`.
    """

    people: np.uint64
    x: np.ndarray
    y: np.ndarray
    homes: int
    workplaces: int
    venues: int
    block_m: float
    starts_s: np.ndarray
    working: np.ndarray
    west: float
    south: float
    degrees_per_m_x: float
    degrees_per_m_y: float
    interval_s: int
    noise_m: float
    spot_m: float
    gap_share: float
    gap_s: float
    bad_row_share: float


@lru_cache(maxsize=4)
def build(config: CityConfig) -> City:
    """Lay out the city of a configuration; the same configuration gives the same city in every process.

    Parameters
    ----------
    config : CityConfig

    Returns
    -------
    City
    """
    homes, workplaces, venues = places.counts(config)
    shares = np.repeat(places.CENTRAL_SHARES, [homes, workplaces, venues])
    x, y = np.empty(shares.size), np.empty(shares.size)
    with wrapping():
        places.lay_out(
            stream(config.seed, PLACES), shares, config.width_m, config.height_m, config.block_m, x, y
        )
    days = calendar(config)
    degrees_per_m_y = 180.0 / (math.pi * EARTH_M)
    degrees_per_m_x = degrees_per_m_y / math.cos(math.radians(config.latitude))
    return City(
        people=stream(config.seed, PEOPLE),
        x=x,
        y=y,
        homes=homes,
        workplaces=workplaces,
        venues=venues,
        block_m=config.block_m,
        starts_s=days.starts_s,
        working=days.working,
        west=config.longitude - 0.5 * config.width_m * degrees_per_m_x,
        south=config.latitude - 0.5 * config.height_m * degrees_per_m_y,
        degrees_per_m_x=degrees_per_m_x,
        degrees_per_m_y=degrees_per_m_y,
        interval_s=config.interval_seconds,
        noise_m=config.gps.noise_m,
        spot_m=config.gps.spot_m,
        gap_share=config.gps.gap_share,
        gap_s=60.0 * config.gps.gap_minutes,
        bad_row_share=config.gps.bad_row_share,
    )
