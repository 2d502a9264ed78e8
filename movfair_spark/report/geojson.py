"""``evidence.geojson``: the evidence for any map on the web, strict JSON in longitude and latitude (RFC 7946)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from movfair_spark.crs import CoordinateSystem
from movfair_spark.report.shown import EvidenceRow, Shown, json_number
from movfair_spark.tables.zonings import Zoning

_DIGITS = 7  # about a centimetre


def evidence_geojson(shown: Shown, zonings: Sequence[Zoning]) -> str:
    """Write the shown evidence as a FeatureCollection.

    Coordinates are EPSG:4326; a ``planar`` audit keeps its metres and says so (``coordinates: planar``). The
    member ``movfair`` counts what was left out. No ids of people.

    Parameters
    ----------
    shown : Shown
    zonings : sequence of Zoning

    Returns
    -------
    str
        Ends with a newline; no ``NaN`` and no ``Infinity``, which GDAL and browsers refuse.
    """
    by_id = {zoning.zoning_id: zoning for zoning in zonings}
    document = {
        "type": "FeatureCollection",
        "movfair": {
            "coordinates": "planar" if shown.crs.is_planar else "EPSG:4326",
            **shown.left_out(),
        },
        "features": [_feature(row, by_id[row.zoning_id], shown.crs) for row in shown.rows],
    }
    return json.dumps(document, allow_nan=False, ensure_ascii=False) + "\n"


def to_lonlat(geometry: shapely.Geometry, crs: CoordinateSystem) -> shapely.Geometry:
    """Geometry in EPSG:4326, or as it is for ``planar``."""
    if crs.is_planar:
        return geometry
    return shapely.transform(
        geometry, lambda points: np.column_stack(crs.to_lonlat(points[:, 0], points[:, 1]))
    )


def _feature(row: EvidenceRow, zoning: Zoning, crs: CoordinateSystem) -> dict[str, Any]:
    properties = {
        "rank": row.rank,
        "zoning": zoning.name,
        "size_m": zoning.size_m,
        "shift_m": zoning.shift_m,
        "cells": [zoning.cell_name(cell) for cell in row.cells],
        "n_cellsets": row.n_cellsets,
        "people": row.n,
        "direction": row.direction,
        "statistic": json_number(row.statistic),
        "p_value": json_number(row.p_value),
        **{name: json_number(value) for name, value in row.detail.items()},
    }
    # Normal form reversed: outer rings run counter-clockwise, as RFC 7946 wants.
    lonlat = shapely.set_precision(to_lonlat(row.geometry, crs), 10.0**-_DIGITS)
    return {
        "type": "Feature",
        "id": row.rank,
        "geometry": json.loads(shapely.to_geojson(shapely.reverse(shapely.normalize(lonlat)))),
        "properties": properties,
    }
