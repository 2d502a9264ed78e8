"""From the configuration and the extent of the stops to the list of zonings (paper section 4.2)."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from movfair_spark.config.zonings import PolygonZoning, SquareZonings, ZoningsConfig
from movfair_spark.crs import BBox, CoordinateSystem
from movfair_spark.errors import ConfigurationError, CoordinatesError, EmptyTableError
from movfair_spark.readers.polygons import read_polygons
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

log = logging.getLogger(__name__)

MAX_SCALE_ERROR = 0.02
"""A grid's metres may differ this much from metres on the ground: the edge of three UTM zones is 1.2 % off."""

_MAX_INDEX = 2**31 - 1


def build(config: ZoningsConfig, stops: DataFrame, crs: CoordinateSystem) -> list[Zoning]:
    """Lay out the configured zonings: number them and fix their reference systems.

    Parameters
    ----------
    config : ZoningsConfig
    stops : DataFrame
        Columns x and y in ``crs``; all people, labelled or not (design section 3).
    crs : CoordinateSystem
        System of the stops.

    Returns
    -------
    list of Zoning
        In configured order: every size in every alignment, i·size / shifts for i = 0..shifts − 1.

    Raises
    ------
    EmptyTableError
        There are no stops.
    ConfigurationError, CoordinatesError
        The grid's system is not metric over the data, or the data is too wide for ``auto``.
    InputError
        A polygon file cannot be used.
    """
    box = bounding_box(stops, crs)
    zonings: list[Zoning] = []
    for layer in config.layers:
        if isinstance(layer, PolygonZoning):
            zonings.append(_polygons(layer, len(zonings), stops, crs))
        else:
            zonings.extend(_squares(layer, len(zonings), config.crs, stops, crs, box))
    return zonings


def bounding_box(stops: DataFrame, crs: CoordinateSystem) -> BBox:
    """Box of all stops in their own system; over the antimeridian max_x passes 180 degrees.

    Raises
    ------
    EmptyTableError
        There are no stops.
    """
    # Of a group on both sides of the antimeridian the narrower view is the right one.
    turned = F.when(F.col("x") < 0, F.col("x") + 360.0).otherwise(F.col("x"))
    row = stops.agg(
        *(agg(c).alias(f"{name}_{c}") for c in ("x", "y") for name, agg in (("min", F.min), ("max", F.max))),
        F.min(turned).alias("min_turned"),
        F.max(turned).alias("max_turned"),
    ).first()
    if row is None or row["min_x"] is None:
        raise EmptyTableError(
            "no person has a stop, so there are no cells to test",
            "Lower stops.min_minutes, raise stops.radius_m, or check the units of times and coordinates",
        )
    west, east = row["min_x"], row["max_x"]
    if crs.is_geographic and row["max_turned"] - row["min_turned"] < east - west:
        west, east = row["min_turned"], row["max_turned"]
    return (west, row["min_y"], east, row["max_y"])


def grid_system(configured: str, crs: CoordinateSystem, box: BBox) -> CoordinateSystem:
    """Metric system of the square grids: ``auto``, ``input`` or a named one.

    Raises
    ------
    ConfigurationError, CoordinatesError
        It does not count metres on the ground over the data.
    """
    if configured == "input" or (configured == "auto" and crs.is_planar):
        system = crs
    elif configured == "auto":
        return crs.utm_for(box)
    else:
        system = CoordinateSystem.parse(configured)
    if not system.is_metric:
        raise ConfigurationError(
            f"zonings.crs {system} does not count metres, so size_m has no meaning in it",
            "Use zonings.crs: auto, or a projected system in metres",
        )
    error = system.scale_error(box_in(system, crs, box))
    if not error <= MAX_SCALE_ERROR:
        raise CoordinatesError(
            f"a metre of zonings.crs {system} is {error:.1%} off a metre on the ground where the data lies "
            f"(limit {MAX_SCALE_ERROR:.0%})",
            "Use zonings.crs: auto, or a system made for the area",
        )
    return system


