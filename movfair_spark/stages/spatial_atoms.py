"""Atoms on the driver: what every layer of regions is built from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import LimitError
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.stages.numbering import in_uid_order

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_ATOMS = 20_000_000
"""Locations or cells that one driver holds (32 bytes each)."""


@dataclass(frozen=True)
class Atoms:
    """Locations in the order of (x, y), or occupied cells of the refinement in their order.

    Attributes
    ----------
    n, p : int64 arrays of shape (A,)
        People and positives.
    x, y : float64 arrays of shape (A,), optional
        Of locations.
    cells : int64 array of shape (A,), optional
        Of the refinement.
    """

    n: npt.NDArray[np.int64]
    p: npt.NDArray[np.int64]
    x: npt.NDArray[np.float64] | None = None
    y: npt.NDArray[np.float64] | None = None
    cells: npt.NDArray[np.int64] | None = None

    @property
    def places(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Coordinates of locations."""
        assert self.x is not None and self.y is not None
        return self.x, self.y


def read_atoms(table: DataFrame, count: int) -> Atoms:
    """Bring a table of locations or cells to the driver, in order.

    Raises
    ------
    LimitError
        There are more than `MOST_ATOMS`.
    """
    if count > MOST_ATOMS:
        raise LimitError(
            f"{count} different places, over the limit of {MOST_ATOMS} of one driver",
            "use regions of kind grid or random, whose cells are counted without bringing the places together",
        )
    keys = ["atom"] if "atom" in table.columns else ["x", "y"]
    rows = to_arrow(table).sort_by([(key, "ascending") for key in keys])
    arrays = {name: rows[name].to_numpy() for name in rows.column_names}
    if "atom" in arrays:
        return Atoms(arrays["n"], arrays["p"], cells=arrays["atom"])
    return Atoms(arrays["n"], arrays["p"], arrays["x"], arrays["y"])


def people_in_order(points: DataFrame, atoms: Atoms) -> npt.NDArray[np.int64]:
    """Atom of each person in uid order (design section 3, Worlds), int64[N].

    Parameters
    ----------
    points : DataFrame
        ``uid, x, y`` of the people in the test.
    atoms : Atoms
        Their locations.
    """
    table = in_uid_order(to_arrow(points.selectExpr("uid", "x + 0D AS x", "y + 0D AS y")))
    return positions(table["x"].to_numpy(), table["y"].to_numpy(), atoms)


def positions(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], atoms: Atoms) -> npt.NDArray[np.int64]:
    """Position of each location among the atoms; all of them are there."""
    kind = [("x", "f8"), ("y", "f8")]
    known, asked = np.empty(len(atoms.n), dtype=kind), np.empty(len(x), dtype=kind)
    known["x"], known["y"] = atoms.places
    asked["x"], asked["y"] = x, y
    return np.searchsorted(known, asked).astype(np.int64)
