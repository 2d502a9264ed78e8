from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from movfair_spark.report.error_parity import report
from movfair_spark.report.error_parity_reading import number, p_text, reading
from movfair_spark.report.error_parity_table import markdown, table1
from movfair_spark.report.error_parity_verdict import verdict

KEY = {"model": "m", "metric": "difference", "sensitive": "sex"}


def group(
    name: str | None, n: int, mean: float, *, included: bool | None = True, **key: str
) -> dict[str, Any]:
    return {**KEY, **key, "group": name, "n": n, "included": included, "mean": mean, "variance": 4.0, "sd": 2.0, "skewness": None, "kurtosis": 0.5, "rounding": 0.0, "note": ""}  # fmt: skip


def pair(a: str, b: str, moment: str, values: tuple[float, float], mark: str, **more: Any) -> dict[str, Any]:
    row = {**KEY, "group_a": a, "group_b": b, "n_a": 50, "n_b": 40, "moment": moment, "value_a": values[0], "value_b": values[1], "sd_a": 2.0, "sd_b": 3.0, "difference": values[0] - values[1], "p_value": 0.0001, "permutations": 9_999, "exact": False, "smallest_p": 0.0, "p_holm": 0.0004, "family_size": 4, "p_studentised": 0.0002, "mark": mark, "effect": 0.5, "effect_low": 0.3, "effect_high": 0.7, "bootstrap_draws": 200, "bootstrap_undefined": 0, "note": ""}  # fmt: skip
    return {**row, **more}


def test_row(rejected: bool, **more: Any) -> dict[str, Any]:
    row = {**KEY, "n_groups": 2, "n": 90, "statistic": 5.0, "standardised": 4.2, "p_value": 0.0001 if rejected else 0.4, "permutations": 9_999, "exact": False, "smallest_p": 0.0, "approximation": None, "approximation_text": "< 0.001", "alpha": 0.01, "rejected": rejected, "rounding": 0.0, "note": ""}  # fmt: skip
    return {**row, **more}


test_row.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("metric", "values", "words"),
    [
        ("difference", (2.0, -1.0), "f is overpredicted on average, m is underpredicted"),
        ("percentage", (-3.0, -1.0), "Both are underpredicted on average, f more than m"),
        ("symmetric_percentage", (0.5, 0.25), "Both are overpredicted on average, f more than m"),
        (
            "absolute",
            (2.0, 1.0),
            "The errors of f are larger on average; in which direction, this metric does not tell",
        ),
        ("prediction_only", (2.0, 1.0), "f receives higher predictions on average"),
        ("cost", (2.0, 1.0), "'cost' is larger for f on average"),
    ],
)
def test_a_difference_of_means_in_the_papers_terms(
    metric: str, values: tuple[float, float], words: str
) -> None:
    text = reading({**pair("f", "m", "mean", values, "bold"), "metric": metric}, 0.01)
    assert text.startswith("The errors of f and m are not exchangeable; seen in the mean")
    assert words in text


def test_other_moments_in_the_papers_terms() -> None:
    assert "m has more dispersed prediction errors: predictions for f are more consistent" in reading(
        pair("f", "m", "variance", (4.0, 9.0), "bold"), 0.01
    )
    skewed = reading(pair("f", "m", "skewness", (-0.5, 1.0), "bold", p_studentised=None), 0.01)
    assert "m has the longer tail on the side of overprediction" in skewed
    assert "Where the means are equal" in skewed
    assert "f has more outliers" in reading(
        pair("f", "m", "kurtosis", (9.0, 1.0), "bold", p_studentised=None), 0.01
    )


def test_what_the_tests_do_not_confirm_is_said() -> None:
    text = reading(pair("f", "m", "mean", (2.0, 1.0), "dagger", p_studentised=0.3), 0.01)
    assert "Only the unadjusted p reaches 0.01" in text
    assert "does not confirm it as a difference of this moment" in text


def test_the_papers_layout() -> None:
    table = table1(
        [group("f", 50, -9.0), group("m", 40, -6.0)],
        [pair("f", "m", "mean", (-9.0, -6.0), "bold"), pair("f", "m", "variance", (4.0, 4.0), "dagger")],
        ["m"],
        set(),
    )
    assert table.header[0] == (("", 1), ("μ", 2), ("σ", 2), ("ψ", 2), ("κ", 2))
    assert (
        markdown(table).splitlines()[2]
        == "| m | **-9.00** | **-6.00** | 2.00† | 2.00† | not defined | not defined | 0.500 | 0.500 |"
    )