def _squares(
    layer: SquareZonings, first_id: int, configured: str, stops: DataFrame, crs: CoordinateSystem, box: BBox
) -> Iterator[Zoning]:
    system = grid_system(configured, crs, box)
    grid_box = box_in(system, crs, box)
    origin = layer.origin if layer.origin != "data" else _lower_left(stops, crs, system)
    reach = max(abs(edge - origin[axis]) for axis in (0, 1) for edge in (grid_box[axis], grid_box[axis + 2]))
    for position, (size, i) in enumerate((size, i) for size in layer.size_m for i in range(layer.shifts)):
        if reach / size > _MAX_INDEX - 1:
            raise ConfigurationError(
                f"zonings size_m {size:g} gives more than {_MAX_INDEX} columns between origin and data",
                "Use larger cells, or origin: data",
            )
        shift = i * size / layer.shifts
        yield Zoning(
            zoning_id=first_id + position,
            kind="square",
            name=f"{size:g} m" if i == 0 else f"{size:g} m + {shift:g} m",
            crs=system,
            size_m=size,
            shift_m=shift,
            origin=origin,
        )


def _polygons(layer: PolygonZoning, zoning_id: int, stops: DataFrame, crs: CoordinateSystem) -> Zoning:
    cells, system = read_polygons(
        stops.sparkSession,
        layer.path,
        id_column=layer.id_column,
        invalid=layer.invalid,
        default_crs=crs if crs.is_planar else None,
    )
    if system.is_planar != crs.is_planar:
        raise ConfigurationError(
            f"{layer.path} is in {system}, the stops are in {crs}: they cannot be brought together",
            "Name the reference system of the points (input.crs)",
        )
    name = layer.name or PurePosixPath(layer.path).stem
    if cells.repaired:
        log.warning("zoning %s: %d invalid polygons were made valid", name, cells.repaired)
    if cells.overlaps:
        log.warning(
            "zoning %s: %d pairs of cells overlap; a stop in both belongs to the first", name, cells.overlaps
        )
    return Zoning(zoning_id, "polygons", name, system, polygons=cells)


def box_in(system: CoordinateSystem, crs: CoordinateSystem, box: BBox) -> BBox:
    """Box of the outline of ``box`` (21 points per side) in another system."""
    if system == crs:
        return box
    xs, ys = np.linspace(box[0], box[2], 21), np.linspace(box[1], box[3], 21)
    outline_x = np.concatenate([xs, xs, np.full(21, box[0]), np.full(21, box[2])])
    outline_y = np.concatenate([np.full(21, box[1]), np.full(21, box[3]), ys, ys])
    x, y = crs.transform(outline_x, outline_y, system)
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise CoordinatesError(
            f"the data does not lie where {system} is defined", "Use zonings.crs: auto, or check input.crs"
        )
    return (float(x.min()), float(y.min()), float(x.max()), float(y.max()))


def _lower_left(stops: DataFrame, crs: CoordinateSystem, system: CoordinateSystem) -> tuple[float, float]:
    row = (
        stops.select("x", "y")
        .mapInArrow(_LowerLeft(crs, system), "x double, y double")
        .agg(F.min("x"), F.min("y"))
        .first()
    )
    assert row is not None
    return (row[0], row[1])


@dataclass(frozen=True)
class _LowerLeft:
    crs: CoordinateSystem
    system: CoordinateSystem

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        low_x, low_y = math.inf, math.inf
        for batch in batches:
            if batch.num_rows:
                x, y = (batch.column(c).to_numpy(zero_copy_only=False) for c in ("x", "y"))
                x, y = self.crs.transform(x, y, self.system)
                low_x, low_y = min(low_x, float(x.min())), min(low_y, float(y.min()))
        if math.isfinite(low_x):
            yield pa.RecordBatch.from_pydict({"x": [low_x], "y": [low_y]})
