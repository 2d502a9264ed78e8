"""Known answers of the readers: figures of the real inputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import functions as F

from movfair_spark.config.input import InputConfig
from movfair_spark.readers import Ingest, read_input

DAY = 86_400_000_000
FIRST_LOCAL_DAY = 1_704_081_600_000_000  # 2024-01-01 00:00 at UTC-4


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Rows, people, places and times of the inputs under the shared data."""

    def read(path: str, time_zone: str = "UTC", **settings: Any) -> Ingest:
        return read_input(spark, InputConfig(path=str(data / path), **settings), time_zone)

    yield from pol(read)
    yield from garden_city(read)
    yield from geolife(read)


def case(name: str, source: str, expected: Any, ours: Any, tolerance: float = 0.0) -> dict[str, Any]:
    return {"case": name, "source": source, "expected": expected, "ours": ours, "tolerance": tolerance}


def size(ingest: Ingest) -> list[int]:
    """Good rows, their people, and bad rows."""
    row = ingest.frame.agg(
        F.sum((F.col("reason") == 0).cast("int")),
        F.countDistinct("uid"),
        F.sum((F.col("reason") != 0).cast("int")),
    ).first()
    return list(row)


def pol(read: Any) -> Iterator[dict[str, Any]]:
    source = "Patterns of Life, Atlanta"
    state = read("pol_atlanta/AgentStateTable-1.sample.tsv")
    row = state.frame.first()
    lon, lat = state.crs.to_lonlat([row["x"]], [row["y"]])
    yield case(
        "sample row: longitude, latitude",
        source,
        [-84.370163, 33.754902],
        [float(lon[0]), float(lat[0])],
        5e-7,
    )
    checkins = read("pol_atlanta/Checkin.tsv.gz", kind="checkins")
    yield case("check-ins: rows, people, rejects", source, [38_097, 1_000, 0], size(checkins))
    times = checkins.frame.agg(F.min("arrive"), F.max("arrive")).first()
    yield case(
        "check-ins: first and last", source, [1_561_960_200_000_000, 1_562_284_500_000_000], list(times)
    )


def garden_city(read: Any) -> Iterator[dict[str, Any]]:
    source = "nomad, garden city"
    parquet = read("garden_city/single_parquet_part-0.parquet", time_unit="s")
    text = read("garden_city/partitioned_csv_2024-01-01_part-0.csv")
    yield case("pings: rows, people, rejects", source, [114_526, 100, 0], size(parquet))
    yield case("first local day as text", source, [5_564, 97, 0], size(text))
    day = parquet.frame.where(F.col("ts").between(FIRST_LOCAL_DAY, FIRST_LOCAL_DAY + DAY - 1))
    yield case(
        "text rows that the Parquet rows of that day lack", source, 0, text.frame.exceptAll(day).count()
    )
    mercator = read(
        "garden_city/gc_data_long_*.parquet", columns={"uid": "gc_identifier"}, crs="EPSG:3857", time_unit="s"
    )
    yield case("in EPSG:3857: rows, people, rejects", source, [7_474, 37, 0], size(mercator))
    planar = {"crs": "planar", "time_unit": "s", "columns": {"time": "unix_timestamp"}}
    yield case(
        "planar: rows, people, rejects",
        source,
        [301, 1, 0],
        size(read("garden_city/gc_3_stops.csv", **planar)),
    )


def geolife(read: Any) -> Iterator[dict[str, Any]]:
    source = "GeoLife"
    sample = read("geolife_sample/geolife_sample.txt.gz")
    yield case("sample: rows, people, rejects", source, [217_653, 2, 0], size(sample))
    one = sample.frame.where("uid = '001'").count()
    yield case("sample: fixes of the person '001'", source, 108_607, one)
    stays = read("geolife_stays/data.tsv.gz", kind="stops")
    yield case("stays: rows, people, rejects", source, [19_375, 177, 0], size(stays))
    box = stays.frame.where("x BETWEEN 115.9 AND 116.9 AND y BETWEEN 39.6 AND 40.3")
    inside = list(box.agg(F.count("*"), F.countDistinct("uid")).first())
    yield case("stays in Beijing's box: rows, people", source, [16_210, 168], inside)
