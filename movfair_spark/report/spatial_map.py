"""The map of the audit of points: significant regions beside MeanVar's (the paper's Figures 2-4)."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
import numpy.typing as npt
import shapely
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from movfair_spark.crs import BBox

_QUIET, _PLACE = "#5c5c5c", "#a8a39a"
_PANEL = 7.5
#: Colour of each direction; classes have none, and parts of equal odds may differ.
_COLOURS = {"high": "#2166ac", "low": "#d6604d", "mixed": "#7b5ea7", None: "#7b5ea7"}
_WORDS: dict[str, dict[str | None, str]] = {
    "bernoulli": {
        "high": "more positive outcomes than elsewhere",
        "low": "fewer positive outcomes than elsewhere",
        "mixed": "more for one truth, fewer for the other",
    },
    "normal": {"high": "higher values than elsewhere", "low": "lower values than elsewhere"},
    "multinomial": {None: "another mix of classes than elsewhere"},
}
_STYLE: Any = {"font.family": "DejaVu Sans", "font.size": 10}


@dataclass(frozen=True)
class Panel:
    """One list of regions.

    Attributes
    ----------
    title, subtitle : str
        What they are; what the first of them is, which is outlined.
    rows : sequence of mapping
        ``geometry`` and ``direction`` (high, low, mixed or None), the first one first.
    """

    title: str
    subtitle: str
    rows: Sequence[Mapping[str, Any]]


def region_map(
    view: BBox,
    places: npt.NDArray[np.float64],
    panels: Sequence[Panel],
    model: str = "bernoulli",
    *,
    degrees: bool = False,
    spacing: float = 0.0,
) -> bytes:
    """Draw panels side by side.

    Parameters
    ----------
    view : BBox
        What is shown; regions outside are counted in the title.
    places : float64 array of shape (k, 2)
        Where enough people are, drawn as dots.
    panels : sequence of Panel
    model : str
        Of the outcomes, for the legend.
    degrees : bool
        Coordinates are longitude and latitude: a degree of longitude is drawn as long as it is in the middle of the view.
    spacing : float
        Between neighbouring places of the raster that the dots come from.

    Returns
    -------
    bytes
        A PNG.
    """
    west, south, east, north = view
    margin = 0.02 * max(east - west, north - south, 1e-9)
    west, south, east, north = west - margin, south - margin, east + margin, north + margin
    middle = math.radians(min(max((south + north) / 2, -80.0), 80.0))
    aspect = 1 / math.cos(middle) if degrees else 1.0
    # As large as their raster leaves room for, within reason.
    size = min(max((0.6 * spacing / (east - west) * 72 * _PANEL) ** 2, 2.0), 9.0)
    ratio = min(max((north - south) * aspect / (east - west), 0.3), 2.0)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_PANEL * len(panels), _PANEL * ratio + 1.5), facecolor="white")
        FigureCanvasAgg(figure)
        for number, panel in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), number + 1)
            axes.set_xlim(west, east)
            axes.set_ylim(south, north)
            axes.set_aspect(aspect)
            axes.set_axis_off()
            outside = _outside(panel, (west, south, east, north))
            axes.set_title(f"{panel.title}{outside}\n", loc="left", fontsize=13, fontweight="bold")
            axes.text(0, 1.01, panel.subtitle, transform=axes.transAxes, fontsize=10, color=_QUIET)
            axes.scatter(places[:, 0], places[:, 1], s=size, color=_PLACE, linewidths=0)
            _draw(axes, panel.rows)
        there = {row["direction"] for panel in panels for row in panel.rows}
        told = {side: words for side, words in _WORDS[model].items() if side != "mixed" or "mixed" in there}
        handles: list[Artist] = [
            Patch(color=_COLOURS[side], alpha=0.75, label=words) for side, words in told.items()
        ]
        if there:
            handles.append(
                Patch(facecolor="none", edgecolor="black", linewidth=1.6, label="the first of them")
            )
        handles.append(
            Line2D([], [], color=_PLACE, marker="o", markersize=3, linestyle="none", label="people are here")
        )
        # In one row where there is room.
        figure.legend(handles=handles, loc="lower left", ncols=2 if len(panels) == 1 else 5, frameon=False)
        figure.tight_layout(rect=(0, 0.07 if len(panels) > 1 else 0.1, 1, 1))
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=110, metadata={"Software": None})
    return out.getvalue()


def _outside(panel: Panel, view: BBox) -> str:
    box = shapely.box(*view)
    count = sum(not row["geometry"].intersects(box) for row in panel.rows)
    return f" ({count:,} outside this view)" if count else ""


def _draw(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    for direction, color in _COLOURS.items():
        _fill(axes, [row["geometry"] for row in rows if row["direction"] == direction], color)
    if rows:
        _fill(axes, [rows[0]["geometry"]], "none", edge="black", width=1.6)


def _fill(
    axes: Axes, shapes: Sequence[shapely.Geometry], color: str, edge: str | None = None, width: float = 0.8
) -> None:
    rings = [
        shapely.get_coordinates(shapely.get_exterior_ring(part))
        for shape in shapes
        for part in shapely.get_parts(shape)
        if part.geom_type == "Polygon"
    ]
    if rings:
        alpha = 0.65 if edge is None else 1.0
        drawn = PolyCollection(
            rings, facecolors=color, edgecolors=edge or color, linewidths=width, alpha=alpha, zorder=3
        )
        axes.add_collection(drawn)