def test_many_groups_stand_in_rows_and_small_ones_are_not_shown() -> None:
    groups = [group(f"g{i}", 50 if i else 3, float(i)) for i in range(6)]
    table = table1(groups, [], ["m"], {"g0"})
    assert [row[1].text for row in table.rows] == ["g1", "g2", "g3", "g4", "g5"]


def test_groups_too_small_for_a_report_are_not_named() -> None:
    rows = [group("f", 50, 1.0), group("tiny", 4, 9.0)]
    tables = {
        "error_groups": rows,
        "error_tests": [test_row(True)],
        "error_pairs": [pair("f", "tiny", "mean", (1.0, 9.0), "bold")],
        "error_distributions": [],
    }
    answer = verdict(*(tables[name] for name in ("error_groups", "error_tests", "error_pairs")), 5)
    made = report(
        tables,
        answer,
        [],
        {"alpha": 0.01, "pair_permutations": 999, "min_report_objects": 5, "min_group_size": 2},
    )
    for text in (*made.texts.values(), answer.text):
        assert "tiny" not in text
    assert "fewer than 5 rows" in made.texts["error_parity.md"]


def test_the_page_is_well_formed_and_escapes_names() -> None:
    evil = "<script>alert(1)</script>|*x*"
    rows = [group(evil, 50, 1.0), group("m", 40, 2.0)]
    bins = [
        {
            **KEY,
            "group": g,
            "part": "inside",
            "low": -1.0,
            "high": 1.0,
            "rows": 49,
            "share": 0.98,
            "mean": None,
        }
        for g in (evil, "m")
    ]
    bins += [
        {**KEY, "group": g, "part": "above", "low": 1.0, "high": None, "rows": 1, "share": 0.02, "mean": 5.0}
        for g in (evil, "m")
    ]
    tables = {
        "error_groups": rows,
        "error_tests": [test_row(True)],
        "error_pairs": [pair(evil, "m", "mean", (1.0, 2.0), "bold")],
        "error_distributions": bins,
    }
    answer = verdict(rows, tables["error_tests"], tables["error_pairs"], 5)
    made = report(
        tables,
        answer,
        [{"source": "m", "reason": "null_truth", "rows": 3}],
        {"alpha": 0.01, "pair_permutations": 999, "min_report_objects": 5, "min_group_size": 2},
    )
    page = made.texts["error_parity.html"]
    assert "<script>" not in page
    assert "2.00 % of" in page
    # One excluded error is nobody's to see.
    assert "their means" not in page
    assert "3 rows, null truth" in page
    assert made.pictures["error_distribution_1.png"].startswith(b"\x89PNG")
    open_tags: list[str] = []

    class Checker(HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            if tag not in ("meta", "img"):
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Checker().feed(page)
    assert open_tags == []


def test_a_verdict_says_what_no_data_could_reach() -> None:
    answer = verdict(
        [group("f", 4, 1.0)], [test_row(False, smallest_p=2 / 70, exact=True, permutations=70)], [], 1
    )
    assert not answer.significant
    assert "no data of these sizes can give less than 0.029" in answer.text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "not defined"), (0.0, "0"), (1234.5, "1,234"), (0.12345, "0.123"), (1e9, "1.00e+09")],
)
def test_numbers_for_readers(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("p", "text"), [(None, "not defined"), (1e-5, "1e-05"), (0.0123, "0.012"), (0.5, "0.50")]
)
def test_p_values_for_readers(p: float | None, text: str) -> None:
    assert p_text(p) == text


def test_groups_too_small_for_a_report_make_no_picture() -> None:
    rows = [group("f", 3, 1.0), group("m", 3, 2.0)]
    bins = [
        {**KEY, "group": g, "part": "inside", "low": -1.0, "high": 1.0, "rows": 3, "share": 1.0, "mean": None}
        for g in "fm"
    ]
    tables = {
        "error_groups": rows,
        "error_tests": [test_row(False)],
        "error_pairs": [],
        "error_distributions": bins,
    }
    settings = {"alpha": 0.01, "pair_permutations": 999, "min_report_objects": 5, "min_group_size": 2}
    made = report(tables, verdict(rows, tables["error_tests"], [], 5), [], settings)
    assert made.pictures == {}
    assert "| m |" in made.texts["error_parity.md"]
