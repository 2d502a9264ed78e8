"""The planted pattern: hotspots of regions, and who belongs to them (paper section 5.2).

A hotspot has one or more regions about places that many people share: a popular workplace, and venues to which its
people go at some distance from it. A region is a convex hexagon of random orientation and shape,
unlike any grid's cells; the regions of a hotspot grow by one common factor until the wanted number of people have
enough stops in each. The paper takes census blocks, turns and moves them, and buffers them; growing by a factor does
the same and needs no search: the factor at which a person joins is known in closed form.

Stops are those of the routines (see :mod:`movfair_spark.synth.visits`), at the person's spot without GPS noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from movfair_spark.config.city import CityConfig
from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels._jit import njit
from movfair_spark.synth.city import PATTERN, City, build
from movfair_spark.synth.draws import stream, unit, wrapping
from movfair_spark.synth.visits import count_stops

EDGES = 6
_MIN_APART_M = 900.0
_TRIES = 200
_BATCH = 50_000
_POPULAR_SHARE = 0.1
_CHOICES = 5


@dataclass(frozen=True, eq=False)
class Region:
    """A convex polygon about a centre: the points p with normal · (p − centre) <= distance for every edge.

    Attributes
    ----------
    centre : (float, float)
        Metres from the city's lower left corner.
    normals : ndarray of float64, shape (EDGES, 2)
        Unit vectors, in the order of their angles.
    distances : ndarray of float64, shape (EDGES,)
        Metres.
    """

    centre: tuple[float, float]
    normals: np.ndarray
    distances: np.ndarray

    def corners(self) -> list[tuple[float, float]]:
        """Corners, counter-clockwise, metres; an edge that the others cut off adds none."""
        found = []
        for i in range(EDGES):
            for j in range(i + 1, EDGES):
                (a, b), (c, d) = self.normals[i], self.normals[j]
                e, f = self.distances[i], self.distances[j]
                across = a * d - b * c
                if abs(across) > 1e-9:
                    x, y = (e * d - b * f) / across, (a * f - e * c) / across
                    if all(
                        n[0] * x + n[1] * y <= s + 1e-6
                        for n, s in zip(self.normals, self.distances, strict=True)
                    ):
                        found.append((math.atan2(y, x), self.centre[0] + x, self.centre[1] + y))
        return [(x, y) for _, x, y in sorted(found)]


@dataclass(frozen=True, eq=False)
class Hotspot:
    """Regions, and the numbers of the people who have enough stops in each of them (ascending)."""

    regions: tuple[Region, ...]
    people: np.ndarray


@njit
def _joins(
    places: np.ndarray,
    spots: np.ndarray,
    stops: np.ndarray,
    centres: np.ndarray,
    normals: np.ndarray,
    distances: np.ndarray,
    stops_per_region: int,
    factors: np.ndarray,
) -> None:
    """Per person, the least factor of growth at which they have enough stops in every region."""
    slots = stops.shape[1]
    entry = np.empty(slots)
    for row in range(stops.shape[0]):
        worst = 0.0
        for region in range(centres.shape[0]):
            for slot in range(slots):
                east = spots[row, 0, slot] - centres[region, 0]
                north = spots[row, 1, slot] - centres[region, 1]
                gauge = 0.0
                for edge in range(normals.shape[1]):
                    across = normals[region, edge, 0] * east + normals[region, edge, 1] * north
                    gauge = max(gauge, across / distances[region, edge])
                entry[slot] = gauge
            wanted, joined = stops_per_region, 0.0
            while wanted > 0:
                # The nearest slot that has not been taken yet.
                nearest = entry.argmin()
                joined = entry[nearest]
                if joined == np.inf:
                    break
                entry[nearest] = np.inf
                wanted -= stops[row, nearest]
            worst = max(worst, joined)
        factors[row] = worst


def _draw_region(of: np.uint64, centre: tuple[float, float]) -> Region:
    turn = unit(of, 0)
    angles = [
        2 * math.pi * (turn + (edge + 0.6 * (unit(of, 1 + edge) - 0.5)) / EDGES) for edge in range(EDGES)
    ]
    normals = np.array([(math.cos(angle), math.sin(angle)) for angle in angles])
    distances = np.array([0.6 + 0.8 * unit(of, 10 + edge) for edge in range(EDGES)])
    return Region(centre, normals, distances)


def _draw_centres(of: np.uint64, city: City, people: range, regions: int) -> list[tuple[float, float]]:
    """Doors of places that many people share: a popular workplace, then venues that its people also visit."""
    places, _, stops = count_stops(city, people)
    place = city.homes + int(unit(of, 0) * max(1, math.ceil(_POPULAR_SHARE * city.workplaces)))
    visitors = np.ones(len(places), dtype=bool)
    far = np.zeros(city.x.size, dtype=bool)
    far[city.homes + city.workplaces :] = True
    centres = []
    for region in range(regions):
        centres.append((float(city.x[place]), float(city.y[place])))
        far &= np.abs(city.x - city.x[place]) + np.abs(city.y - city.y[place]) >= _MIN_APART_M
        visitors &= ((places == place) & (stops > 0)).any(axis=1)
        shared = np.bincount(places[visitors][stops[visitors] > 0], minlength=city.x.size) * far
        most_shared = np.argsort(-shared, kind="stable")[:_CHOICES]
        place = int(most_shared[int(unit(of, 1 + region) * len(most_shared))])
    return centres


def _grow(city: City, config: CityConfig, regions: list[Region]) -> tuple[float, np.ndarray]:
    """Return the factor at which the wanted number of people have joined, and everybody's own."""
    centres = np.array([region.centre for region in regions])
    normals = np.stack([region.normals for region in regions])
    distances = np.stack([region.distances for region in regions])
    factors = np.empty(config.people)
    for start in range(0, config.people, _BATCH):
        people = range(start, min(start + _BATCH, config.people))
        places, spots, stops = count_stops(city, people)
        _joins(
            places,
            spots,
            stops,
            centres,
            normals,
            distances,
            config.pattern.stops_per_region,
            factors[people.start : people.stop],
        )
    return float(np.sort(factors)[config.pattern.people - 1]), factors


