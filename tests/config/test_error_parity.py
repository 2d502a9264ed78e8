from __future__ import annotations

from typing import Any

import pytest

from movfair_spark.config.error_expression import rewrite
from movfair_spark.config.error_parity import ErrorParityConfig
from movfair_spark.config.load import build, override, parse
from movfair_spark.config.resources import read
from movfair_spark.errors import ConfigurationError

LEAST = {"prediction": "p", "truth": "t", "groups": ["g"]}


def test_the_recommended_file_is_the_defaults() -> None:
    given = build(ErrorParityConfig, parse(read("error_parity.yaml"), "error_parity.yaml"))
    assert given == build(
        ErrorParityConfig, {"prediction": "prediction", "truth": "truth", "groups": ["group"]}
    )


def test_groups_in_short_and_in_full() -> None:
    text = "groups=[sex, 'sex*race', {column: age, edges: [30, 50]}, {column: income, quantiles: 4, name: quarter}]"
    config = build(ErrorParityConfig, override(LEAST, [text]))
    assert [group.label for group in config.groups] == ["sex", "sex*race", "age", "quarter"]
    assert [part.column for part in config.groups[1].all_of or []] == ["sex", "race"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alhpa": 0.05}, "unknown key 'alhpa'. Did you mean 'alpha'?"),
        ({"alpha": 0}, "alpha = 0"),
        ({"groups": []}, "groups = []"),
        ({"groups": ["g", "g"]}, "holds 'g' twice"),
        ({"errors": ["diference"]}, "'diference'"),
        ({"errors": ["difference", "difference"]}, "holds 'difference' twice"),
        ({"truth": None}, "truth must name a column"),
        ({"prediction": ["p", "p"]}, "names a column twice"),
        ({"groups": [{"column": "age", "edges": [5, 5]}]}, "edges must rise"),
        ({"groups": [{"edges": [5]}]}, "needs one of column, all_of and movement"),
        ({"groups": [{"column": "a", "edges": [5], "quantiles": 3}]}, "not both"),
        ({"groups": [{"movement": {"uid": "u", "stops": "s"}}]}, "needs either stops and polygons"),
        ({"report": {"cut_low": 2, "cut_high": 1}}, "cut_low must lie below"),
        ({"pair_permutations": 0}, "pair_permutations"),
    ],
)
def test_impossible_configurations(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        build(ErrorParityConfig, {**LEAST, **change})
    assert words in str(caught.value)


def test_an_expression_is_arithmetic_over_columns() -> None:
    found = rewrite(
        "CASE WHEN t > 0 THEN ln(p/T) ELSE abs(`my col` - -1.5e3) END",
        ["p", "t", "my col"],
        lambda c: f"<{c}>",
    )
    assert found == "CASE WHEN <t> > 0 THEN ln ( <p> / <t> ) ELSE abs ( <my col> - - 1.5e3 ) END"


@pytest.mark.parametrize(
    "text",
    [
        "reflect('java.lang.System', 'exit', 1)",
        "java_method('java.lang.Runtime', 'getRuntime')",
        "(SELECT max(p) FROM other)",
        "p; DROP TABLE x",
        "p -- t",
        "p /* t */",
        "rand()",
        "input_file_name()",
        "q - t",
        "p.t",
        "sum(p)",
        "p - 'it''s \\' odd'",
    ],
)
def test_nothing_else_is_ever_evaluated(text: str) -> None:
    with pytest.raises(ConfigurationError):
        rewrite(text, ["p", "t"], str)
