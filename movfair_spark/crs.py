"""Coordinate reference systems: what a pair of coordinates means, and which distance is right for it.

One engine (pyproj) projects everywhere, because two engines differ by millimetres and a point near a cell's
edge would then have two cells. Axis order is always x, y (longitude, latitude).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyproj
from numpy.typing import ArrayLike, NDArray
from pyproj.exceptions import CRSError

from movfair_spark.errors import ConfigurationError, CoordinatesError

BBox = tuple[float, float, float, float]
"""(min_x, min_y, max_x, max_y). In degrees max_x may pass 180: a box over the antimeridian."""

PLANAR = "planar"
WGS84 = "EPSG:4326"

EUCLIDEAN_TOLERANCE = 0.005
"""Largest distance of the scale factor from 1 at which straight-line distances pass for metres."""

UTM_ZONE_WIDTH = 6.0
UTM_MAX_ZONES = 3
UTM_LATITUDES = (-80.0, 84.0)

_GEOD = pyproj.Geod(ellps="WGS84")


@dataclass(frozen=True)
class CoordinateSystem:
    """A coordinate reference system, or ``planar``: metres of an unnamed local system.

    Small, hashable and picklable (one string): it travels to the workers as it is.

    Parameters
    ----------
    definition : str
        Canonical: ``'planar'``, ``'EPSG:n'``, or PROJJSON for a system without an EPSG code. Build one with
        :meth:`parse`.
    """

    definition: str

    @classmethod
    def parse(cls, value: str | int | dict[str, Any] | CoordinateSystem) -> CoordinateSystem:
        """Read ``'EPSG:n'``, ``n``, PROJJSON (text or dict), WKT or ``'planar'``.

        Raises
        ------
        ConfigurationError
            The text names no system, or a system without two horizontal axes (geocentric, vertical).
        """
        if isinstance(value, CoordinateSystem):
            return value
        text = json.dumps(value) if isinstance(value, dict) else str(value).strip()
        return cls(_canonical(text))

    def __str__(self) -> str:
        """Return a short name for messages, tables and the manifest."""
        if self.is_planar or not self.definition.startswith("{"):
            return self.definition
        return self.crs.name

    @property
    def crs(self) -> pyproj.CRS:
        """The pyproj object (raises ``ValueError`` for ``planar``, which has none)."""
        if self.is_planar:
            raise ValueError("planar coordinates have no reference system")
        return _crs(self.definition)

    @property
    def is_planar(self) -> bool:
        """Whether these are metres of an unnamed local system."""
        return self.definition == PLANAR

    @property
    def is_geographic(self) -> bool:
        """Whether coordinates are degrees of longitude and latitude."""
        return not self.is_planar and self.crs.is_geographic

    @property
    def is_metric(self) -> bool:
        """Whether both axes count metres (which says nothing about the scale on the ground)."""
        if self.is_planar:
            return True
        axes = self.crs.axis_info[:2]
        return self.crs.is_projected and all(axis.unit_conversion_factor == 1.0 for axis in axes)

    @property
    def srid(self) -> int:
        """EPSG code, or 0 when there is none."""
        prefix, _, code = self.definition.partition(":")
        return int(code) if prefix == "EPSG" else 0

    def projjson(self) -> str:
        """PROJJSON text, as GeoParquet's ``crs`` wants it; empty for ``planar``."""
        return "" if self.is_planar else self.crs.to_json()

    def transform(
        self, x: ArrayLike, y: ArrayLike, target: CoordinateSystem
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Transform coordinates of this system into those of ``target``.

        Parameters
        ----------
        x, y : array_like of float64
            Degrees for a geographic system (x = longitude), otherwise the system's units.

        Returns
        -------
        tuple of float64 arrays
            x and y in ``target``; infinite where it is not defined, NaN where the input is NaN.

        Raises
        ------
        ConfigurationError
            Exactly one of the two is ``planar``: a local system has no known place on Earth.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if self == target:
            return xs.copy(), ys.copy()
        if self.is_planar or target.is_planar:
            raise ConfigurationError(
                f"coordinates cannot be taken from {self} to {target}: planar has no known place on Earth",
                "Name the reference system of the coordinates (crs: EPSG:n), or use planar throughout",
            )
        out_x, out_y = _transformer(self.definition, target.definition).transform(xs, ys)
        return np.asarray(out_x, dtype=np.float64), np.asarray(out_y, dtype=np.float64)

    def to_lonlat(self, x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Longitude and latitude on WGS 84 in degrees; see :meth:`transform`."""
        if self.is_geographic and self.definition in (WGS84, "OGC:CRS84"):
            return np.array(x, dtype=np.float64), np.array(y, dtype=np.float64)
        return self.transform(x, y, CoordinateSystem(WGS84))

    def lonlat_bbox(self, bbox: BBox) -> BBox:
        """Box of longitudes and latitudes around a box of this system (max_x > 180 over the antimeridian).

        Raises
        ------
        CoordinatesError
            The box does not lie in the area where the system is defined.
        """
        if self.is_geographic and self.definition in (WGS84, "OGC:CRS84"):
            return bbox
        if self.is_planar:
            self.transform([], [], CoordinateSystem(WGS84))
        west, south, east, north = _transformer(self.definition, WGS84).transform_bounds(*bbox)
        if not all(math.isfinite(edge) for edge in (west, south, east, north)):
            raise CoordinatesError(
                f"the data's bounding box does not lie where {self} is defined",
                "Check the reference system (crs) and the order of the columns x and y",
            )
        return (west, south, east + 360.0 if east < west else east, north)

    def scale_error(self, bbox: BBox) -> float:
        """Largest distance of the scale factor from 1 over a 5 x 5 lattice of the box, in eight directions.

        Scale = length of a 100 m step in coordinates / its geodesic length on WGS 84, so that a sphere passed
        for the ellipsoid (EPSG:3857: 0.7 % at the equator) counts as an error too. 0 for ``planar``; infinite
        for degrees and where the projection is not defined.
        """
        if self.is_planar:
            return 0.0
        if not self.crs.is_projected:
            return math.inf
        xs, ys = np.meshgrid(np.linspace(bbox[0], bbox[2], 5), np.linspace(bbox[1], bbox[3], 5))
        step = 100.0 / self.crs.axis_info[0].unit_conversion_factor
        turns = [k * math.pi / 8 for k in range(8)]
        ends_x = np.concatenate([xs.ravel() + step * math.cos(angle) for angle in turns])
        ends_y = np.concatenate([ys.ravel() + step * math.sin(angle) for angle in turns])
        from_lon, from_lat = self.to_lonlat(np.tile(xs.ravel(), 8), np.tile(ys.ravel(), 8))
        to_lon, to_lat = self.to_lonlat(ends_x, ends_y)
        if not (np.isfinite(from_lon).all() and np.isfinite(to_lon).all()):
            return math.inf
        _, _, metres = _GEOD.inv(from_lon, from_lat, to_lon, to_lat)
        return float(np.abs(100.0 / np.asarray(metres) - 1.0).max())

    def euclidean_ok(self, bbox: BBox) -> bool:
        """Whether straight lines between coordinates in the box are metres on the ground.

        True for ``planar``, and for projected systems in metres whose scale factor over the whole box is
        within 0.5 % of 1. False for all others (degrees, feet, EPSG:3857): there distances are haversine on
        coordinates taken to longitude and latitude. Design section 2, Coordinates.
        """
        return self.is_metric and self.scale_error(bbox) <= EUCLIDEAN_TOLERANCE

    def utm_for(self, bbox: BBox) -> CoordinateSystem:
        """Return the UTM zone (WGS 84) of the middle of a box of this system.

        Raises
        ------
        CoordinatesError
            The box is wider than 3 zones (18 degrees) or its middle lies outside 80 S to 84 N.
        """
        west, south, east, north = self.lonlat_bbox(bbox)
        width, limit = east - west, UTM_MAX_ZONES * UTM_ZONE_WIDTH
        middle = (south + north) / 2.0
        remedy = "Limit the data with study_area, or name a metric system in zonings.crs (EPSG:n)"
        if not width <= limit:
            raise CoordinatesError(
                f"the data is {width:.1f} degrees wide, more than the {UTM_MAX_ZONES} UTM zones "
                f"({limit:g} degrees) that zonings.crs: auto allows",
                remedy,
            )
        if not UTM_LATITUDES[0] <= middle <= UTM_LATITUDES[1]:
            raise CoordinatesError("the middle of the data lies outside UTM (80 S to 84 N)", remedy)
        zone = int(((west + east) / 2.0 + 180.0) // UTM_ZONE_WIDTH) % 60 + 1
        return CoordinateSystem(f"EPSG:{(32600 if middle >= 0 else 32700) + zone}")


@lru_cache(maxsize=256)
def _canonical(text: str) -> str:
    if text.lower() == PLANAR:
        return PLANAR
    try:
        crs = pyproj.CRS.from_user_input(int(text) if text.isdigit() else text)
    except CRSError:
        raise ConfigurationError(
            f"{text[:80]!r} names no coordinate reference system",
            "Give 'EPSG:n' (EPSG:4326 for longitude and latitude), PROJJSON, WKT or 'planar'",
        ) from None
    if crs.is_geocentric or not (crs.is_geographic or crs.is_projected):
        raise ConfigurationError(
            f"{crs.name!r} is not a horizontal system of two axes", "Give a geographic or a projected system"
        )
    authority = crs.to_authority(min_confidence=100)
    if authority and authority[0] in ("EPSG", "OGC"):
        return f"{authority[0]}:{authority[1]}"
    return crs.to_json()


@lru_cache(maxsize=64)
def _crs(definition: str) -> pyproj.CRS:
    return pyproj.CRS.from_user_input(definition)


@lru_cache(maxsize=64)
def _transformer(source: str, target: str) -> pyproj.Transformer:
    return pyproj.Transformer.from_crs(_crs(source), _crs(target), always_xy=True)
