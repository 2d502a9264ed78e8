"""Stops to cellsets (movement paper 4.2-4.3; design section 2), one object, cell and day at a time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

MICROSECOND = timedelta(microseconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Stop:
    """One stop: object, interval in microseconds since the epoch (UTC), metric coordinates."""

    uid: object
    arrive: int
    leave: int
    x: float
    y: float


@dataclass(frozen=True)
class Grid:
    """A square grid of ``size`` metres whose ``shift``-th of ``shifts`` alignments is meant; origin (0, 0)."""

    size: float
    shift: int
    shifts: int

    def cell(self, x: float, y: float) -> int:
        """Half-open cell that holds (x, y), as one integer whose order is that of (col, row)."""
        moved = float(Fraction(self.shift) * Fraction(self.size) / self.shifts)
        col = math.floor((x - moved) / self.size)
        row = math.floor((y - moved) / self.size)
        return (col << 32) + row + 2**31


def grids(sizes: Iterable[float], shifts: int) -> list[Grid]:
    """All grids, sizes in order and the alignments of one size together; position = zoning_id."""
    return [Grid(size, shift, shifts) for size in sizes for shift in range(shifts)]


def local_days(stop: Stop, zone: str) -> set[int]:
    """Calendar days that [arrive, leave) touches in ``zone``; for arrive = leave the day of arrive."""
    place = ZoneInfo(zone)
    first = (EPOCH + stop.arrive * MICROSECOND).astimezone(place).date()
    last = (EPOCH + max(stop.arrive, stop.leave - 1) * MICROSECOND).astimezone(place).date()
    return set(range(first.toordinal(), last.toordinal() + 1))


def cellset(stops: list[Stop], grid: Grid, top_cells: int, zone: str) -> list[tuple[int, int]]:
    """Cells of one object on one grid with their days, best first: days, dwell, number of stops, cell order."""
    days: dict[int, set[int]] = defaultdict(set)
    dwell: dict[int, int] = defaultdict(int)
    visits: dict[int, int] = defaultdict(int)
    for stop in stops:
        cell = grid.cell(stop.x, stop.y)
        days[cell] |= local_days(stop, zone)
        dwell[cell] += stop.leave - stop.arrive
        visits[cell] += 1
    ranked = sorted(days, key=lambda c: (-len(days[c]), -dwell[c], -visits[c], c))
    return [(cell, len(days[cell])) for cell in ranked[:top_cells]]


def cellsets(
    stops: list[Stop], zonings: list[Grid], *, top_cells: int = 8, zone: str = "UTC"
) -> dict[int, dict[object, list[tuple[int, int]]]]:
    """{zoning_id: {uid: [(cell, days), ...]}} of every object that has a stop."""
    of: dict[object, list[Stop]] = defaultdict(list)
    for stop in stops:
        of[stop.uid].append(stop)
    return {
        zoning_id: {uid: cellset(mine, grid, top_cells, zone) for uid, mine in of.items()}
        for zoning_id, grid in enumerate(zonings)
    }
