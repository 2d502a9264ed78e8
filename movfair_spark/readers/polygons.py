"""Polygon files (GeoJSON, GeoPackage, Shapefile, GeoParquet) as the cells of a zoning, read on the driver."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

import geopandas as gpd
import numpy as np
import shapely

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import InputError, MissingColumnsError
from movfair_spark.tables.zonings import PolygonCells

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AREAL = ("Polygon", "MultiPolygon")


def read_polygons(
    spark: SparkSession,
    path: str,
    *,
    id_column: str | None = None,
    invalid: Literal["repair", "refuse"] = "repair",
    default_crs: CoordinateSystem | None = None,
) -> tuple[PolygonCells, CoordinateSystem]:
    """Read the cells of a zoning.

    Parameters
    ----------
    spark : SparkSession
        Reads files that are not on a local disk.
    path : str
        A local path or any path that Spark can read; a Shapefile is named by its ``.shp``.
    id_column : str, optional
        Cells are ordered by it (numbers as numbers, texts by their UTF-8 bytes); without it by their position in
        the file.
    invalid : 'repair' or 'refuse'
        What to do with self-intersecting polygons. A repair keeps every lobe (never a zero buffer) and is
        counted.
    default_crs : CoordinateSystem, optional
        For a file that names no system.

    Returns
    -------
    PolygonCells, CoordinateSystem

    Raises
    ------
    InputError
        The file cannot be read, holds no polygons, an empty or a non-areal geometry, an invalid one under
        ``refuse``, or no reference system.
    MissingColumnsError
        ``id_column`` is absent, or its values are not unique.
    """
    frame = _load(spark, path)
    if len(frame) == 0:
        raise InputError(f"{path} holds no polygons", "A zoning needs at least one cell")
    if id_column is not None:
        frame = _ordered(frame, id_column, path)
    geometry = np.asarray(frame.geometry.array, dtype=object)
    _check_areal(geometry, path)
    broken = ~shapely.is_valid(geometry)
    if broken.any():
        if invalid == "refuse":
            position = int(np.flatnonzero(broken)[0])
            raise InputError(
                f"{path} has {int(broken.sum())} invalid polygons, the first at position {position}: "
                f"{shapely.is_valid_reason(geometry[position]).split('[')[0]}",
                "Repair the file, or set invalid: repair",
            )
        geometry[broken] = [_areal_part(shape) for shape in shapely.make_valid(geometry[broken])]
        _check_areal(geometry, path)
    names = frame[id_column] if id_column is not None else range(len(frame))
    cells = PolygonCells(
        wkb=tuple(shapely.to_wkb(shapely.force_2d(geometry))),
        names=tuple(str(name) for name in names),
        repaired=int(broken.sum()),
        overlaps=_overlaps(geometry),
    )
    if frame.crs is not None:
        return cells, CoordinateSystem.parse(frame.crs.to_json())
    if default_crs is None:
        raise InputError(f"{path} names no coordinate reference system", "Write the file with one")
    return cells, default_crs


def _load(spark: SparkSession, path: str) -> gpd.GeoDataFrame:
    with _local(spark, path) as file:
        if not file.exists():
            raise InputError(f"{path} does not exist", "Check the path of the polygon file")
        try:
            if file.suffix in (".parquet", ".geoparquet"):
                return gpd.read_parquet(file)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # GDAL's remarks on drivers; wrong content is checked below
                frame = gpd.read_file(file)
        except Exception as error:  # GDAL, Arrow and geopandas raise their own kinds
            reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            raise InputError(
                f"{path} cannot be read as polygons ({reason})",
                "Give a GeoJSON, GeoPackage, Shapefile or GeoParquet file",
            ) from None
    if not isinstance(frame, gpd.GeoDataFrame):
        raise InputError(f"{path} has no geometry column", "Give a file of polygons")
    return frame


@contextmanager
def _local(spark: SparkSession, path: str) -> Iterator[Path]:
    parts = urlsplit(path)
    if parts.scheme in ("", "file") or len(parts.scheme) == 1:  # one letter: a Windows drive
        yield Path(unquote(parts.path) if parts.scheme == "file" else path).expanduser()
        return
    folder, _, name = path.rpartition("/")
    # A Shapefile is several files of one stem.
    wanted = f"{folder}/{name[:-4]}.*" if name.endswith(".shp") else path
    with tempfile.TemporaryDirectory() as copy:
        for row in spark.read.format("binaryFile").load(wanted).select("path", "content").toLocalIterator():
            (Path(copy) / row["path"].rpartition("/")[2]).write_bytes(bytes(row["content"]))
        yield Path(copy) / name


def _ordered(frame: gpd.GeoDataFrame, column: str, path: str) -> gpd.GeoDataFrame:
    if column not in frame.columns or column == frame.geometry.name:
        raise MissingColumnsError(
            f"{path} has no column {column!r}",
            f"Its columns are {', '.join(str(name) for name in frame.columns if name != frame.geometry.name)}",
        )
    ids = frame[column]
    if ids.isna().any() or ids.duplicated().any():
        raise MissingColumnsError(
            f"column {column!r} of {path} has empty or repeated values", "Each cell needs an id of its own"
        )
    key = (lambda c: c) if ids.dtype.kind in "iuf" else (lambda c: c.astype(str).str.encode("utf-8"))
    return frame.sort_values(column, key=key, kind="stable")


def _check_areal(geometry: np.ndarray, path: str) -> None:
    for position, shape in enumerate(geometry):
        if shape is None or shape.is_empty or shape.geom_type not in _AREAL:
            found = "no geometry" if shape is None or shape.is_empty else f"a {shape.geom_type}"
            raise InputError(f"{path} has {found} at position {position}", "Every cell must be a polygon")


def _areal_part(shape: shapely.Geometry) -> shapely.Geometry:
    """Keep the polygons of a repaired shape, without the lines and points that touched them."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type in _AREAL]
    return shapely.union_all(parts) if parts else shapely.Polygon()


def _overlaps(geometry: np.ndarray) -> int:
    """Count pairs of cells whose interiors meet in more than a sliver."""
    first, second = shapely.STRtree(geometry).query(geometry, predicate="intersects")
    first, second = first[first < second], second[first < second]
    shared = shapely.area(shapely.intersection(geometry[first], geometry[second]))
    smaller = np.minimum(shapely.area(geometry[first]), shapely.area(geometry[second]))
    return int((shared > 1e-9 * smaller).sum())
