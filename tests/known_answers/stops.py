"""Stops and compression: scikit-mobility 1.3.1 on small cases, on random tracks and on GeoLife."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pyspark.sql import functions as F

from movfair_spark.config.input import InputColumns, InputConfig
from movfair_spark.config.stops import StopsConfig
from movfair_spark.kernels.compress import skmob_compressor, skmob_space
from movfair_spark.kernels.fixes import Fixes, Stops, join_fixes
from movfair_spark.kernels.skmob import stay_locations
from movfair_spark.kernels.skmob_filter import filter_fixes
from movfair_spark.readers import read_input
from movfair_spark.stages.stops import detect_stops, split_stops
from tests.kernels import peer
from tests.kernels.test_stops_reports import RIGHT
from tests.kernels.tracks import DEGREES_PER_METRE, LAT, MINUTE, detect, track

SOURCE = "scikit-mobility 1.3.1"
FUZZ = [(10, 50, None), (10, 50, 60), (20, 200, None), (5, 100, 15), (30, 50, 120)]
GEOLIFE = {
    "stay_10min_50m": (10, 50, None),
    "stay_20min_200m": (20, 200, None),
    "stay_20min_200m_gap60": (20, 200, 60),
}
# (minute, metres north) of one person, options, stops (arrive, leave, metres north): notes on mobility, section 3.
REPORTS = {
    "scikit-mobility #190": ([(0, 0), (5, 10), (12, 40)], {}, [0, 12, 10]),
    "scikit-mobility #263": (
        [*((t, 0) for t in range(7)), (23, 5000), (24, 6000)],
        {"minutes": 5},
        [0, 6, 0],
    ),
    "scikit-mobility #148": ([(0, 0), (6, 30), (12, 60), (18, 90), (24, 120)], {}, []),
    "trackintel #635": (
        [*((t / 4, 0) for t in range(19)), (30, 0), (30.5, 400)],
        {"minutes": 3, "gap": 15},
        [0, 4.5, 0],
    ),
    "movingpandas #296": (
        [(0, 0), (5, 0), (10, 0), (15, 0), (20, 500), (25, 500), (30, 500), (35, 500), (40, 9000)],
        {"leave": "first_outside"},
        [0, 20, 0, 20, 40, 500],
    ),
    "infostop #15": ([(t, 0) for t in range(0, 200, 5)], {"gap": 30}, [0, 195, 0]),
    "trackintel #467": (
        [(5, 0), (12, 1000), (30, 2000), (31, 9000)],
        {"leave": "first_outside"},
        [12, 30, 1000],
    ),
    "trackintel #551, no fix": ([], {}, []),
}


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Rows of the validation report: 43 small cases, five fuzz outputs, GeoLife stays and compressions."""
    for item in peer.cases(data):
        yield _row(f"{item['function']}: {item['name']}", _numbers(item["output"]), _answer(item))
    yield from _right_values(data)
    folder = data / "stay_cases"
    for number, (minutes, radius_m, gap) in enumerate(FUZZ):
        expected = peer.table(folder / f"fuzz_stay_{number}.csv")
        ours = _spark_stays(spark, folder / "fuzz_input.csv.gz", minutes, radius_m, gap)
        yield from _tables(f"200 random tracks, {minutes} min, {radius_m} m, gap {gap}", expected, ours)
    yield from _fuzz_points(folder)
    folder = data / "geolife_sample"
    for name, (minutes, radius_m, gap) in GEOLIFE.items():
        ours = _spark_stays(spark, folder / "geolife_sample.txt.gz", minutes, radius_m, gap)
        yield from _tables(
            f"GeoLife, {minutes} min, {radius_m} m, gap {gap}", peer.table(folder / f"{name}.csv"), ours
        )
    geolife = peer.fixes(peer.table(folder / "geolife_sample.txt.gz", dtype={"uid": str}))
    yield _row("GeoLife, points after compress at 1 m", 176_023, _compress(geolife, 0.001).n)
    points = _compress(geolife, 0.2)
    expected = peer.expected_columns(peer.table(folder / "compress_200m.csv.gz"))
    yield _row("GeoLife, points after compress at 200 m", 6_283, points.n)
    yield _row(
        "GeoLife, places and times after compress at 200 m",
        0.0,
        _largest_gap(peer.fix_columns(points), expected),
    )


def _fuzz_points(folder: Path) -> Iterator[dict[str, Any]]:
    """Compression and the speed filter on the 200 random tracks."""
    fixes = peer.fixes(peer.table(folder / "fuzz_input.csv.gz"))
    outputs = {f"compress_{metres}m": _compress(fixes, metres / 1000) for metres in (1, 20, 200)}
    outputs["filter_20kmh"] = _filtered(fixes, {"max_speed_kmh": 20.0})
    for name, points in outputs.items():
        expected = peer.table(folder / f"fuzz_{name}.csv.gz")
        gap = _largest_gap(peer.fix_columns(points), peer.expected_columns(expected))
        yield _row(f"200 random tracks, {name}: points", len(expected), points.n)
        yield _row(f"200 random tracks, {name}: places and times", 0.0, gap)


