"""The map of the audit of points: significant regions beside MeanVar's (the paper's Figures 2-4)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
import numpy.typing as npt
import shapely
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from movfair_spark.crs import BBox

_HIGH, _LOW, _QUIET, _PLACE = "#2166ac", "#d6604d", "#6b6b6b", "#bdb9b0"
_STYLE: Any = {"font.family": "DejaVu Sans", "font.size": 10}


def region_map(
    box: BBox,
    places: npt.NDArray[np.float64],
    panels: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
) -> bytes:
    """Draw one panel per list of regions.

    Parameters
    ----------
    box : BBox
        Of the points.
    places : float64 array of shape (k, 2)
        Where enough people are, drawn as pale dots.
    panels : sequence of (title, rows)
        Rows have ``geometry`` and ``high`` (whether the rate is above that of everybody else).

    Returns
    -------
    bytes
        A PNG.
    """
    shapes = [row["geometry"] for _, rows in panels for row in rows]
    bounds = np.array([box, *(shape.bounds for shape in shapes)])
    west, south = bounds[:, :2].min(axis=0)
    east, north = bounds[:, 2:].max(axis=0)
    margin = 0.03 * max(east - west, north - south, 1e-9)
    ratio = min(max((north - south + 2 * margin) / (east - west + 2 * margin), 0.3), 2.0)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(8.0 * len(panels), 8.0 * ratio + 1.2), facecolor="white")
        FigureCanvasAgg(figure)
        for number, (title, rows) in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), number + 1)
            axes.set_xlim(west - margin, east + margin)
            axes.set_ylim(south - margin, north + margin)
            axes.set_aspect("equal")
            axes.set_axis_off()
            axes.set_title(title, loc="left", fontsize=12, fontweight="bold")
            axes.scatter(places[:, 0], places[:, 1], s=1.5, color=_PLACE, linewidths=0)
            _draw(axes, rows)
        figure.legend(
            handles=[
                Patch(color=_HIGH, alpha=0.7, label="more positive outcomes than elsewhere"),
                Patch(color=_LOW, alpha=0.7, label="fewer positive outcomes than elsewhere"),
            ],
            loc="lower left",
            ncols=2,
            frameon=False,
        )
        figure.text(0.99, 0.01, "dots: where the people are", ha="right", fontsize=8, color=_QUIET)
        figure.tight_layout(rect=(0, 0.06, 1, 1))
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=120, metadata={"Software": None})
    return out.getvalue()


def _draw(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    for high, color in ((True, _HIGH), (False, _LOW)):
        rings = [
            shapely.get_coordinates(shapely.get_exterior_ring(part))
            for row in rows
            if row["high"] is high
            for part in shapely.get_parts(row["geometry"])
            if part.geom_type == "Polygon"
        ]
        if rings:
            axes.add_collection(
                PolyCollection(rings, facecolors=color, edgecolors=color, linewidths=0.8, alpha=0.6)
            )
