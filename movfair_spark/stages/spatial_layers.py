"""Layers of regions: partitionings, square zonings, polygon files and windows over the same atoms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import shapely

from movfair_spark.config.spatial import Circles, Grid, Nearest, RandomGrids, SpatialConfig, Squares
from movfair_spark.config.zonings import PolygonZoning, SquareZonings
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import ConfigurationError, LimitError
from movfair_spark.kernels.cells import square_cells
from movfair_spark.kernels.spatial import partitionings as cutting
from movfair_spark.kernels.spatial import windows
from movfair_spark.kernels.spatial.partitionings import Box, Partitioning
from movfair_spark.kernels.spatial.regions import Regions, from_cells
from movfair_spark.stages.spatial_atoms import Atoms
from movfair_spark.tables.zonings import Zoning

MOST_PAIRS = 50_000_000
"""Windows of nearest neighbours that one driver holds (20 bytes each)."""

Positions = npt.NDArray[np.int64]
Cells = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Atoms that have a cell, and their cells."""


@dataclass(frozen=True)
class Layer:
    """Regions of one kind and size.

    Attributes
    ----------
    layer_id : int
        Position among all layers.
    kind, name : str
    regions : Regions
        Over the atoms of the audit.
    ids : int64 array of shape (R,)
        Cell of each region, or its position among windows.
    label : callable
        Name of the region at a position, for people.
    shapes : callable
        Shapely geometries of regions at positions, in the input's system.
    """

    layer_id: int
    kind: str
    name: str
    regions: Regions
    ids: npt.NDArray[np.int64]
    label: Callable[[int], str]
    shapes: Callable[[Positions], npt.NDArray[np.object_]]

    @property
    def is_partitioning(self) -> bool:
        """Whether MeanVar is defined on it."""
        return self.kind in ("grid", "random")


def only_partitionings(config: SpatialConfig) -> bool:
    """Whether every layer is a union of cells of one refinement."""
    return all(isinstance(layer, Grid | RandomGrids) for layer in config.regions)


def partitionings(config: SpatialConfig, box: Box) -> list[Partitioning]:
    """All k x l partitionings of a configuration, in order."""
    made = []
    for layer in config.regions:
        if isinstance(layer, Grid):
            made.append(cutting.regular(box, layer.columns, layer.rows))
        elif isinstance(layer, RandomGrids):
            splits = cutting.random_splits(layer.count, layer.seed, layer.least, layer.most)
            made += [cutting.regular(box, *pair) for pair in splits]
    return made


def build_layers(
    config: SpatialConfig,
    atoms: Atoms,
    box: Box,
    crs: CoordinateSystem,
    zonings: Sequence[Zoning],
    polygon_cells: Mapping[int, Cells],
    centres: Mapping[int, npt.NDArray[np.float64]],
) -> list[Layer]:
    """Build all layers.

    Parameters
    ----------
    config : SpatialConfig
    atoms : Atoms
    box : Box
        Of the tested points.
    crs : CoordinateSystem
        Of the points.
    zonings : sequence of Zoning
        Of the square zonings and polygon files of the configuration, in its order.
    polygon_cells : mapping
        ``zoning_id`` to atoms and cells, from Sedona's join.
    centres : mapping
        Position of a window layer in the configuration to its k-means centres.
    """
    every = partitionings(config, box)
    refined = cutting.refinement(every) if every else None
    cut, laid = iter(every), iter(zonings)
    found: list[Layer] = []
    for at, section in enumerate(config.regions):
        if isinstance(section, Grid | RandomGrids):
            for _ in range(section.count if isinstance(section, RandomGrids) else 1):
                found.append(_grid(next(cut), section.kind, refined, atoms))
        elif isinstance(section, SquareZonings):
            for _ in range(len(section.size_m) * section.shifts):
                found.append(_zoning(next(laid), atoms, crs, polygon_cells))
        elif isinstance(section, PolygonZoning):
            found.append(_zoning(next(laid), atoms, crs, polygon_cells))
        else:
            found.append(_windows(section, atoms, crs, centres.get(at)))
    return [replace(layer, layer_id=number) for number, layer in enumerate(found)]


def _grid(each: Partitioning, kind: str, refined: Partitioning | None, atoms: Atoms) -> Layer:
    if atoms.cells is not None:
        assert refined is not None
        cells = cutting.coarser(atoms.cells, refined, each) if len(atoms.cells) else atoms.cells
    else:
        cells = cutting.cells_of(*atoms.places, each)
    regions, ids = from_cells(cells)

    def label(at: int) -> str:
        column, row = divmod(int(ids[at]), each.rows)
        return f"{column}/{row}"

    def shapes(at: Positions) -> npt.NDArray[np.object_]:
        return np.array([shapely.box(*each.rectangle(int(ids[i]))) for i in at], dtype=object)

    return Layer(0, kind, f"{each.columns} x {each.rows}", regions, ids, label, shapes)


