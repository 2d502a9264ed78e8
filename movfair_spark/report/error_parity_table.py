"""The paper's Table 1: mean, standard deviation, skewness and kurtosis per model and group, bold where significant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from movfair_spark.report.error_parity_reading import PERCENTAGES, number
from movfair_spark.tables.error_parity import Row

MOMENTS = ("mean", "variance", "skewness", "kurtosis")
SYMBOLS = ("μ", "σ", "ψ", "κ")
#: With more groups than this, groups stand in rows: the paper's layout has a column per moment and group.
MOST_ACROSS = 4


@dataclass(frozen=True)
class Cell:
    """Text of a cell and its mark ('bold', 'dagger' or '')."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Table1:
    """One table: header lines (text, columns it spans) and rows of cells."""

    header: tuple[tuple[tuple[str, int], ...], ...]
    rows: tuple[tuple[Cell, ...], ...]


def table1(groups: Sequence[Row], pairs: Sequence[Row], models: Sequence[str], hidden: set[str]) -> Table1:
    """Lay out one metric and one sensitive column.

    Parameters
    ----------
    groups, pairs : sequence of dict
        Rows of ``error_groups`` and ``error_pairs`` of this metric and column, all models.
    models : sequence of str
        In order.
    hidden : set of str
        Groups too small to be shown.

    Notes
    -----
    A value is bold when its group differs significantly in this moment from at least one other group of the same
    model, and has a dagger when only an unadjusted p-value says so. σ carries the mark of the variance. Mean and
    standard deviation of a percentage error stand in percent, as in the paper.
    """
    percent = any(row["metric"] in PERCENTAGES for row in groups)
    symbols = tuple(f"{symbol} (%)" if percent and i < 2 else symbol for i, symbol in enumerate(SYMBOLS))
    names = list(dict.fromkeys(row["group"] for row in groups if row["included"]))
    shown = [name for name in names if name not in hidden]
    values = {(row["model"], row["group"]): row for row in groups if row["included"]}

    def cell(model: str, group: str, moment: str) -> Cell:
        row = values.get((model, group))
        if row is None:
            return Cell("–")
        marks = {
            p["mark"]
            for p in pairs
            if p["model"] == model and p["moment"] == moment and group in (p["group_a"], p["group_b"])
        }
        mark = "bold" if "bold" in marks else "dagger" if "dagger" in marks else ""
        value = row["sd" if moment == "variance" else moment]
        return Cell(number(value * 100.0 if percent and moment in MOMENTS[:2] else value), mark)

    if len(shown) <= MOST_ACROSS:
        across = tuple((symbol, len(shown)) for symbol in symbols)
        below = tuple((name, 1) for _ in symbols for name in shown)
        body = [
            (Cell(model), *(cell(model, group, moment) for moment in MOMENTS for group in shown))
            for model in models
        ]
        return Table1(((("", 1), *across), (("model", 1), *below)), tuple(body))
    body = [
        (
            Cell(model if i == 0 else ""),
            Cell(group),
            Cell(f"{values[model, group]['n']:,}" if (model, group) in values else "–"),
        )
        + tuple(cell(model, group, moment) for moment in MOMENTS)
        for model in models
        for i, group in enumerate(shown)
    ]
    return Table1(
        ((("model", 1), ("group", 1), ("n", 1), *((symbol, 1) for symbol in symbols)),), tuple(body)
    )


def markdown(table: Table1) -> str:
    """Markdown (one header line: a group's name stands beside its moment)."""
    if len(table.header) == 2:
        tops = [text for text, span in table.header[0] for _ in range(span)]
        header = [f"{top} {text}".strip() for top, (text, _) in zip(tops, table.header[1], strict=True)]
    else:
        header = [text for text, _ in table.header[0]]
    lines = ["| " + " | ".join(_escape(text) for text in header) + " |"]
    first = 1 if len(table.header) == 2 else 2
    lines.append("|" + "".join("---|" if i < first else "---:|" for i in range(len(header))))
    for row in table.rows:
        lines.append("| " + " | ".join(_marked(cell) for cell in row) + " |")
    return "\n".join(lines)


def _marked(cell: Cell) -> str:
    text = _escape(cell.text)
    return {"bold": f"**{text}**", "dagger": f"{text}†"}.get(cell.mark, text)


def _escape(text: str) -> str:
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())
