"""Point-based spatial fairness: published lending figures, SaTScan on the synthetic sets, MeanVar.

The published numbers of significant cells (43, 59 and 22 on 20 x 20, 100 x 50 and 25 x 12) come from worlds drawn with a
random number of positives while the statistic keeps the observed one, and from few of them; ours permute the observed
labels in 1,999 worlds, which gives the ranges 39-43, 55-62 and 28-30.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.spatial.meanvar import meanvar
from movfair_spark.kernels.spatial.partitionings import cells_of, regular
from movfair_spark.kernels.spatial.regions import Regions, from_cells, merged
from movfair_spark.kernels.spatial.windows import half_sides, nearest, nearest_location
from movfair_spark.kernels.spatial.windows import squares as square_windows
from movfair_spark.models.normal import Normal
from movfair_spark.models.region_classes import ClassRegions
from movfair_spark.models.region_model import People, RegionModel
from movfair_spark.models.region_values import ValueRegions
from movfair_spark.models.regions import RegionScan
from movfair_spark.models.significance import critical_value, exceeds, p_value
from movfair_spark.stages.spatial_centres import kmeans_centres
from tests.models.windows import expected, read_bernoulli, read_coordinates

LENDING, SATSCAN, XIE = "AuditSpatialFairness", "SaTScan v10.3.2", "Xie et al. 2022, reference values"
_GRIDS = {
    (20, 20): (13_656, 11_101, 1313.125348643052, 39, 43, 43),
    (100, 50): (7_926, 6_671, 999.360101127834, 55, 62, 59),
    (25, 12): (21_725, 17_089, 1599.389178343433, 28, 30, 22),
}
_SYNTHETIC = {
    "synth_fair": (29, 23, 5.331105, 0.41, 0.0108219),
    "synth_unfair": (27, 2, 11.612090, 0.0015, 0.0362674),
    "semisynth": (70, 26, 2.356804, 0.95, 0.0478121),
}


class Grid(NamedTuple):
    """Cells of a grid over a data set: their scan, the positives of each, and the statistic of each."""

    scan: RegionScan
    positives: np.ndarray
    statistics: np.ndarray

    @property
    def best(self) -> tuple[int, int, float]:
        """Members, positives and statistic of the best cell."""
        i = int(np.argmax(self.statistics))
        return int(self.scan.sizes[i]), int(self.positives[i]), float(self.statistics[i])


def grid(path: Path, outcome: str, columns: int, rows: int) -> Grid:
    """Lay a grid over the data's bounding box."""
    data = pd.read_csv(path)
    x, y = data["lon"].to_numpy(), data["lat"].to_numpy()
    cells = cells_of(x, y, regular((x.min(), y.min(), x.max(), y.max()), columns, rows))
    regions, _ = from_cells(cells)
    n, p = regions.sums(np.ones(len(data), np.int64)), regions.sums(data[outcome].to_numpy())
    scan = RegionScan(from_cells(np.arange(len(n)))[0], n, int(p.sum()))
    return Grid(scan, p, scan.statistics(p))