def _right_values(data: Path) -> Iterator[dict[str, Any]]:
    """Where the peer is wrong, and public reports: the right stops, which the default rule gives."""
    start = peer.micros(["2024-01-01T00:00:00"])[0]
    for name, (options, expected) in RIGHT.items():
        rows = [row for row in peer.case(data, name)["input"] if row["lat"] is not None]
        times = peer.micros([row["datetime"] for row in rows])
        found = detect(
            [(1, ts, row["lng"], row["lat"]) for ts, row in zip(times - start, rows, strict=True)],
            **options,
        )
        # The track over the antimeridian has its place in the longitude.
        place = found.x if name == "dateline" else _north(found.y)
        right = [-180.0 if value is None else value for stop in expected for value in stop]
        yield {
            **_row(f"default rule: {name}", right, _places(found, place)),
            "source": "stay_cases, README: the peer is wrong",
            "tolerance": 1e-4,
        }
    for name, (fixes, options, expected) in REPORTS.items():
        found = detect(track(*fixes), **options)
        ours = _places(found, _north(found.y))
        yield {**_row(f"stops of {name}", expected, ours), "source": name, "tolerance": 1e-4}


def _north(latitudes: np.ndarray) -> np.ndarray:
    return (latitudes - LAT) / DEGREES_PER_METRE


def _places(found: Stops, place: np.ndarray) -> list[float]:
    rows = zip(found.arrive / MINUTE, found.leave / MINUTE, place, strict=True)
    return [float(value) for row in rows for value in row]


def _row(case: str, expected: Any, ours: Any) -> dict[str, Any]:
    return {"case": case, "source": SOURCE, "expected": expected, "ours": ours, "tolerance": 0.0}


def _compress(fixes: Fixes, radius_km: float) -> Fixes:
    step = skmob_compressor(radius_km, skmob_space())
    return join_fixes([step.push(fixes), step.finish()])


def _filtered(fixes: Fixes, params: dict[str, Any]) -> Fixes:
    keep = filter_fixes(fixes, **params)
    return Fixes(fixes.person[keep], fixes.first[keep], fixes.last[keep], fixes.x[keep], fixes.y[keep])


def _answer(item: dict[str, Any]) -> list[Any]:
    fixes = peer.fixes(pd.DataFrame(item["input"]))
    if item["function"] == "stay_locations":
        stays = stay_locations(fixes, skmob_space(), **item["params"])
        return _flat([stays.person, stays.arrive, stays.leave, stays.x, stays.y])
    if item["function"] == "compress":
        kept = _compress(fixes, item["params"]["spatial_radius_km"])
    else:
        kept = _filtered(fixes, item["params"])
    return _flat([kept.person, kept.first, kept.x, kept.y])


def _numbers(output: list[dict[str, Any]]) -> list[Any]:
    columns = peer.expected_columns(output)
    names = [name for name in ("uid", "datetime", "leaving_datetime", "lng", "lat") if name in columns]
    return _flat([columns[name] for name in names])


def _flat(columns: list[np.ndarray]) -> list[Any]:
    # Row by row; times in seconds, so that the report stays readable.
    rows = zip(*(c / 1e6 if k and c.dtype == np.int64 else c for k, c in enumerate(columns)), strict=True)
    return ["NaN" if math.isnan(value) else float(value) for row in rows for value in row]


def _spark_stays(
    spark: Any, path: Path, minutes: float, radius_m: float, gap: float | None
) -> dict[str, np.ndarray]:
    columns = InputColumns(uid="uid", time="datetime", x="lng", y="lat")
    taken = read_input(spark, InputConfig(path=str(path), format="csv", columns=columns, naive_times="UTC"))
    config = StopsConfig(compat="skmob", min_minutes=minutes, radius_m=radius_m, max_gap_minutes=gap)
    stops, _ = split_stops(detect_stops(taken.frame, config, taken.crs, partitions=4))
    rows = stops.select(
        F.col("uid").cast("bigint").alias("uid"),
        F.unix_micros("arrive").alias("datetime"),
        F.unix_micros("leave").alias("leaving_datetime"),
        F.col("x").alias("lng"),
        F.col("y").alias("lat"),
    )
    table = rows.orderBy("uid", "datetime").toPandas()
    return {name: table[name].to_numpy() for name in table}


def _tables(case: str, expected: pd.DataFrame, ours: dict[str, np.ndarray]) -> Iterator[dict[str, Any]]:
    yield _row(f"{case}: stays", len(expected), len(ours["uid"]))
    yield _row(f"{case}: places and times", 0.0, _largest_gap(ours, peer.expected_columns(expected)))


def _largest_gap(ours: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> float:
    if len(ours["uid"]) != len(expected["uid"]):
        return math.inf
    return max(float(np.abs(ours[name] - column).max()) for name, column in expected.items())
