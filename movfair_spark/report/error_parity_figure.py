"""The paper's Figure 1: distribution of the errors per group, with the axis cut and what the cut leaves out."""

from __future__ import annotations

import io
from collections.abc import Sequence

from movfair_spark.report.error_parity_reading import PERCENTAGES, in_unit
from movfair_spark.tables.error_parity import Row

#: Most curves in one figure; the largest groups are drawn.
MOST_CURVES = 6
_STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)))
# Okabe & Ito: told apart by readers with colour vision deficiencies; line styles tell them apart in grey.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#000000")


def drawn_groups(rows: Sequence[Row], least: int) -> list[str]:
    """Choose the groups to show: the largest ones, in the order of the table, none with fewer rows than least."""
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row["group"]] = sizes.get(row["group"], 0) + row["rows"]
    large = sorted((name for name in sizes if sizes[name] >= least), key=lambda name: -sizes[name])[
        :MOST_CURVES
    ]
    return [name for name in sizes if name in large]


def figure_png(rows: Sequence[Row], least: int) -> bytes:
    """Picture of one model, metric and sensitive column.

    Parameters
    ----------
    rows : sequence of dict
        Rows of ``error_distributions``.
    least : int
        Groups with fewer rows are not drawn.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    figure = Figure(figsize=(7.2, 3.7), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for i, group in enumerate(drawn_groups(rows, least)):
        bins = [row for row in rows if row["group"] == group and row["part"] == "inside"]
        middles = [(row["low"] + row["high"]) / 2 for row in bins]
        n = sum(row["rows"] for row in rows if row["group"] == group)
        axes.plot(
            middles, [row["share"] for row in bins], linestyle=_STYLES[i], color=_COLOURS[i], linewidth=1.6,
            label=f"{_short(group)} (n = {n:,})",
        )  # fmt: skip
    first = rows[0]
    low = min(row["low"] for row in rows if row["part"] == "inside")
    high = max(row["high"] for row in rows if row["part"] == "inside")
    axes.set_xlim(low, high)
    axes.set_ylim(bottom=0)
    if low < 0 < high:
        axes.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    what = (
        "prediction"
        if first["metric"] == "prediction_only"
        else f"error ({first['metric'].replace('_', ' ')})"
    )
    axes.set_xlabel(_short(f"{what} of {first['model']}", 90))
    axes.set_ylabel("share of the group, per bin")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    if first["metric"] in PERCENTAGES:
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, title=_short(first["sensitive"]))
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def caption(rows: Sequence[Row], least: int) -> str:
    """Say what the picture shows and what its axis leaves out, as the paper's caption does."""
    first = rows[0]
    groups = drawn_groups(rows, least)
    text = f"Distribution of the errors ({first['metric'].replace('_', ' ')}) of {first['model']} by {first['sensitive']}."
    for part, word in (("below", "below"), ("above", "above")):
        outside = {row["group"]: row for row in rows if row["part"] == part and row["group"] in groups}
        if not any(row["rows"] for row in outside.values()):
            continue
        end = next(iter(outside.values()))["high" if part == "below" else "low"]
        shares = ", ".join(f"{row['share'] * 100:.2f} % of {group}" for group, row in outside.items())
        means = ", ".join(
            f"{in_unit(row['mean'], first['metric'])} for {group}"
            for group, row in outside.items()
            if row["rows"] >= least
        )
        text += (
            f" The axis is cut at {in_unit(end, first['metric'])}: errors {word} it are not shown ({shares}"
        )
        text += f"; their means: {means})." if means else ")."
    hidden = len({row["group"] for row in rows}) - len(groups)
    if hidden:
        text += f" {hidden} further group{'s are' if hidden > 1 else ' is'} not drawn."
    return text


def _short(text: str, most: int = 40) -> str:
    # Dollar signs would start mathematics.
    text = text.replace("$", r"\$")
    return text if len(text) <= most else text[: most - 1] + "…"
