"""Atoms and their people on the driver: what every layer of regions and every outcome model is built from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from movfair_spark.errors import LimitError
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.stages.numbering import in_uid_order
from movfair_spark.stages.spatial_points import GROUPS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_ROWS = 20_000_000
"""Places with their classes, or people, that one driver holds (about 60 bytes each)."""

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Atoms:
    """Locations in the order of (x, y), or occupied cells of the refinement in their order.

    Attributes
    ----------
    n : int64 array of shape (A,)
        People.
    x, y : float64 arrays of shape (A,), optional
        Of locations.
    cells : int64 array of shape (A,), optional
        Of the refinement.
    """

    n: npt.NDArray[np.int64]
    x: npt.NDArray[np.float64] | None = None
    y: npt.NDArray[np.float64] | None = None
    cells: npt.NDArray[np.int64] | None = None

    @property
    def places(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Coordinates of locations."""
        assert self.x is not None and self.y is not None
        return self.x, self.y


@dataclass(frozen=True)
class Tally:
    """Rows of a table of points: so many people of one atom, group and class, or one person.

    Attributes
    ----------
    atom, part, stratum, code : int64 arrays of shape (C,)
    n : int64 array of shape (C,)
        People of each row.
    parts, strata, codes : tuple of str
        What the numbers stand for; one empty text where the test does not look at it.
    outcome, weight : float64 arrays of shape (C,), optional
        Of people.
    """

    atom: Codes
    part: Codes
    stratum: Codes
    code: Codes
    n: npt.NDArray[np.int64]
    parts: tuple[str, ...]
    strata: tuple[str, ...]
    codes: tuple[str, ...]
    outcome: npt.NDArray[np.float64] | None = None
    weight: npt.NDArray[np.float64] | None = None

    @property
    def groups(self) -> tuple[Codes, npt.NDArray[np.int64]]:
        """Group of each row (a stratum of a part, numbered in their order), and the part of each group."""
        width = len(self.strata)
        found, group = np.unique(self.part * width + self.stratum, return_inverse=True)
        return group.astype(np.int64), found // width


def read_table(table: DataFrame, rows: int) -> tuple[Atoms, Tally]:
    """Bring a table of `spatial_points.locations`, `refined` or `people` to the driver.

    People stand in uid order where they have ids (design section 3, Worlds), else by place, group and outcome: equal rows
    are exchangeable.

    Raises
    ------
    LimitError
        There are more than `MOST_ROWS` rows.
    """
    if rows > MOST_ROWS:
        raise LimitError(
            f"{rows} places with their classes (or people), over the limit of {MOST_ROWS} of one driver",
            "use regions of kind grid or random and outcomes in classes, which are counted without bringing places "
            "together",
        )
    arrow = to_arrow(table)
    if "uid" in arrow.column_names:
        arrow = in_uid_order(arrow)
    else:
        arrow = arrow.sort_by([(name, "ascending") for name in arrow.column_names if name != "n"])
    held = {name: arrow[name].to_numpy() for name in arrow.column_names if name in ("x", "y", "atom", "n")}
    n = held.get("n", np.ones(arrow.num_rows, dtype=np.int64))
    if "atom" in held:
        cells, atom = np.unique(held["atom"], return_inverse=True)
        atoms = Atoms(_people(atom, n, len(cells)), cells=cells)
    else:
        places, atom = np.unique(_pairs(held["x"], held["y"]), return_inverse=True)
        atoms = Atoms(_people(atom, n, len(places)), places["x"].copy(), places["y"].copy())
    (part, parts), (stratum, strata), (code, codes) = (_coded(arrow[name]) for name in GROUPS)
    values = [
        arrow[name].to_numpy() if name in arrow.column_names and arrow[name].null_count == 0 else None
        for name in ("outcome", "weight")
    ]
    return atoms, Tally(atom.astype(np.int64), part, stratum, code, n, parts, strata, codes, *values)


def positions(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], atoms: Atoms) -> npt.NDArray[np.int64]:
    """Position of each location among the atoms; all of them are there."""
    return np.searchsorted(_pairs(*atoms.places), _pairs(x, y)).astype(np.int64)


def _people(atom: Codes, n: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    out = np.zeros(count, dtype=np.int64)
    np.add.at(out, atom, n)
    return out


def _pairs(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.void]:
    out = np.empty(len(x), dtype=[("x", "f8"), ("y", "f8")])
    out["x"], out["y"] = x, y
    return out


def _coded(column: pa.ChunkedArray) -> tuple[Codes, tuple[str, ...]]:
    """Texts as numbers in the order of the texts; nulls (a column that the test does not look at) are one text."""
    found = pc.dictionary_encode(pc.fill_null(column, "")).combine_chunks()
    names = found.dictionary.to_pylist()
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return rank[found.indices.to_numpy()], tuple(names[i] for i in order)
