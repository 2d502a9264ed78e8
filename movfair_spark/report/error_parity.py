"""The report of the error parity audit: one Markdown text, one HTML page, one picture per comparison."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from movfair_spark.report.error_parity_figure import caption, drawn_groups, figure_png
from movfair_spark.report.error_parity_reading import EXCHANGEABILITY, LIMITS, number, p_text, reading
from movfair_spark.report.error_parity_table import Table1, markdown, table1
from movfair_spark.report.error_parity_verdict import ErrorVerdict, family_key, hidden_groups
from movfair_spark.report.html_page import page
from movfair_spark.tables.error_parity import Row

#: Most pictures in one report; the tables hold the numbers of all.
MOST_FIGURES = 24
#: Most differences that are read out per comparison.
MOST_READINGS = 12


@dataclass(frozen=True)
class Report:
    """Files of the report: name to content."""

    texts: Mapping[str, str]
    pictures: Mapping[str, bytes]


@dataclass(frozen=True)
class Part:
    """One block of the report, to be written as Markdown and as HTML."""

    kind: str  # 'h2', 'h3', 'text', 'list', 'table1', 'figure'
    content: Any


def report(
    tables: Mapping[str, Sequence[Row]],
    verdict: ErrorVerdict,
    rejects: Sequence[Row],
    settings: Mapping[str, Any],
) -> Report:
    """Write the report.

    Parameters
    ----------
    tables : mapping
        Name of a result table to its rows.
    verdict : ErrorVerdict
    rejects : sequence of dict
        source, reason, rows.
    settings : mapping
        alpha, permutations, pair_permutations, bootstrap_draws, min_report_objects, min_group_size.
    """
    groups, tests, pairs = tables["error_groups"], tables["error_tests"], tables["error_pairs"]
    least = int(settings["min_report_objects"])
    hidden = hidden_groups(groups, least)
    parts = [Part("text", line) for line in verdict.text.splitlines()[:1]]
    pictures: dict[str, bytes] = {}
    for sensitive, metric in dict.fromkeys((t["sensitive"], t["metric"]) for t in tests):
        mine = [t for t in tests if (t["sensitive"], t["metric"]) == (sensitive, metric)]
        rows = [g for g in groups if (g["sensitive"], g["metric"]) == (sensitive, metric)]
        some = [p for p in pairs if (p["sensitive"], p["metric"]) == (sensitive, metric)]
        small = {group for column, group in hidden if column == sensitive}
        parts.append(Part("h2", f"{metric.replace('_', ' ')} by {sensitive}"))
        parts.append(Part("list", [_test_line(test) for test in mine]))
        parts.append(Part("table1", table1(rows, some, [t["model"] for t in mine], small)))
        parts.append(Part("text", _legend(settings)))
        parts.extend(Part("text", text) for text in _sizes(rows, small, least, settings))
        parts.extend(Part("text", text) for text in _out_of_reach(some, small, mine[0]["alpha"]))
        for test in mine:
            marked = [p for p in some if p["model"] == test["model"] and p["mark"]]
            shown = [p for p in marked if p["group_a"] not in small and p["group_b"] not in small]
            if shown:
                parts.append(Part("h3", f"{test['model']}: what differs"))
                parts.append(Part("list", [reading(p, test["alpha"]) for p in shown[:MOST_READINGS]]))
                if len(shown) > MOST_READINGS:
                    parts.append(
                        Part("text", f"{len(shown) - MOST_READINGS} further differences: table error_pairs.")
                    )
            figure = [r for r in tables["error_distributions"] if family_key(r) == family_key(test)]
            if drawn_groups(figure, least) and len(pictures) < MOST_FIGURES:
                name = f"error_distribution_{len(pictures) + 1}.png"
                pictures[name] = figure_png(figure, least)
                parts.append(Part("figure", (name, caption(figure, least))))
    parts.append(Part("h2", "How to read this"))
    parts.append(Part("text", EXCHANGEABILITY))
    parts.append(Part("text", LIMITS))
    if rejects:
        parts.append(Part("h2", "Rows without an error"))
        parts.append(
            Part(
                "list",
                [f"{r['source']}: {r['rows']:,} rows, {r['reason'].replace('_', ' ')}" for r in rejects],
            )
        )
    title = "Error parity"
    texts = {
        "error_parity.md": f"# {title}\n\n" + "\n\n".join(_markdown(part) for part in parts) + "\n",
        "error_parity.html": page(title, "\n".join(_html(part, pictures) for part in parts)),
    }
    return Report(texts, pictures)


def _test_line(test: Row) -> str:
    if test["note"]:
        return f"{test['model']}: {test['note']}."
    how = (
        f"all {test['permutations']:,} labelings"
        if test["exact"]
        else f"{test['permutations']:,} permutations"
    )
    smallest = (
        f" No data of these group sizes can give a p-value below {p_text(test['smallest_p'])}."
        if test["smallest_p"] > test["alpha"]
        else ""
    )
    answer = "the distributions differ" if test["rejected"] else "no difference found"
    return (
        f"{test['model']}: {answer} at {test['alpha']:g}. Anderson-Darling, {test['n_groups']} groups, n = {test['n']:,}: "
        f"T = {number(test['standardised'], 5)}, p = {p_text(test['p_value'])} ({how}); published approximation "
        f"{test['approximation_text']}.{smallest}" + _rounded(test)
    )


def _rounded(test: Row) -> str:
    if not test["rounding"]:
        return ""
    return f" Computed on errors moved by at most {test['rounding'] * 100:.2g} % of their distance from the mean."


def _legend(settings: Mapping[str, Any]) -> str:
    return (
        "μ mean, σ standard deviation (tested as variance), ψ skewness, κ excess kurtosis. Bold: the distributions "
        f"differ and the moment does, at {settings['alpha']:g} after Holm's adjustment. †: only the unadjusted p-value "
        f"reaches {settings['alpha']:g}. {settings['pair_permutations']:,} permutations within each pair of groups, or all "
        "splits where there are fewer."
    )


def _sizes(rows: Sequence[Row], hidden: set[str], least: int, settings: Mapping[str, Any]) -> list[str]:
    included = {r["group"]: r["n"] for r in reversed(rows) if r["included"]}
    shown = [f"{group} {n:,}" for group, n in reversed(included.items()) if group not in hidden]
    texts = ["Rows per group: " + ", ".join(shown) + "."] if shown else []
    if any(group in hidden for group in included):
        texts.append(f"Groups with fewer than {least} rows are tested but not shown here.")
    left_out = {r["group"] for r in rows if r["included"] is False}
    if left_out:
        texts.append(
            f"Left out of the tests, with fewer than {settings['min_group_size']} rows: {len(left_out)} "
            f"group{'' if len(left_out) == 1 else 's'}."
        )
    return texts


def _out_of_reach(pairs: Sequence[Row], hidden: set[str], alpha: float) -> list[str]:
    """Say which pairs are too small to differ significantly, whatever their errors."""
    small = {
        (p["group_a"], p["group_b"]): p["smallest_p"]
        for p in pairs
        if p["smallest_p"] > alpha and not {p["group_a"], p["group_b"]} & hidden
    }
    return [
        f"{a} and {b} are too few to differ at {alpha:g}: the smallest p-value that any data of these sizes can give is "
        f"{p_text(p)}."
        for (a, b), p in small.items()
    ]


def _markdown(part: Part) -> str:
    if part.kind == "h2":
        return f"## {part.content}"
    if part.kind == "h3":
        return f"### {part.content}"
    if part.kind == "list":
        return "\n".join(f"- {item}" for item in part.content)
    if part.kind == "table1":
        return markdown(part.content)
    if part.kind == "figure":
        return f"![Figure](figures/{part.content[0]})\n\n*{part.content[1]}*"
    return str(part.content)


def _html(part: Part, pictures: Mapping[str, bytes]) -> str:
    if part.kind in ("h2", "h3"):
        return f"<{part.kind}>{html.escape(part.content)}</{part.kind}>"
    if part.kind == "list":
        return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in part.content) + "</ul>"
    if part.kind == "table1":
        return _html_table(part.content)
    if part.kind == "figure":
        name, text = part.content
        data = base64.b64encode(pictures[name]).decode("ascii")
        words = html.escape(text, quote=True)
        return f'<figure><img alt="{words}" src="data:image/png;base64,{data}"><figcaption>{words}</figcaption></figure>'
    return f"<p>{html.escape(str(part.content))}</p>"


def _html_table(table: Table1) -> str:
    lines = ['<div class="wide"><table>', "<thead>"]
    for row in table.header:
        heads = "".join(
            f'<th scope="col"{f" colspan={span}" if span > 1 else ""}>{html.escape(text)}</th>'
            for text, span in row
        )
        lines.append(f"<tr>{heads}</tr>")
    lines.append("</thead><tbody>")
    for cells_of_row in table.rows:
        cells = []
        for i, cell in enumerate(cells_of_row):
            text = html.escape(cell.text)
            text = {"bold": f"<strong>{text}</strong>", "dagger": f"{text}<sup>†</sup>"}.get(cell.mark, text)
            cells.append(f'<th scope="row">{text}</th>' if i == 0 else f"<td>{text}</td>")
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return "\n".join([*lines, "</tbody></table></div>"])
