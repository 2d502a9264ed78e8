"""From stops to the few cells that matter to each person, for all zonings in one pass (paper section 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import functions as F

from movfair_spark.config.cellsets import CellsetsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.cells import square_cells
from movfair_spark.kernels.days import touched_days
from movfair_spark.kernels.ranking import Ranked, rank
from movfair_spark.stages.cellset_parts import packed
from movfair_spark.stages.people import whole_people
from movfair_spark.stages.polygon_join import polygon_pairs
from movfair_spark.tables.cellsets import CELLSET, OCCUPANCY, PEOPLE, assigned_schema
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_STOP = -1
"""zoning_id of a row that is a stop itself, for the square grids."""


def cellsets(
    stops: DataFrame,
    zonings: Sequence[Zoning],
    config: CellsetsConfig,
    time_zone: str,
    crs: CoordinateSystem,
    *,
    partitions: int | None = None,
) -> DataFrame:
    """Assign cells to stops and rank them per person, and count the people of every cell.

    Coordinates are projected once per batch; square cells are arithmetic, polygon cells come from one Sedona
    join; one shuffle by person serves all zonings.

    Parameters
    ----------
    stops : DataFrame
        Table ``stops``: uid, stop_id, arrive, leave, x, y.
    zonings : sequence of Zoning
    config : CellsetsConfig
    time_zone : str
        Where calendar days begin and end (IANA name).
    crs : CoordinateSystem
        System of x and y.
    partitions : int, optional
        Tasks of the pass; ``spark.sql.shuffle.partitions`` when left out. The rows do not depend on it.

    Returns
    -------
    DataFrame
        ``kind`` and the columns of :func:`movfair_spark.tables.cellsets.assigned_schema`; write it, then take it
        apart with :func:`movfair_spark.stages.cellset_parts.parts` and :func:`movfair_spark.stages.cell_shares.zonings_table`.
    """
    spark = stops.sparkSession
    stays = stops.select(
        "uid",
        F.col("stop_id").cast("int").alias("stop_id"),
        F.unix_micros("arrive").alias("arrive"),
        F.unix_micros("leave").alias("leave"),
        "x",
        "y",
    )
    # Square grids look at neither: every column costs in the shuffle and on the way to Python.
    rows = stays.drop("stop_id")
    if any(zoning.polygons is not None for zoning in zonings):
        rows = stays.select("*", F.lit(_STOP).alias("zoning_id"), F.lit(0).cast("bigint").alias("cell"))
        nowhere = F.lit(float("nan"))
        pairs = polygon_pairs(stays, zonings, crs).select(
            "uid", "stop_id", "arrive", "leave", nowhere.alias("x"), nowhere.alias("y"), "zoning_id", "cell"
        )
        rows = rows.unionByName(pairs)
    # An explicit number: adaptive execution would collapse a small input to one task.
    tasks = partitions or int(spark.conf.get("spark.sql.shuffle.partitions") or 200)
    # The order of a person's rows is the kernel's matter: Spark sorts one number fast, several columns slowly.
    in_order = rows.repartition(tasks, "uid").sortWithinPartitions("uid")
    uid_type = stops.schema["uid"].dataType.simpleString()
    light = tuple((z.zoning_id, z.size_m, z.shift_m, z.origin, z.crs) for z in zonings)
    return in_order.mapInArrow(_Assign(light, config.top_cells, time_zone, crs), assigned_schema(uid_type))


_Light = tuple[int, float | None, float | None, tuple[float, float], CoordinateSystem]


@dataclass(frozen=True)
class _Assign:
    zonings: tuple[_Light, ...]
    top: int
    time_zone: str
    crs: CoordinateSystem

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        uid_type: pa.DataType | None = None
        people = 0
        counts: dict[int, list[tuple[NDArray[np.int64], NDArray[np.int64]]]] = {}
        for chunk in whole_people(batches):
            uid_type = chunk.uids.type
            people += len(chunk.uids)
            for zoning_id, ranked in self._rank(chunk.person, chunk.columns, len(chunk.uids)):
                counts.setdefault(zoning_id, []).append(np.unique(ranked.visited, return_counts=True))
                if len(ranked.people):
                    uids = chunk.uids.take(pa.array(ranked.people))
                    yield _row(CELLSET, zoning_id, uids.slice(0, 1), part=_part(uids, ranked))
        if uid_type is None:
            return
        nobody = pa.nulls(1, uid_type)
        yield _row(PEOPLE, _STOP, nobody, people=np.array([people]))
        for zoning_id, parts in counts.items():
            cells, inverse = np.unique(np.concatenate([cells for cells, _ in parts]), return_inverse=True)
            total = np.zeros(len(cells), np.int64)
            np.add.at(total, inverse, np.concatenate([count for _, count in parts]))
            yield _row(OCCUPANCY, zoning_id, nobody, cells=cells, people=total)

    def _rank(self, person, columns, n_people):  # type: ignore[no-untyped-def]
        first, last = touched_days(columns["arrive"], columns["leave"], self.time_zone)
        dwell = columns["leave"] - columns["arrive"]
        order = np.lexsort((first, person))
        if "zoning_id" in columns:
            order = order[columns["zoning_id"][order] == _STOP]
        stops = tuple(values[order] for values in (person, first, last, dwell))
        projected: dict[CoordinateSystem, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        for zoning_id, size, shift, origin, system in self.zonings:
            if size is not None and shift is not None:
                if system not in projected:
                    x, y = (columns[name][order] for name in ("x", "y"))
                    projected[system] = self.crs.transform(x, y, system)
                who, first_day, last_day, stay = stops
                cells = square_cells(*projected[system], size, shift, origin)
            else:
                chosen = _first_cells(np.flatnonzero(columns["zoning_id"] == zoning_id), person, columns)
                chosen = chosen[np.lexsort((first[chosen], person[chosen]))]
                who, first_day, last_day, stay = (values[chosen] for values in (person, first, last, dwell))
                cells = columns["cell"][chosen]
            starts = np.searchsorted(who, np.arange(n_people + 1))
            yield zoning_id, rank(starts, cells, first_day, last_day, stay, self.top)


def _first_cells(
    rows: NDArray[np.int64], person: NDArray[np.int64], columns: Mapping[str, NDArray]
) -> NDArray[np.int64]:
    """Of each stop the row with the first of the cells that have its point."""
    stop = [person[rows], *(columns[name][rows] for name in ("arrive", "stop_id"))]
    order = np.lexsort((columns["cell"][rows], *reversed(stop)))
    first = np.ones(len(rows), dtype=bool)
    if len(rows):
        first[1:] = np.logical_or.reduce([np.diff(each[order]) != 0 for each in stop])
    return rows[order[first]]


def _part(uids: pa.Array, ranked: Ranked) -> bytes:
    starts = pa.array(ranked.starts, pa.int32())
    return packed(uids, *(pa.ListArray.from_arrays(starts, pa.array(v)) for v in (ranked.cells, ranked.days)))


def _row(
    kind: str,
    zoning_id: int,
    uid: pa.Array,
    *,
    part: bytes | None = None,
    cells: NDArray[np.int64] | None = None,
    people: NDArray[np.int64] | None = None,
) -> pa.RecordBatch:
    lists = pa.list_(pa.int64())
    return pa.RecordBatch.from_arrays(
        [
            pa.array([kind]),
            pa.array([zoning_id], pa.int32()),
            uid,
            pa.array([part], pa.binary()),
            pa.array([cells], lists),
            pa.array([people], lists),
        ],
        names=["kind", "zoning_id", "uid", "packed", "cells", "people"],
    )
