"""Windows about centres as a layer: Sedona's join finds the places of each centre, comparisons their sizes.

The join has one polygon per centre, the square about its largest window; which of the nested windows hold a place is
then told by comparison with their edges or radii. Nearest neighbours have no shape to join with: they are found by
order of distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import shapely

from movfair_spark.config.spatial import Circles, Nearest, Squares
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import ConfigurationError, LimitError
from movfair_spark.kernels.spatial import windows
from movfair_spark.kernels.spatial.regions import Regions
from movfair_spark.stages.spatial_atoms import Atoms
from movfair_spark.stages.spatial_layer import Cells, Layer, Positions, moved
from movfair_spark.tables.zonings import PolygonCells, Zoning

MOST_PAIRS = 50_000_000
"""Places in windows that one driver holds (20 bytes each)."""


@dataclass(frozen=True)
class Standing:
    """Where windows stand.

    Attributes
    ----------
    section : Squares, Circles or Nearest
    system : CoordinateSystem
        In which they are squares, circles or neighbours.
    middle : float64 array of shape (c, 2)
        Centres in this system.
    """

    section: Squares | Circles | Nearest
    system: CoordinateSystem
    middle: npt.NDArray[np.float64]

    @property
    def sizes(self) -> list[float]:
        """Half sides or radii; none for nearest neighbours."""
        if isinstance(self.section, Nearest):
            return []
        return windows.half_sides(self.section.least, self.section.most, self.section.sizes)


def stand(
    section: Squares | Circles | Nearest,
    atoms: Atoms,
    crs: CoordinateSystem,
    found: npt.NDArray[np.float64] | None,
) -> Standing:
    """Place windows: given centres as they are, k-means centres (`found`) at the nearest location.

    Raises
    ------
    ConfigurationError
        Circles or neighbours in degrees.
    """
    system = crs if section.crs == "input" else CoordinateSystem.parse(section.crs)
    if system.is_geographic and not isinstance(section, Squares):
        raise ConfigurationError(
            f"regions of kind {section.kind} in degrees of {system} are no {section.kind} on the ground",
            "set crs of these regions to a system in metres (EPSG:n)",
        )
    x, y = located(atoms, crs, system)
    if section.centres == "locations":
        return Standing(section, system, np.column_stack([x, y]))
    given = np.asarray(section.centres, dtype=np.float64) if found is None else found
    if system != crs:
        given = np.column_stack(crs.transform(given[:, 0], given[:, 1], system))
    if found is not None:
        at = windows.nearest_location(x, y, given)
        given = np.column_stack([x[at], y[at]])
    return Standing(section, system, given)


def located(
    atoms: Atoms, crs: CoordinateSystem, system: CoordinateSystem
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Coordinates of the locations in a system."""
    return atoms.places if system == crs else crs.transform(*atoms.places, system)


def zoning_number(at: int) -> int:
    """Give the zoning that stands for the window layer at a position of the configuration a number below all others."""
    return -1 - at


def zoning_of(at: int, standing: Standing) -> Zoning | None:
    """Give the squares about each centre's largest window as a zoning to join with; None for neighbours."""
    if not standing.sizes:
        return None
    x, y, h = standing.middle[:, 0], standing.middle[:, 1], standing.sizes[-1]
    wkb = tuple(shapely.to_wkb(shapely.box(x - h, y - h, x + h, y + h)).tolist())
    cells = PolygonCells(wkb, tuple(map(str, range(len(wkb)))))
    return Zoning(zoning_number(at), "polygons", standing.section.kind, standing.system, polygons=cells)


def window_layer(standing: Standing, atoms: Atoms, crs: CoordinateSystem, joined: Cells | None) -> Layer:
    """Make the layer.

    Parameters
    ----------
    standing : Standing
    atoms : Atoms
    crs : CoordinateSystem
        Of the points.
    joined : pairs of atoms and centres
        From the join with `zoning_of`; None for neighbours.

    Raises
    ------
    ConfigurationError
        No window holds anybody.
    """
    section, system, middle, sizes = standing.section, standing.system, standing.middle, standing.sizes
    x, y = located(atoms, crs, system)
    if isinstance(section, Nearest):
        regions = _neighbours(section, atoms, x, y, middle)
        name = f"nearest locations, up to {section.max_share:.0%} of the people"
    else:
        assert joined is not None
        order = np.lexsort((joined[0], joined[1]))
        cuts = np.searchsorted(joined[1][order], np.arange(1, len(middle)))
        near = np.split(joined[0][order], cuts)
        grow = windows.squares if isinstance(section, Squares) else windows.circles
        regions = grow(x, y, middle, sizes, near)
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
        return moved(np.array([shape(int(i)) for i in at], dtype=object), system, crs)

    return Layer(0, section.kind, name, regions, np.arange(regions.count), label, shapes)


def _neighbours(
    section: Nearest,
    atoms: Atoms,
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    middle: npt.NDArray[np.float64],
) -> Regions:
    if len(middle) * len(x) > MOST_PAIRS:
        raise LimitError(
            f"{len(middle)} centres times {len(x)} places are {len(middle) * len(x)} windows, over {MOST_PAIRS}",
            "give fewer centres, or squares or circles",
        )
    most = int(Fraction(repr(section.max_share)) * int(atoms.n.sum()))
    return windows.nearest(x, y, atoms.n, middle, most)