def plant(config: CityConfig) -> tuple[Hotspot, ...]:
    """Draw the hotspots of a city.

    Parameters
    ----------
    config : CityConfig
        ``config.pattern`` holds the parameters of the paper's Table 1.

    Returns
    -------
    tuple of Hotspot
        Their people may overlap.

    Raises
    ------
    ConfigurationError
        No hotspot of the wanted size exists in this city.
    """
    pattern = config.pattern
    if pattern.people > config.people:
        raise ConfigurationError(
            f"city.pattern.people = {pattern.people} is more than the {config.people} people of the city",
            "ask for fewer people in the pattern",
        )
    city = build(config)
    some = range(min(config.people, _BATCH))
    hotspots: list[Hotspot] = []
    with wrapping():
        for attempt in range(_TRIES):
            numbers = (config.seed, PATTERN, pattern.seed, attempt)
            centres = _draw_centres(stream(*numbers, 0), city, some, pattern.regions)
            regions = [_draw_region(stream(*numbers, 1 + i), centre) for i, centre in enumerate(centres)]
            factor, factors = _grow(city, config, regions)
            people = np.flatnonzero(factors <= factor)
            if math.isfinite(factor) and len(people) - pattern.people <= pattern.tolerance:
                grown = tuple(Region(r.centre, r.normals, r.distances * factor) for r in regions)
                hotspots.append(Hotspot(grown, people))
            if len(hotspots) == pattern.hotspots:
                return tuple(hotspots)
    raise ConfigurationError(
        f"no hotspot of {pattern.people} people (give or take {pattern.tolerance}) with {pattern.regions} regions and "
        f"{pattern.stops_per_region} stops in each was found in {_TRIES} tries",
        "lower city.pattern.people, regions or stops_per_region, or raise city.pattern.tolerance",
    )
