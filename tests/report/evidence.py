"""Evidence rows and zonings made by hand for tests of the reports."""

from __future__ import annotations

import numpy as np
import shapely

from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.cells import pack
from movfair_spark.report.outcome_words import OutcomeFigures
from movfair_spark.report.shown import EvidenceRow, Shown
from movfair_spark.report.verdict import TestFigures
from movfair_spark.tables.zonings import Zoning

UTM = CoordinateSystem.parse("EPSG:32616")
PLANAR = CoordinateSystem.parse("planar")


def zonings(crs: CoordinateSystem = UTM) -> list[Zoning]:
    """Two grids: 200 m, and 200 m shifted by 100 m."""
    return [
        Zoning(k, "square", f"200 m{' + 100 m' * k}", crs, size_m=200.0, shift_m=100.0 * k) for k in range(2)
    ]


def row(rank: int, cells, *, zoning_id=0, n=20, crs=UTM, **changes) -> EvidenceRow:
    """One evidence row of cells given as (col, row)."""
    ids = tuple(int(pack(np.array([c]), np.array([r]))[0]) for c, r in cells)
    geometry = shapely.union_all(zonings(crs)[zoning_id].geometries(np.array(ids)))
    detail = {"observed": 4, "expected": 10.0, "rate_in": 0.2, "rate_out": 0.55}
    values = {
        "n_cellsets": 1,
        "n": n,
        "statistic": 20.0 - rank,
        "p_value": 0.001,
        "direction": "low",
        "detail": detail,
        "non_overlapping": True,
        **changes,
    }
    return EvidenceRow(rank=rank, zoning_id=zoning_id, cells=ids, geometry=geometry, **values)


def shown(*rows: EvidenceRow, crs=UTM, small=0, beyond=0) -> Shown:
    """The rows as a report takes them."""
    return Shown(rows, crs, len(rows) + small + beyond, small, beyond, 5, 1000)


def figures(**changes) -> TestFigures:
    """A significant test."""
    values = {
        "people": 1000,
        "outcomes": OutcomeFigures(positives=500),
        "zonings": 2,
        "n_simulations": 999,
        "alpha": 0.01,
        "statistic": 19.0,
        "p_value": 0.001,
        "significant": True,
        **changes,
    }
    return TestFigures(**values)
