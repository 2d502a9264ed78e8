"""Distances and longitudes: what "within the radius" means, for degrees and for metres.

Every value that is compared comes from scalar ``math.*`` and ``x * x``, so that it has the same bits on every CPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from movfair_spark.kernels._jit import njit

EARTH_RADIUS_KM = 6371.0
EARTH_RADIUS_M = 6371000.0

Floats = NDArray[np.float64]
Transform = Callable[[Floats, Floats], tuple[Floats, Floats]]

# Limits of the short cut in ``beyond``: angles in radians, share of the squared distance, radius / sphere.
_NEAR = 0.01
_MARGIN = 1e-4
_SMALLEST = 0.1 / EARTH_RADIUS_M


@dataclass(frozen=True)
class Space:
    """How coordinates are measured, apart from how they are stored.

    Parameters
    ----------
    sphere : float
        Radius of the Earth in the unit of the distances (metres) for haversine, 0 for Euclidean distances.
    degrees : bool
        Whether the stored x is a longitude: then medians are unwrapped about the first fix.
    to_lonlat : callable, optional
        Takes stored x, y to longitude and latitude in degrees, when distances are haversine but the stored
        coordinates are something else. They stay stored as they came; medians are taken of the stored ones.
    """

    sphere: float = EARTH_RADIUS_M
    degrees: bool = True
    to_lonlat: Transform | None = None

    def measured(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Coordinates between which distances are taken: longitude, latitude (degrees), or the stored metres."""
        return (x, y) if self.to_lonlat is None else self.to_lonlat(x, y)


@njit
def haversine(lon1: float, lat1: float, lon2: float, lat2: float, sphere: float) -> float:
    """Great-circle distance on a sphere of radius ``sphere``, in its unit; coordinates in degrees.

    The haversine of the angle is clamped to [0, 1]: rounding takes it beyond 1 for antipodes (GeoStats.jl #14).
    """
    phi1 = lat1 * math.pi / 180.0
    phi2 = lat2 * math.pi / 180.0
    half_north = math.sin((phi2 - phi1) / 2.0)
    half_east = math.sin((lon2 * math.pi / 180.0 - lon1 * math.pi / 180.0) / 2.0)
    a = half_north * half_north + math.cos(phi1) * math.cos(phi2) * (half_east * half_east)
    if a > 1.0:
        a = 1.0
    elif a < 0.0:
        a = 0.0
    return sphere * (2.0 * math.atan2(math.sqrt(a), math.sqrt(1.0 - a)))


@njit
def cos_degrees(latitude: float) -> float:
    """Cosine of a latitude in degrees: the ``cos0`` of :func:`beyond`."""
    return math.cos(latitude * math.pi / 180.0)


@njit
def beyond(x0: float, y0: float, cos0: float, x1: float, y1: float, radius: float, sphere: float) -> bool:
    """Whether the distance from (x0, y0) to (x1, y1) is greater than ``radius``.

    Equal distances are not beyond; neither is NaN. ``sphere`` = 0 means Euclidean. For haversine, ``cos0`` is the
    cosine of y0, and most pairs are decided without trigonometry, always as the formula would decide:

    With u = |lat1 - lat0|, v = |lon1 - lon0| in radians, both below 0.01, and |cos(lat1) - cos(lat0)| <= u,
    4a lies between L = (u^2 + cos0 max(cos0 - u, 0) v^2)(1 - v^2/12 - u^2/12) and U = u^2 + cos0 (cos0 + u) v^2,
    because t^2 (1 - t^2/12) <= 4 sin^2(t/2) <= t^2; and 4a <= (d / sphere)^2 <= 4a / (1 - a). So
    (d / sphere)^2 < U (1 + 6e-5) and > L (1 - 1e-5). Rounding adds at most 1e-15 radians to the formula's angle,
    a share below 2e-7 of the squares when radius/sphere is above 1.5e-8 (0.1 m). A margin of 1e-4 holds both.
    """
    if sphere == 0.0:
        dx = x1 - x0
        dy = y1 - y0
        return math.sqrt(dx * dx + dy * dy) > radius
    north = abs(y1 - y0) * (math.pi / 180.0)
    east = abs(x1 - x0) * (math.pi / 180.0)
    angle = radius / sphere
    if north < _NEAR and east < _NEAR and angle > _SMALLEST:
        limit = angle * angle
        if (north * north + cos0 * (cos0 + north) * (east * east)) * (1.0 + _MARGIN) < limit:
            return False
        if (north * north + cos0 * max(cos0 - north, 0.0) * (east * east)) * (1.0 - _MARGIN) > limit:
            return True
    return haversine(x0, y0, x1, y1, sphere) > radius


@njit
def unwrap(longitude: float, about: float) -> float:
    """Return the longitude (degrees) moved by a full turn where that brings it nearer to ``about``."""
    turn = longitude - about
    if turn > 180.0:
        return longitude - 360.0
    if turn < -180.0:
        return longitude + 360.0
    return longitude


@njit
def wrap(longitude: float) -> float:
    """Longitude in [-180, 180); for values that are at most one turn away."""
    if longitude >= 180.0:
        return longitude - 360.0
    if longitude < -180.0:
        return longitude + 360.0
    return longitude
