"""``map.png``: where the evidence lies; the more evidence patterns cover a place, the darker (paper, Figure 8)."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
import shapely
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from numpy.typing import NDArray

from movfair_spark.crs import BBox, CoordinateSystem
from movfair_spark.report.shown import EvidenceRow, Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _QUIET, _CITY = "#222222", "#6b6b6b", "#e4e2dd"
_SIDES = {
    # Blue against orange-red stays apart for colour-blind readers, and in print.
    "high": ("Blues", "higher rate of positive outcomes than elsewhere"),
    "low": ("OrRd", "lower rate of positive outcomes than elsewhere"),
    "other": ("Purples", "other outcomes than elsewhere"),
}
_PIXELS = 900
_ABOVE, _BELOW = 0.85, 1.3
_STYLE: Any = {"font.family": "DejaVu Sans", "font.size": 9, "text.color": _INK, "axes.edgecolor": _INK}


def evidence_map(
    shown: Shown,
    box: BBox,
    *,
    title: str,
    subtitle: str = "",
    background: Sequence[shapely.Geometry] = (),
    numbered: Sequence[int] = (),
    outlines: Sequence[tuple[str, shapely.Geometry]] = (),
) -> bytes:
    """Draw the shown evidence.

    Parameters
    ----------
    shown : Shown
    box : BBox
        Bounding box of the data in ``shown.crs``, drawn as the black rectangle.
    title, subtitle : str
        What is shown.
    background : sequence of geometries
        Cells that enough people visit, drawn pale, so that the city shows.
    numbered : sequence of int
        Positions in ``shown.rows`` that get an outline and a number 1, 2, ... as in the verdict.
    outlines : sequence of (label, geometry)
        Areas to compare with, drawn dashed.

    Returns
    -------
    bytes
        A PNG of about 1,600 x 1,500 pixels.
    """
    drawn = [row.geometry for row in shown.rows] + [geometry for _, geometry in outlines]
    window = _window(box, drawn)
    width, height = window[2] - window[0], window[3] - window[1]
    with matplotlib.rc_context(_STYLE):
        # Inches: the map takes the width unless it is tall; title above, legend below.
        map_height = min(9.4 * height / width, 9.0)
        total = map_height + _ABOVE + _BELOW
        figure = Figure(figsize=(10.0, total), facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.03, _BELOW / total, 0.94, map_height / total))
        axes.set_xlim(window[0], window[2])
        axes.set_ylim(window[1], window[3])
        axes.set_aspect("equal")
        axes.set_axis_off()
        _fill(axes, background, _CITY)
        sides: dict[str, list[EvidenceRow]] = {side: [] for side in _SIDES}
        for row in shown.rows:
            sides[row.direction if row.direction in _SIDES else "other"].append(row)
        handles = [_coverage(axes, rows, side, window) for side, rows in sides.items() if rows]
        axes.add_patch(
            Rectangle((box[0], box[1]), box[2] - box[0], box[3] - box[1], fill=False, ec="black", lw=1.1)
        )
        if background:
            label = f"visited by at least {shown.min_report_objects} people"
            handles.append(Patch(color=_CITY, label=label))
        for label, geometry in outlines:
            _outline(axes, geometry, color="#1b7837", style="--", width=1.6)
            handles.append(Patch(fill=False, ec="#1b7837", ls="--", lw=1.6, label=label))
        for number, position in enumerate(numbered, start=1):
            _number(axes, number, shown.rows[position])
        _scale_bar(axes, window, shown.crs)
        _words(figure, shown, title, subtitle, handles)
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=160, metadata={"Software": None})
    return out.getvalue()


def _window(box: BBox, shapes: Sequence[shapely.Geometry]) -> BBox:
    bounds = np.array([box, *(shape.bounds for shape in shapes)])
    west, south = (float(edge) for edge in bounds[:, :2].min(axis=0))
    east, north = (float(edge) for edge in bounds[:, 2:].max(axis=0))
    margin = 0.03 * max(east - west, north - south, 1e-9)
    return (west - margin, south - margin, east + margin, north + margin)


def _rings(geometry: shapely.Geometry) -> list[NDArray[np.float64]]:
    return [
        shapely.get_coordinates(ring)
        for part in shapely.get_parts(geometry)
        for ring in shapely.get_rings(part)
    ]


def _fill(axes: Axes, shapes: Sequence[shapely.Geometry], color: str) -> None:
    outer = [ring for shape in shapes for ring in _rings(shape)[:1]]
    if outer:
        axes.add_collection(PolyCollection(outer, facecolors=color, edgecolors="white", linewidths=0.25))


def _coverage(axes: Axes, rows: Sequence[EvidenceRow], side: str, window: BBox) -> Patch:
    """Count for each pixel how many rows cover it, and colour by the count."""
    step = max(window[2] - window[0], window[3] - window[1]) / _PIXELS
    xs = np.arange(window[0] + step / 2, window[2], step)
    ys = np.arange(window[1] + step / 2, window[3], step)
    count = np.zeros((len(ys), len(xs)), dtype=np.int32)
    for row in rows:
        for part in shapely.get_parts(row.geometry):
            west, south, east, north = part.bounds
            columns = slice(*np.searchsorted(xs, (west, east)))
            lines = slice(*np.searchsorted(ys, (south, north)))
            grid_x, grid_y = np.meshgrid(xs[columns], ys[lines])
            shapely.prepare(part)
            count[lines, columns] += shapely.contains_xy(part, grid_x, grid_y)
    name, label = _SIDES[side]
    # The palest third of a palette would not be seen on white.
    ramp = ListedColormap(matplotlib.colormaps[name](np.linspace(0.35, 1.0, 256)))
    top = max(int(count.max()), 1)
    # Few patterns cover most places: the root keeps the rare dark places from swallowing the rest.
    shade = np.array([math.sqrt(k / top) for k in range(top + 1)])[count]
    axes.imshow(
        np.ma.masked_where(count == 0, shade),
        cmap=ramp,
        vmin=0.0,
        vmax=1.0,
        alpha=0.82,
        extent=(xs[0] - step / 2, xs[-1] + step / 2, ys[0] - step / 2, ys[-1] + step / 2),
        origin="lower",
        interpolation="nearest",
        zorder=2,
    )
    patterns = "1 pattern" if len(rows) == 1 else f"{len(rows):,} patterns"
    return Patch(color=ramp(0.6), alpha=0.85, label=f"{label} ({patterns}, darkest where {top:,} overlap)")


def _outline(axes: Axes, geometry: shapely.Geometry, *, color: str, style: str, width: float) -> None:
    for ring in _rings(geometry):
        axes.plot(ring[:, 0], ring[:, 1], color=color, ls=style, lw=width, zorder=4)


def _number(axes: Axes, number: int, row: EvidenceRow) -> None:
    _outline(axes, row.geometry, color=_INK, style="-", width=1.0)
    for part in shapely.get_parts(row.geometry):
        at = shapely.point_on_surface(part)
        axes.text(
            at.x,
            at.y,
            str(number),
            ha="center",
            va="center",
            fontsize=8,
            fontweight="bold",
            zorder=6,
            bbox={"boxstyle": "circle,pad=0.25", "fc": "white", "ec": _INK, "lw": 0.9},
        )


def _scale_bar(axes: Axes, window: BBox, crs: CoordinateSystem) -> None:
    """Draw a bar of a round number of metres; none where the units are degrees."""
    if not crs.is_metric:
        return
    width = window[2] - window[0]
    exponent = 10 ** math.floor(math.log10(width / 5))
    length = max(factor * exponent for factor in (1, 2, 5) if factor * exponent <= width / 5)
    x = window[2] - 0.05 * width - length
    y = window[1] + 0.055 * (window[3] - window[1])
    tick = 0.008 * width
    axes.plot(
        [x, x, x + length, x + length],
        [y + tick, y, y, y + tick],
        color=_INK,
        lw=1.8,
        zorder=7,
        solid_capstyle="butt",
    )
    label = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    axes.text(
        x + length / 2,
        y + 1.4 * tick,
        label,
        ha="center",
        va="bottom",
        zorder=7,
        bbox={"fc": "white", "ec": "none", "alpha": 0.75, "pad": 1.0},
    )


def _words(figure: Figure, shown: Shown, title: str, subtitle: str, handles: list[Patch]) -> None:
    total = figure.get_figheight()
    figure.text(0.03, 1 - 0.2 / total, title, fontsize=15, fontweight="bold", va="top")
    if subtitle:
        figure.text(0.03, 1 - 0.52 / total, subtitle, fontsize=10, color=_QUIET, va="top")
    corner = (0.025, (_BELOW - 0.1) / total)
    if handles:
        figure.legend(
            handles=handles, loc="upper left", bbox_to_anchor=corner, frameon=False, fontsize=9, borderpad=0
        )
    else:
        figure.text(0.03, (_BELOW - 0.4) / total, "No evidence to show.", color=_QUIET)
    words = [f"{len(shown.rows):,} of {shown.total:,} evidence patterns drawn"]
    if shown.small:
        words.append(f"groups under {shown.min_report_objects} people left out")
    words.append("rectangle: extent of the data")
    figure.text(0.97, 0.12 / total, "; ".join(words), ha="right", fontsize=8, color=_QUIET)
