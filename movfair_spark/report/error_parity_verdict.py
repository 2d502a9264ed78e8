"""The answer of the error parity audit in a few lines, and the same for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from movfair_spark.report.error_parity_reading import p_text
from movfair_spark.tables.error_parity import Row


@dataclass(frozen=True)
class ErrorVerdict:
    """Whether any distribution test rejected, in words and as data."""

    significant: bool
    text: str
    data: Mapping[str, Any]


def family_key(row: Row) -> tuple[str, str, str]:
    """Model, metric and sensitive column of a row of any result table."""
    return row["model"], row["metric"], row["sensitive"]


def hidden_groups(groups: Sequence[Row], least: int) -> set[tuple[str, str]]:
    """(sensitive column, group) of groups too small for a report, by any model or metric."""
    return {(r["sensitive"], r["group"]) for r in groups if r["group"] is not None and r["n"] < least}


def verdict(groups: Sequence[Row], tests: Sequence[Row], pairs: Sequence[Row], least: int) -> ErrorVerdict:
    """Sum up all families.

    Parameters
    ----------
    groups, tests, pairs : sequence of dict
        The result tables.
    least : int
        Groups with fewer rows are not named.
    """
    hidden = hidden_groups(groups, least)
    lines, data = [], []
    for test in tests:
        mine = [p for p in pairs if family_key(p) == family_key(test)]
        shown = [
            p for p in mine if not {(p["sensitive"], p["group_a"]), (p["sensitive"], p["group_b"])} & hidden
        ]
        strong = [p for p in shown if p["mark"] == "bold"]
        lines.extend(_lines(test, strong, mine))
        data.append(
            {
                **dict(zip(("model", "metric", "sensitive"), family_key(test), strict=True)),
                "rejected": test["rejected"],
                "p_value": test["p_value"],
                "statistic": test["statistic"],
                "standardised": test["standardised"],
                "approximation": test["approximation_text"],
                "significant_moments": [
                    {
                        key: p[key]
                        for key in ("group_a", "group_b", "moment", "value_a", "value_b", "p_value", "p_holm")
                    }
                    for p in strong
                ],
            }
        )
    rejected = sum(test["rejected"] for test in tests)
    if rejected:
        first = f"UNFAIR by error parity: the errors are not distributed alike in {rejected} of {len(tests)} comparisons."
    else:
        first = (
            f"No evidence against error parity in {len(tests)} comparison{'s' if len(tests) > 1 else ''}: "
            "the groups' errors may have the same distribution."
        )
    return ErrorVerdict(
        rejected > 0, "\n".join([first, *lines]), {"significant": rejected > 0, "comparisons": data}
    )


def _lines(test: Row, strong: Sequence[Row], mine: Sequence[Row]) -> list[str]:
    what = f"  {test['model']}, {test['metric']} by {test['sensitive']}"
    if test["note"]:
        return [f"{what}: {test['note']}"]
    how = (
        f"exact, {test['permutations']:,} labelings"
        if test["exact"]
        else f"{test['permutations']:,} permutations"
    )
    answer = "differ" if test["rejected"] else "no difference found"
    line = f"{what}: {answer}, Anderson-Darling p = {p_text(test['p_value'])} ({how}; approximation {test['approximation_text']})"
    if test["smallest_p"] > test["alpha"]:
        line += f"; no data of these sizes can give less than {p_text(test['smallest_p'])}"
    lines = [line]
    for p in strong[:6]:
        lines.append(
            f"    {p['moment']}: {p['group_a']} {p['value_a']:.4g}, {p['group_b']} {p['value_b']:.4g} "
            f"(p = {p_text(p['p_holm'])} after Holm)"
        )
    if len(strong) > 6:
        lines.append(f"    and {len(strong) - 6} more moments and pairs: see the report")
    if test["rejected"] and not any(p["mark"] == "bold" for p in mine):
        lines.append("    in none of the four moments significantly, after Holm's adjustment")
    return lines