def _zoning(zoning: Zoning, atoms: Atoms, crs: CoordinateSystem, polygon_cells: Mapping[int, Cells]) -> Layer:
    if zoning.polygons is not None:
        held, cells = polygon_cells[zoning.zoning_id]
        regions, ids = from_cells(cells, held)
    else:
        assert zoning.size_m is not None and zoning.shift_m is not None
        x, y = crs.transform(*atoms.places, zoning.crs)
        regions, ids = from_cells(square_cells(x, y, zoning.size_m, zoning.shift_m, zoning.origin))

    def shapes(at: Positions) -> npt.NDArray[np.object_]:
        return _moved(np.asarray(zoning.geometries(ids[at])), zoning.crs, crs)

    return Layer(0, zoning.kind, zoning.name, regions, ids, lambda at: zoning.cell_name(int(ids[at])), shapes)


def _windows(
    section: Squares | Circles | Nearest,
    atoms: Atoms,
    crs: CoordinateSystem,
    centres: npt.NDArray[np.float64] | None,
) -> Layer:
    system = crs if section.crs == "input" else CoordinateSystem.parse(section.crs)
    if system.is_geographic and not isinstance(section, Squares):
        raise ConfigurationError(
            f"regions of kind {section.kind} in degrees of {system} are no {section.kind} on the ground",
            "set crs of these regions to a system in metres (EPSG:n)",
        )
    x, y = atoms.places if system == crs else crs.transform(*atoms.places, system)
    middle = _centres(section, x, y, crs, system, centres)
    if isinstance(section, Nearest):
        if len(middle) * len(x) > MOST_PAIRS:
            raise LimitError(
                f"{len(middle)} centres times {len(x)} places are {len(middle) * len(x)} windows, over {MOST_PAIRS}",
                "give fewer centres, or squares or circles",
            )
        most = int(Fraction(repr(section.max_share)) * int(atoms.n.sum()))
        regions = windows.nearest(x, y, atoms.n, middle, most)
        sizes: list[float] = []
        name = f"nearest locations, up to {section.max_share:.0%} of the people"
    else:
        sizes = windows.half_sides(section.least, section.most, section.sizes)
        grow = windows.squares if isinstance(section, Squares) else windows.circles
        regions = grow(x, y, middle, sizes)
        name = f"{section.kind} of {section.sizes} sizes about {len(middle)} centres"
    if regions.count == 0:
        raise ConfigurationError(f"no window of kind {section.kind} holds anybody", "give larger windows")

    def place(at: int) -> tuple[int, int]:
        family = int(np.searchsorted(regions.families, at, side="right")) - 1
        return family, at - int(regions.families[family])

    def label(at: int) -> str:
        family, ring = place(at)
        size = f"{2 * sizes[ring]:g} wide" if sizes else f"{ring + 1} locations"
        return f"centre {family}, {size}"

    def shape(at: int) -> shapely.Geometry:
        family, ring = place(at)
        if not sizes:
            members = regions.members(at)
            return shapely.convex_hull(shapely.multipoints(np.column_stack([x[members], y[members]])))
        cx, cy, h = float(middle[family, 0]), float(middle[family, 1]), sizes[ring]
        if isinstance(section, Squares):
            return shapely.box(cx - h, cy - h, cx + h, cy + h)
        return shapely.Point(cx, cy).buffer(h)

    def shapes(at: Positions) -> npt.NDArray[np.object_]:
        return _moved(np.array([shape(int(i)) for i in at], dtype=object), system, crs)

    return Layer(0, section.kind, name, regions, np.arange(regions.count), label, shapes)


def _centres(
    section: Squares | Circles | Nearest,
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    crs: CoordinateSystem,
    system: CoordinateSystem,
    found: npt.NDArray[np.float64] | None,
) -> npt.NDArray[np.float64]:
    """Centres in the windows' system: given ones as they are, k-means centres at the nearest location."""
    if section.centres == "locations":
        return np.column_stack([x, y])
    given = np.asarray(section.centres, dtype=np.float64) if found is None else found
    if system != crs:
        given = np.column_stack(crs.transform(given[:, 0], given[:, 1], system))
    if found is None:
        return given
    at = windows.nearest_location(x, y, given)
    return np.column_stack([x[at], y[at]])


def _moved(
    shapes: npt.NDArray[np.object_], source: CoordinateSystem, target: CoordinateSystem
) -> npt.NDArray[np.object_]:
    if source == target:
        return shapes
    return shapely.transform(
        shapes, lambda points: np.column_stack(source.transform(points[:, 0], points[:, 1], target))
    )