def cases(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """Known answers of the point-based audit."""
    for (columns, rows), (n, p, llr, least, most, published) in _GRIDS.items():
        found = grid(data / "lar" / "lar_2021.csv.gz", "approved", columns, rows)
        name = f"lending, {columns} x {rows}"
        yield _case(f"{name}: best cell's n, p", LENDING, [n, p], list(found.best[:2]), 0)
        yield _case(f"{name}: its LLR", LENDING, llr, found.best[2], 1e-9)
        critical = critical_value(found.scan.maxima(1, range(1_999)), 0.005)
        significant = sum(exceeds(float(value), critical) for value in found.statistics)
        middle, half = (least + most) / 2, (most - least) / 2
        yield _case(
            f"{name}: significant cells at 0.005 (published {published}, from worlds with a random number of positives)",
            "permutation null",
            middle,
            significant,
            half,
        )
    for name, (n, p, llr, p_expected, variance) in _SYNTHETIC.items():
        found = grid(data / "synthetic_spatial" / f"{name}.csv.gz", "label", 20, 20)
        yield _case(f"{name}: best cell's n, p", SATSCAN, [n, p], list(found.best[:2]), 0)
        yield _case(f"{name}: its LLR", SATSCAN, llr, found.best[2], 1e-6)
        ours = p_value(found.best[2], found.scan.maxima(1, range(1_999)))
        # Four standard errors of both runs, theirs of 9,999 worlds; and their two printed digits.
        error = 4 * (p_expected * (1 - p_expected) * (1 / 2_000 + 1 / 10_000)) ** 0.5
        rounding = 0.005 if p_expected > 0.1 else 0.00005
        yield _case(f"{name}: p-value", SATSCAN, p_expected, ours, error + rounding)
        mean_variance = meanvar([(found.scan.sizes, found.positives)]).value
        yield _case(f"{name}: MeanVar", XIE, variance, mean_variance, 0.5e-7)
    yield from _neighbours(data / "scan" / "satscan_nhumberside_bernoulli")
    yield from _real(data / "scan" / "satscan_normalfake_normal")
    yield from _classes(data / "scan" / "satscan_maryland_multinomial")
    if spark is not None:
        yield from squares(data, spark)


def _case(case: str, source: str, expected: Any, ours: Any, tolerance: float) -> dict[str, Any]:
    return {"case": case, "source": source, "expected": expected, "ours": ours, "tolerance": tolerance}


def _neighbours(folder: Path) -> Iterator[dict[str, Any]]:
    """SaTScan's circles: windows of the nearest locations about every location, up to half of the people."""
    places = read_coordinates(folder / "NHumberside.geo")
    where, labels = read_bernoulli(folder, "NHumberside")
    number = {name: i for i, name in enumerate(places)}
    at = np.array([number[name] for name in where])
    xy = np.array(list(places.values()))
    people = np.bincount(at, minlength=len(xy))
    regions = nearest(xy[:, 0], xy[:, 1], people, xy, most=len(labels) // 2)
    positives = np.bincount(at, weights=labels, minlength=len(xy)).astype(np.int64)
    for direction, (llr, p) in {
        "both": (5.327243, 0.589),
        "high": (4.836516, 0.670),
        "low": (5.327243, 0.374),
    }.items():
        scan = RegionScan(regions, people, int(labels.sum()), direction)
        best = float(scan.statistics(positives).max())
        yield _case(f"N Humberside, {direction}: best circle", SATSCAN, llr, best, 1e-6)
        error = 4 * (p * (1 - p) * (1 / 1_000 + 1 / 1_000)) ** 0.5
        ours = p_value(best, scan.maxima(1, range(999)))
        yield _case(f"N Humberside, {direction}: p-value", SATSCAN, p, ours, error)


def _rows(path: Path) -> list[list[str]]:
    table = (line.split() for line in path.read_text().splitlines() if line.strip())
    return [row for row in table for _ in range(int(row[1]))]


def _around(xy: np.ndarray, at: np.ndarray) -> Regions:
    people = np.bincount(at, minlength=len(xy))
    return nearest(xy[:, 0], xy[:, 1], people, xy, most=len(at) // 2)


def _against(name: str, model: RegionModel, path: Path, people: People | None) -> Iterator[dict[str, Any]]:
    """Best window and its p-value, beside SaTScan's of 9,999 replications or more."""
    llr, p, _ = expected(path)
    best = float(model.exact(model.candidates).max())
    yield _case(f"{name}: best circle", SATSCAN, llr, best, 1e-6)
    error = 4 * (p * (1 - p) * (1 / 1_000 + 1 / 10_000)) ** 0.5
    yield _case(f"{name}: p-value", SATSCAN, p, p_value(best, model.maxima(1, range(999), people)), error)


def _real(folder: Path) -> Iterator[dict[str, Any]]:
    """Real outcomes, weighted ones among them, in windows of at least two people as SaTScan has them."""
    places = read_coordinates(folder / "NormalFake.geo")
    number, xy = {name: i for i, name in enumerate(places)}, np.array(list(places.values()))
    for table, result, direction in (
        ("NormalFake", "norm_high", "high"),
        ("NormalFake", "norm_low", "low"),
        ("wn1", "wn1_1", "high"),
        ("wn1", "wn1_2", "low"),
        ("wn2", "wn2_1", "high"),
        ("wn2", "wn2_2", "low"),
    ):
        rows = _rows(folder / f"{table}.cas")
        at = np.array([number[row[0]] for row in rows], dtype=np.int32)
        values = np.array([float(row[2]) for row in rows])
        weights = np.array([float(row[3]) for row in rows]) if table.startswith("wn") else None
        model = ValueRegions(_around(xy, at), at, Normal(values, direction, weights), min_support=2)
        yield from _against(f"{table}, {direction}", model, folder / f"expected_{result}.txt", None)


def _classes(folder: Path) -> Iterator[dict[str, Any]]:
    """Levels of education in Maryland's counties; distances in the state's own plane."""
    lines = (line.split() for line in (folder / "MarylandEducation.geo").read_text().splitlines())
    rows = [row for row in lines if row]
    lat, lon = (np.array([float(row[i]) for row in rows]) for i in (1, 2))
    x, y = CoordinateSystem.parse("EPSG:4326").transform(lon, lat, CoordinateSystem.parse("EPSG:26985"))
    number, xy = {row[0]: i for i, row in enumerate(rows)}, np.column_stack([x, y])
    for name in ("mdsub1500", "mdsub2500"):
        cases_of = _rows(folder / f"{name}.cas")
        at = np.array([number[row[0]] for row in cases_of])
        codes = np.array([int(row[2]) - 1 for row in cases_of])
        nobody = np.zeros(len(at), dtype=np.int64)
        one = np.ones(len(at), dtype=np.int64)
        model = ClassRegions(_around(xy, at), at, nobody, codes, one, np.zeros(1, np.int64), 4)
        people = at.astype(np.int32), nobody.astype(np.int32)
        yield from _against(f"Maryland, {name}", model, folder / f"expected_{name}.txt", people)


def squares(data: Path, spark: Any) -> Iterator[dict[str, Any]]:
    """2,000 squares about 100 k-means centres of the lending data (the paper's section 4.3), 999 worlds."""
    table = pd.read_csv(data / "lar" / "lar_2021.csv.gz").groupby(["lon", "lat"])["approved"]
    places = table.agg(["count", "sum"]).reset_index()
    x, y = places["lon"].to_numpy(), places["lat"].to_numpy()
    rows = [(float(a), float(b), int(n)) for a, b, n in zip(x, y, places["count"], strict=True)]
    centres = kmeans_centres(spark.createDataFrame(rows, "x double, y double, n bigint"), 100, seed=1)
    at = nearest_location(x, y, centres)
    middle = np.column_stack([x[at], y[at]])
    full = square_windows(x, y, middle, half_sides(0.05, 1.0, 20))
    regions, atom_of = merged(full, len(places))
    n, p = (
        np.bincount(atom_of, weights=places[name].to_numpy()).astype(np.int64) for name in ("count", "sum")
    )
    scan = RegionScan(regions, n, int(p.sum()))
    found = scan.statistics(p)
    critical = critical_value(scan.maxima(1, range(999)), 0.005)
    significant = sum(exceeds(float(value), critical) for value in found)
    name = "lending, squares"
    best = f"{name}: best statistic (published with centres of its own; ours must be at least 1,900)"
    yield _case(best, LENDING, 1963.0672387208906, float(found.max()), 1963.0672387208906 - 1900)
    yield _case(f"{name}: significant of 2,000 at 0.005", "permutation null", 654, significant, 55)
    for direction, place, middle_of in (
        ("low", "Miami", (-80.3, 25.9)),
        ("high", "Bay Area", (-122.0, 37.4)),
    ):
        one_sided = RegionScan(regions, n, int(p.sum()), direction).statistics(p)
        centre = middle[int(np.argmax(one_sided)) // 20]
        yield _case(
            f"{name}: best {direction} rate about {place}",
            "Sacharidis et al. 2023",
            list(middle_of),
            [float(c) for c in centre],
            0.6,
        )
