"""The geometry of evidence: the cells of each row's cellset, dissolved by Sedona."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import shapely
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, StructField, StructType

from movfair_spark.crs import CoordinateSystem
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PARTS = "_parts"


def geometry_system(zonings: Sequence[Zoning]) -> CoordinateSystem:
    """System of the evidence's geometry: that of the first zoning (a file holds one system)."""
    return zonings[0].crs


def with_geometry(evidence: DataFrame, zonings: Sequence[Zoning]) -> DataFrame:
    """Add the column ``geometry``: the union of the row's cells in :func:`geometry_system`.

    Parameters
    ----------
    evidence : DataFrame
        With ``zoning_id`` and ``cells`` (array of bigint).
    zonings : sequence of Zoning
        All zonings that occur.
    """
    rows = evidence.drop("geometry")
    schema = StructType([*rows.schema.fields, StructField(_PARTS, ArrayType(BinaryType()))])
    parts = rows.mapInArrow(_Parts({z.zoning_id: z for z in zonings}, geometry_system(zonings)), schema)
    union = f"ST_Union(transform({_PARTS}, part -> ST_GeomFromWKB(part)))"
    return parts.withColumn("geometry", F.expr(union)).drop(_PARTS)


@dataclass(frozen=True)
class _Parts:
    zonings: dict[int, Zoning]
    system: CoordinateSystem

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            parts = [
                self._wkb(self.zonings[zoning_id], cells)
                for zoning_id, cells in zip(
                    batch.column("zoning_id").to_pylist(), batch.column("cells").to_pylist(), strict=True
                )
            ]
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, pa.array(parts, pa.list_(pa.binary()))], names=[*batch.schema.names, _PARTS]
            )

    def _wkb(self, zoning: Zoning, cells: list[int]) -> list[bytes]:
        shapes = zoning.geometries(np.array(cells, dtype=np.int64))
        if zoning.crs != self.system:
            shapes = shapely.transform(shapes, self._reproject(zoning.crs))
        return list(shapely.to_wkb(shapes))

    def _reproject(self, source: CoordinateSystem):  # type: ignore[no-untyped-def]
        def reproject(points: np.ndarray) -> np.ndarray:
            return np.column_stack(source.transform(points[:, 0], points[:, 1], self.system))

        return reproject
