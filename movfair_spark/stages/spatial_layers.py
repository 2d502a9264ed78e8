"""Layers of regions: partitionings, square zonings, polygon files and windows over the same atoms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import shapely

from movfair_spark.config.spatial import Grid, RandomGrids, SpatialConfig
from movfair_spark.config.zonings import PolygonZoning, SquareZonings
from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.cells import square_cells
from movfair_spark.kernels.spatial import partitionings as cutting
from movfair_spark.kernels.spatial.partitionings import Box, Partitioning
from movfair_spark.kernels.spatial.regions import from_cells
from movfair_spark.stages.spatial_atoms import Atoms
from movfair_spark.stages.spatial_layer import Cells, Layer, Positions, moved
from movfair_spark.stages.spatial_windows import Standing, window_layer, zoning_number
from movfair_spark.tables.zonings import Zoning


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
    joined: Mapping[int, Cells],
    standing: Mapping[int, Standing],
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
    joined : mapping
        ``zoning_id`` of polygon files, and of windows (`spatial_windows.zoning_of`), to atoms and cells, from Sedona's
        join.
    standing : mapping
        Position of a window layer in the configuration to where its windows stand.
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
                found.append(_zoning(next(laid), atoms, crs, joined))
        elif isinstance(section, PolygonZoning):
            found.append(_zoning(next(laid), atoms, crs, joined))
        else:
            found.append(window_layer(standing[at], atoms, crs, joined.get(zoning_number(at))))
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


def _zoning(zoning: Zoning, atoms: Atoms, crs: CoordinateSystem, joined: Mapping[int, Cells]) -> Layer:
    if zoning.polygons is not None:
        held, cells = joined[zoning.zoning_id]
        regions, ids = from_cells(cells, held)
    else:
        assert zoning.size_m is not None and zoning.shift_m is not None
        x, y = crs.transform(*atoms.places, zoning.crs)
        regions, ids = from_cells(square_cells(x, y, zoning.size_m, zoning.shift_m, zoning.origin))

    def shapes(at: Positions) -> npt.NDArray[np.object_]:
        return moved(np.asarray(zoning.geometries(ids[at])), zoning.crs, crs)

    return Layer(0, zoning.kind, zoning.name, regions, ids, lambda at: zoning.cell_name(int(ids[at])), shapes)
