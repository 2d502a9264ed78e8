"""Windows about centres: squares, circles and nearest neighbours, as rings of locations.

Windows are closed. A square of half side h about (cx, cy) holds the locations with cx - h <= x <= cx + h and
cy - h <= y <= cy + h, by comparison with its edges, as a join with the polygon would have it; a circle those within its
radius, by comparison of squares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels.spatial.regions import Regions, from_rings

Coordinates = npt.NDArray[np.float64]
Near = Sequence[npt.NDArray[np.integer]] | None
"""Locations of each centre that may lie in its windows, ascending; all of them when left out."""


def nearest_location(x: Coordinates, y: Coordinates, centres: Coordinates) -> npt.NDArray[np.int64]:
    """Location nearest to each centre (float64[c, 2]); of several the first."""
    out = np.empty(len(centres), dtype=np.int64)
    for i, (cx, cy) in enumerate(centres):
        dx, dy = x - cx, y - cy
        out[i] = np.argmin(dx * dx + dy * dy)
    return out


def squares(
    x: Coordinates, y: Coordinates, centres: Coordinates, half_sides: Sequence[float], near: Near = None
) -> Regions:
    """Squares of every half side (ascending) about every centre: one family per centre."""

    def size(px: Coordinates, py: Coordinates, cx: float, cy: float) -> npt.NDArray[np.int64]:
        ring = np.full(len(px), len(half_sides), dtype=np.int64)
        for i in range(len(half_sides) - 1, -1, -1):
            h = half_sides[i]
            ring[(px >= cx - h) & (px <= cx + h) & (py >= cy - h) & (py <= cy + h)] = i
        return ring

    return _families(x, y, centres, len(half_sides), size, near)


def circles(
    x: Coordinates, y: Coordinates, centres: Coordinates, radii: Sequence[float], near: Near = None
) -> Regions:
    """Circles of every radius (ascending) about every centre: one family per centre."""
    limits = np.array([r * r for r in radii], dtype=np.float64)

    def size(px: Coordinates, py: Coordinates, cx: float, cy: float) -> npt.NDArray[np.int64]:
        dx, dy = px - cx, py - cy
        return np.searchsorted(limits, dx * dx + dy * dy, side="left")

    return _families(x, y, centres, len(limits), size, near)


def nearest(
    x: Coordinates, y: Coordinates, people: npt.NDArray[np.int64], centres: Coordinates, most: int
) -> Regions:
    """Windows of the nearest locations about each centre, one location more at a time.

    Parameters
    ----------
    x, y : float64 arrays of shape (A,)
        Locations.
    people : int64 array of shape (A,)
        People at each.
    centres : float64 array of shape (c, 2)
    most : int
        Most people in a window: a family ends before the first window with more.

    Returns
    -------
    Regions
        One family per centre that has a window; locations at equal distance enter in their order, as in SaTScan.
    """
    families = []
    for cx, cy in centres:
        dx, dy = x - cx, y - cy
        order = np.argsort(dx * dx + dy * dy, kind="stable")
        held = int(np.searchsorted(np.cumsum(people[order]), most, side="right"))
        families.append([order[i : i + 1] for i in range(held)])
    return from_rings([family for family in families if family])


def _families(
    x: Coordinates, y: Coordinates, centres: Coordinates, sizes: int, ring_of: Callable[..., Any], near: Near
) -> Regions:
    families = []
    everywhere = np.arange(len(x))
    for number, (cx, cy) in enumerate(centres):
        at = everywhere if near is None else near[number]
        ring = ring_of(x[at], y[at], float(cx), float(cy))
        held = np.flatnonzero(ring < sizes)
        held = held[np.argsort(ring[held], kind="stable")]
        starts = np.searchsorted(ring[held], np.arange(sizes + 1))
        families.append([at[held[starts[i] : starts[i + 1]]] for i in range(sizes)])
    return from_rings(families)


def half_sides(least: float, most: float, count: int) -> list[float]:
    """Evenly spaced half sides or radii, both ends included."""
    if count == 1:
        return [most]
    step = (most - least) / (count - 1)
    return [least + i * step for i in range(count - 1)] + [most]
