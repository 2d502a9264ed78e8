"""Doors of the city's places: homes, workplaces and venues along the avenues of a street grid.

Metres from the city's lower left corner. An avenue runs north every ``block_m`` and every place has its door on
one; streets run east every ``block_m`` and carry the way from one avenue to another. Density is uneven: most
places crowd around a few centres (paper Figure 1).
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.config.city import CityConfig
from movfair_spark.kernels._jit import njit
from movfair_spark.synth.draws import bell, key, unit, word

CENTRES = 12
CENTRE_SPREAD_M = 900.0
# Share of the places of a kind that lie about a centre: homes, workplaces, venues.
CENTRAL_SHARES = (0.2, 0.3, 0.1)


def counts(config: CityConfig) -> tuple[int, int, int]:
    """Numbers of homes, workplaces and venues of a city."""
    return (
        max(2, math.ceil(config.people / config.people_per_home)),
        max(4, math.ceil(config.people / config.people_per_workplace)),
        max(8, math.ceil(config.people / config.people_per_venue)),
    )


@njit
def lay_out(
    seed: np.uint64,
    shares: np.ndarray,
    width: float,
    height: float,
    block: float,
    x: np.ndarray,
    y: np.ndarray,
) -> None:
    """Draw the doors of all places.

    Parameters
    ----------
    seed : uint64
        Key of the draws.
    shares : ndarray of float64, shape (places,)
        Probability that a place lies about a centre.
    width, height, block : float
        Size of the city and distance between avenues, metres.
    x, y : ndarray of float64, shape (places,)
        Filled in place.
    """
    centre_x = np.empty(CENTRES)
    centre_y = np.empty(CENTRES)
    for c in range(CENTRES):
        of = key(seed, x.size + c)
        centre_x[c] = width * (0.15 + 0.7 * unit(of, 0))
        centre_y[c] = height * (0.15 + 0.7 * unit(of, 1))
    avenues = math.floor(width / block)
    for i in range(x.size):
        of = key(seed, i)
        if unit(of, 0) < shares[i]:
            c = int(unit(of, 1) * CENTRES)
            east = centre_x[c] + CENTRE_SPREAD_M * bell(word(of, 2))
            north = centre_y[c] + CENTRE_SPREAD_M * bell(word(of, 3))
        else:
            east, north = width * unit(of, 2), height * unit(of, 3)
        x[i] = block * min(max(math.floor(east / block + 0.5), 0), avenues)
        y[i] = min(max(north, 0.0), height)
