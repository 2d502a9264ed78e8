"""Tables of the error parity audit: names, columns and the rows that results give."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from movfair_spark.kernels.parity.family import Result, Settings
from movfair_spark.kernels.parity.series import Moments

Row = dict[str, Any]

_FAMILY = "model string, metric string, sensitive string"

#: A null group: the row is about all groups together, those left out included.
GROUPS = (
    f"{_FAMILY}, `group` string, n bigint, included boolean, mean double, variance double, sd double, "
    "skewness double, kurtosis double, rounding double, note string"
)
TESTS = (
    f"{_FAMILY}, n_groups int, n bigint, statistic double, standardised double, p_value double, permutations bigint, "
    "exact boolean, smallest_p double, approximation double, approximation_text string, alpha double, "
    "rejected boolean, rounding double, note string"
)
PAIRS = (
    f"{_FAMILY}, group_a string, group_b string, n_a bigint, n_b bigint, moment string, value_a double, "
    "value_b double, sd_a double, sd_b double, difference double, p_value double, permutations bigint, exact boolean, "
    "smallest_p double, p_holm double, family_size int, p_studentised double, mark string, effect double, "
    "effect_low double, effect_high double, bootstrap_draws int, bootstrap_undefined int, note string"
)
#: part: 'inside' (a bin of the figure), 'below' or 'above' (what its axis leaves out).
DISTRIBUTIONS = (
    f"{_FAMILY}, `group` string, part string, low double, high double, rows bigint, share double, mean double"
)
SCHEMAS = {
    "error_groups": GROUPS,
    "error_tests": TESTS,
    "error_pairs": PAIRS,
    "error_distributions": DISTRIBUTIONS,
}


def columns(schema: str) -> list[str]:
    """Names of a schema's columns, in order."""
    return [part.split()[0].strip("`") for part in schema.split(", ")]


def family_of(result: Result) -> Row:
    """Key columns of a result."""
    return {
        "model": result.family.model,
        "metric": result.family.metric,
        "sensitive": result.family.sensitive,
    }


def group_row(
    key: Row, group: str | None, n: int, moments: Moments | None, rounding: float, note: str
) -> Row:
    """Row of one group; without moments when it was left out."""
    return {
        **key,
        "group": group,
        "n": n,
        "included": None if group is None else moments is not None,
        "mean": moments.mean if moments else None,
        "variance": moments.variance if moments else None,
        "sd": moments.sd if moments else None,
        "skewness": moments.skewness if moments else None,
        "kurtosis": moments.kurtosis if moments else None,
        "rounding": rounding,
        "note": note,
    }


def test_row(result: Result, settings: Settings) -> Row:
    """Row of the Anderson-Darling test of one family."""
    test = result.test
    return {
        **family_of(result),
        "n_groups": len(result.family.groups),
        "n": int(result.family.series.count.sum()),
        "statistic": test.statistic,
        "standardised": test.standardised,
        "p_value": float(test.p_value),
        "permutations": test.repetitions,
        "exact": test.exact,
        "smallest_p": test.smallest,
        "approximation": test.approximation,
        "approximation_text": test.approximation_text,
        "alpha": settings.alpha,
        "rejected": test.rejected,
        "rounding": result.family.series.rounding,
        "note": test.note,
    }


def pair_rows(result: Result, settings: Settings) -> list[Row]:
    """Rows of the post hoc tests of one family: four moments per pair of groups."""
    return [
        {
            **family_of(result),
            "group_a": test.group_a,
            "group_b": test.group_b,
            "n_a": test.moments_a.n,
            "n_b": test.moments_b.n,
            "moment": test.moment,
            "value_a": getattr(test.moments_a, test.moment),
            "value_b": getattr(test.moments_b, test.moment),
            "sd_a": test.moments_a.sd,
            "sd_b": test.moments_b.sd,
            "difference": test.difference,
            "p_value": _number(test.p_value),
            "permutations": test.repetitions,
            "exact": test.exact,
            "smallest_p": test.smallest,
            "p_holm": _number(test.p_holm),
            "family_size": test.family_size,
            "p_studentised": _number(test.p_studentised),
            "mark": test.mark,
            "effect": test.effect,
            "effect_low": test.effect_low,
            "effect_high": test.effect_high,
            "bootstrap_draws": settings.bootstrap_draws,
            "bootstrap_undefined": test.undefined_draws,
            "note": test.note,
        }
        for test in result.moments
    ]


def csv_text(rows: Sequence[Row], schema: str) -> str:
    """Table as CSV (RFC 4180): empty for null, shortest exact form of numbers."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.DictWriter(out, columns(schema), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {name: str(value).lower() if isinstance(value, bool) else value for name, value in row.items()}
        )
    return out.getvalue()


def _number(p: Fraction | None) -> float | None:
    return None if p is None else float(p)
