"""Known answers of coordinate systems, polygon repair, and cells of the Patterns-of-Life check-ins."""

from __future__ import annotations

import gzip
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas as gpd
import shapely
from pyspark.sql import functions as F

from movfair_spark.config.cellsets import CellsetsConfig
from movfair_spark.config.zonings import SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.readers.polygons import read_polygons
from movfair_spark.stages.cell_shares import zonings_table
from movfair_spark.stages.cellset_parts import split_cellsets
from movfair_spark.stages.cellsets import cellsets
from movfair_spark.stages.zonings import build
from movfair_spark.tables.cellsets import OCCUPANCY

NOTES = "Patterns of Life, Atlanta check-ins on a 250 m grid"


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Control points, the bowtie, and the figures of the check-ins."""
    yield from control_points()
    yield from bowtie()
    yield from atlanta(data, spark)


def case(name: str, source: str, expected: Any, ours: Any, tolerance: float = 0.0) -> dict[str, Any]:
    return {"case": name, "source": source, "expected": expected, "ours": ours, "tolerance": tolerance}


def control_points() -> Iterator[dict[str, Any]]:
    points = [
        (
            3021,
            3006,
            (1272691.622, 6404578.16),
            [320728.444, 6400228.108],
            0.01,
            "PostGIS, apache/sedona #3161",
        ),
        (
            26916,
            4326,
            (743588.0540441733, 3738088.020985135),
            [-84.370163, 33.754902],
            1e-6,
            "Patterns of Life",
        ),
        (4267, 26718, (-73.5, 40.5), [627106.5, 4484124.4], 0.1, "Snyder 1987, UTM example"),
    ]
    for source, target, (x, y), expected, tolerance, where in points:
        ours = CoordinateSystem.parse(source).transform([x], [y], CoordinateSystem.parse(target))
        yield case(f"EPSG:{source} to EPSG:{target}", where, expected, [float(v[0]) for v in ours], tolerance)


def bowtie() -> Iterator[dict[str, Any]]:
    ring = shapely.Polygon([(0, 0), (8, 6), (8, 0), (0, 2)])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bowtie.gpkg"
        gpd.GeoDataFrame(geometry=[ring], crs="EPSG:32616").to_file(path)
        cells, _ = read_polygons(None, str(path))  # type: ignore[arg-type]
    shape = shapely.from_wkb(cells.wkb[0])
    source = "shapely #462, locationtech/jts #629"
    yield case("area of a bowtie made valid", source, 20.0, float(shape.area), 1e-9)
    inside = [int(shape.intersects(shapely.Point(*at))) for at in [(0.5, 1), (6, 2), (4, 5)]]
    yield case("(0.5, 1), (6, 2), (4, 5) lie in the bowtie", source, [1, 1, 0], inside)


def atlanta(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    with gzip.open(data / "pol_atlanta" / "Checkin.tsv.gz", "rt") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    rows = [(int(v[0]), k, v[1], float(v[4]), float(v[5])) for k, v in enumerate(lines)]
    moment = F.to_timestamp("time").alias("arrive")
    stops = spark.createDataFrame(rows, "uid bigint, stop_id int, time string, x double, y double").select(
        "uid", "stop_id", moment, moment.alias("leave"), "x", "y"
    )
    crs = CoordinateSystem.parse("EPSG:26916")
    config = ZoningsConfig(crs="input", layers=[SquareZonings(size_m=[250.0], shifts=1)])
    zonings = build(config, stops, crs)
    assigned = cellsets(stops, zonings, CellsetsConfig(top_cells=20), "UTC", crs, partitions=2).cache()
    table = zonings_table(assigned, zonings).collect()[0]
    sizes = [len(row.cells) for row in split_cellsets(assigned, [0]).collect()]
    counts = assigned.where(F.col("kind") == OCCUPANCY).select(
        F.explode(F.arrays_zip("cells", "people")).alias("p")
    )
    busy = counts.groupBy("p.cells").agg(F.sum("p.people").alias("n")).where("n >= 50").count()
    assigned.unpersist()
    yield case("agents with a cellset", NOTES, 1000, len(sizes))
    yield case("cells with a check-in", NOTES, 240, int(table.cells))
    yield case("median cells per agent", NOTES, 7.0, float(statistics.median(sizes)))
    yield case("cells visited by 5 % of the agents", NOTES, 19, busy)
