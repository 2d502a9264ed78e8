"""A layer: regions of one kind over the atoms of an audit, with their names and shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely

from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.spatial.regions import Regions

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


def moved(
    shapes: npt.NDArray[np.object_], source: CoordinateSystem, target: CoordinateSystem
) -> npt.NDArray[np.object_]:
    """Shapes in another system, vertex by vertex."""
    if source == target:
        return shapes
    return shapely.transform(
        shapes, lambda points: np.column_stack(source.transform(points[:, 0], points[:, 1], target))
    )
