"""Zonings: the division of the area into cells, as an object and as the table ``zonings``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray

from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.cells import square_edges, unpack

ZONINGS_SCHEMA = "zoning_id int, kind string, name string, size_m double, shift_m double, cells bigint, max_cell_share double"
"""``cells`` counts cells with at least one stop; ``max_cell_share`` is the largest share of the people with stops
that one cell holds."""


@dataclass(frozen=True)
class PolygonCells:
    """Cells of a zoning that came from a polygon file; the position is the cell's id.

    Attributes
    ----------
    wkb : tuple of bytes
        Geometry of each cell, in the zoning's reference system.
    names : tuple of str
        What the file calls each cell (its id column, else the position).
    repaired, overlaps : int
        Cells that were made valid; pairs of cells that share area (a point there belongs to the first).
    """

    wkb: tuple[bytes, ...]
    names: tuple[str, ...]
    repaired: int = 0
    overlaps: int = 0


@dataclass(frozen=True)
class Zoning:
    """One zoning of an audit.

    Attributes
    ----------
    zoning_id : int
        Position in the configured order.
    kind : 'square' or 'polygons'
    name : str
        For people: ``100 m + 20 m`` or the file's name.
    crs : CoordinateSystem
        System in which cells are assigned.
    size_m, shift_m : float, optional
        Side of a square and displacement to the right and up, metres.
    origin : tuple of float
        (x0, y0) of square grids.
    polygons : PolygonCells, optional
    """

    zoning_id: int
    kind: Literal["square", "polygons"]
    name: str
    crs: CoordinateSystem
    size_m: float | None = None
    shift_m: float | None = None
    origin: tuple[float, float] = (0.0, 0.0)
    polygons: PolygonCells | None = None

    def geometries(self, cells: NDArray[np.int64]) -> NDArray[np.object_]:
        """Shapely polygons of cell ids, in the zoning's reference system."""
        if self.polygons is not None:
            return shapely.from_wkb([self.polygons.wkb[int(cell)] for cell in cells])
        assert self.size_m is not None and self.shift_m is not None
        ids = np.asarray(cells, dtype=np.int64)
        return np.asarray(shapely.box(*square_edges(ids, self.size_m, self.shift_m, self.origin)))

    @property
    def cell_kind(self) -> str:
        """What the cells are, for people: ``200 m cells``, or the name of the polygons."""
        return self.name if self.size_m is None else f"{self.size_m:g} m cells"

    def cell_name(self, cell: int) -> str:
        """Name of a cell for people: the file's id, or ``column/row``."""
        if self.polygons is not None:
            return self.polygons.names[cell]
        col, row = unpack(np.array([cell]))
        return f"{int(col[0])}/{int(row[0])}"
