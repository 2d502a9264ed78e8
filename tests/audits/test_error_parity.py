from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pyspark.sql import SparkSession

from movfair_spark.audits.error_parity import ErrorParity, error_parity
from movfair_spark.audits.place import spark_frame
from movfair_spark.errors import (
    ConfigurationError,
    EmptyTableError,
    InputError,
    LimitError,
    MissingColumnsError,
    RejectsError,
)
from movfair_spark.kernels.parity.local import run_local
from movfair_spark.kernels.parity.tasks import AndersonDarlingTask, BootstrapTask, PairTask
from movfair_spark.stages.error_permutations import runner
from tests.kernels.parity.samples import series

FAST = {"prediction": "prediction", "truth": "truth", "groups": ["group"], "permutations": 199, "pair_permutations": 999, "bootstrap_draws": 50}  # fmt: skip


def people(n: int = 300, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    group = np.where(np.arange(n) % 3 == 0, "N", "W")
    truth = np.round(rng.gamma(3, 50, n), 1)
    noise = rng.normal(0, 10, n) * np.where(group == "N", 2.0, 1.0)
    return pd.DataFrame(
        {
            "prediction": np.round(truth + noise, 1),
            "second": np.round(truth).astype(int),
            "truth": truth,
            "group": group,
            "age": rng.integers(18, 90, n),
            "region": rng.choice(["x", "y"], n),
            "uid": np.arange(n),
        }
    )


def results(audit: ErrorParity) -> list[list[tuple[Any, ...]]]:
    tables = (audit.groups, audit.tests, audit.pairs, audit.distributions)
    return [[tuple(row) for row in table.collect()] for table in tables if table is not None]


def test_the_same_bits_for_any_partitioning(spark: SparkSession) -> None:
    """squidpy #1233 and #1234, CellphoneDB #231: the result depends on the number of workers."""
    config = {**FAST, "prediction": ["prediction", "second"], "errors": ["difference", "percentage"]}
    frame = spark_frame(spark, people())
    found = [results(error_parity(frame.repartition(n), config)) for n in (1, 3, 8)]
    assert found[0] == found[1] == found[2]
    groups, tests, pairs, _ = found[0]
    assert len(tests) == 4
    assert len(pairs) == 16
    # Two groups and all rows together, per model and metric.
    assert len(groups) == 12


def test_threads_and_executors_give_the_same_bits(spark: SparkSession) -> None:
    rng = np.random.default_rng(1)
    data = series([rng.normal(size=300), rng.normal(size=120)])
    floors = np.array([[0.1, 0.1, 0.2, 0.3, 0.5, 0.5]])
    tasks: list[Any] = [
        PairTask((data,), ((0, 1),), floors, 1, ("g", "a", "b"), 501),
        AndersonDarlingTask(data, 1.5, 1, ("g",), 501),
        BootstrapTask(data, 1, 1, ("g", "b"), 101),
    ]
    fanned = runner(spark, driver_seconds=0.0)(tasks)
    assert all(np.array_equal(a, b) for a, b in zip(fanned, run_local(tasks), strict=True))


CSV = """group,prediction,truth
a,1,0
a,2,0
a,3,0
b,4,0
b,5,0
NA,6,0
,7,0
"""


def test_rows_without_a_group_are_counted_and_no_group_is_called_nan(
    spark: SparkSession, tmp_path: Path
) -> None:
    """fairlearn #1155, #1698, #1725: 3 + 2 + 1 + 1 = 7."""
    path = tmp_path / "errors.csv"
    path.write_text(CSV)
    audit = error_parity(str(path), FAST, spark=spark, output=tmp_path / "run")
    assert audit.groups is not None
    found = {row["group"]: (row["n"], row["mean"], row["included"]) for row in audit.groups.collect()}
    assert found == {"a": (3, 2.0, True), "b": (2, 4.5, True), "NA": (1, None, False), None: (6, 3.5, None)}
    assert [(row["source"], row["reason"], row["rows"]) for row in audit.rejects.collect()] == [
        ("group", "null_group", 1)
    ]
    assert audit.manifest["rows"]["input"]["read"] == 7
    # The report names no group of fewer than five.
    assert "NA" not in (tmp_path / "run" / "error_parity.md").read_text()


BAD = """group,prediction,truth,extra
a,1.5,1,x
a,2.5,2,x
b,3.5,3,x
b,4.0,4,x
a,NaN,1,x
a,inf,1,x
a,,1,x
b,about two,1,x
b,1,-Infinity,x
b,1,,x
b,1,?,x
b,1,2
a,5,0,x
"""


def test_bad_rows_are_rejected_with_counts(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(BAD)
    config = {**FAST, "errors": ["percentage", "difference"]}
    audit = error_parity(str(path), config, spark=spark, output=tmp_path / "run")
    counts = audit.manifest["rows"]["input"]
    rejected = counts["models"]["prediction"]["rejected"]
    assert rejected == {
        "ragged_row": 1,
        "null_truth": 1,
        "bad_truth": 1,
        "not_finite_truth": 1,
        "null_prediction": 1,
        "bad_prediction": 1,
        "not_finite_prediction": 2,
    }
    assert counts["read"] == 13 == counts["models"]["prediction"]["kept"] + sum(rejected.values())
    assert counts["without_error"] == {"prediction, percentage: zero_denominator": 1}
    assert audit.groups is not None
    everyone = {row["metric"]: row["n"] for row in audit.groups.where("`group` IS NULL").collect()}
    assert everyone == {"percentage": 4, "difference": 5}
    with pytest.raises(RejectsError, match="bad_prediction"):
        error_parity(str(path), {**config, "strict": True}, spark=spark, output=tmp_path / "run")


@pytest.mark.parametrize(
    ("columns", "change", "error", "words"),
    [
        ({"group": ["a"] * 4}, {}, InputError, "'group' has 1 group of at least 2 rows"),
        ({"group": ["a", "b", "c", "d"]}, {}, InputError, "has 0 groups of at least 2 rows"),
        ({}, {"groups": ["gruop"]}, MissingColumnsError, "Did you mean 'group'?"),
        ({}, {"prediction": "predicted"}, MissingColumnsError, "no column 'predicted'"),
        ({"truth": [1.0, 0.0, 0.0, 1.0]}, {"errors": ["percentage"], "zero_truth": "refuse"}, InputError, "2 rows have a zero denominator"),
        ({"truth": [1.0, -1.0, 2.0, 3.0]}, {"errors": ["percentage"]}, InputError, "1 rows have a negative truth"),
        ({"prediction": ["w", "x", "y", "z"]}, {}, EmptyTableError, "4 bad_prediction"),
        ({"prediction": [[1.0]] * 4}, {}, InputError, "is of type array<double>"),
        ({}, {"errors": [{"name": "e", "expression": "log2(prediction, truth, 3)"}]}, ConfigurationError, "Spark cannot evaluate"),
        ({"group": ["a", "a", "b", "b"]}, {"pair_permutations": 99}, ConfigurationError, "Set pair_permutations to at least 399"),
        ({"group": ["a", "a", "b", "b"], "age": ["old"] * 4}, {"groups": [{"column": "age", "quantiles": 2}]}, InputError, "no numbers to cut"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_error(
    spark: SparkSession, columns: dict[str, Any], change: dict[str, Any], error: type[Exception], words: str
) -> None:
    frame = pd.DataFrame(
        {"prediction": [1.0, 2.0, 4.0, 8.0], "truth": [1.0, 1.5, 3.0, 9.0], "group": list("aabb"), **columns}
    )
    with pytest.raises(error) as caught:
        error_parity(frame, {**FAST, **change}, spark=spark)
    assert words in str(caught.value)


def test_a_million_groups_are_refused(spark: SparkSession) -> None:
    frame = spark.range(1_000_000).selectExpr(
        "id AS `group`", "CAST(id AS double) AS prediction", "1.0D AS truth"
    )
    with pytest.raises(LimitError, match="more than 10,000 groups"):
        error_parity(frame, FAST)


def test_constant_errors_are_fair(spark: SparkSession) -> None:
    """scipy #17667 and #26082, from the input to the verdict."""
    prediction = [0.3, 0.5, 0.6, 0.7, 0.9, 1.0, 0.4, 0.8, 1.1, 1.3, 1.5, 1.6]
    truth = [0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.3, 0.7, 1.0, 1.2, 1.4, 1.5]
    frame = pd.DataFrame({"prediction": prediction, "truth": truth, "group": ["x"] * 6 + ["y"] * 6})
    audit = error_parity(frame, FAST, spark=spark)
    assert audit.verdict is not None
    assert not audit.verdict.significant
    assert "all errors are equal: nothing to test" in audit.verdict.text
    assert audit.tests is not None
    assert [row["p_value"] for row in audit.tests.collect()] == [1.0]


def test_cuts_intersections_and_a_users_expression(spark: SparkSession) -> None:
    groups = [
        {"column": "age", "edges": [30, 60]},
        {"column": "age", "quantiles": 3, "name": "third"},
        "group*region",
    ]
    errors = ["prediction_only", {"name": "log ratio", "expression": "ln(greatest(prediction, 1) / truth)"}]
    frame = people()
    config = {**FAST, "groups": groups, "errors": errors, "pair_permutations": 2_999}
    audit = error_parity(frame, config, spark=spark)
    assert audit.groups is not None
    assert audit.tests is not None
    sizes: dict[tuple[str, str], dict[str, int]] = {}
    means = {}
    for row in audit.groups.where("`group` IS NOT NULL").collect():
        sizes.setdefault((row["sensitive"], row["metric"]), {})[row["group"]] = row["n"]
        means[row["sensitive"], row["metric"], row["group"]] = row["mean"]
    ages = frame["age"]
    assert sizes["age", "prediction_only"] == {
        "< 30": int((ages < 30).sum()),
        "[30, 60)": int(((ages >= 30) & (ages < 60)).sum()),
        ">= 60": int((ages >= 60).sum()),
    }
    assert list(sizes["age", "log ratio"]) == ["< 30", "[30, 60)", ">= 60"]
    assert max(sizes["third", "log ratio"].values()) - min(sizes["third", "log ratio"].values()) < 20
    assert set(sizes["group*region", "log ratio"]) == {"N & x", "N & y", "W & x", "W & y"}
    young = frame[ages < 30]
    expected = np.log(np.maximum(young["prediction"], 1) / young["truth"]).mean()
    assert means["age", "log ratio", "< 30"] == pytest.approx(expected, rel=1e-9)
    assert means["age", "prediction_only", "< 30"] == pytest.approx(young["prediction"].mean(), rel=1e-9)


def test_large_data_are_tested_on_a_few_thousand_values(spark: SparkSession) -> None:
    frame = spark_frame(spark, people(3_000))
    exact = error_parity(frame, FAST)
    config = {**FAST, "max_exact_rows": 1_000, "summary_values": 200}
    found = [error_parity(frame.repartition(n), config) for n in (1, 3)]
    assert results(found[0]) == results(found[1])
    assert exact.groups is not None
    assert found[0].groups is not None
    for a, b in zip(exact.groups.collect(), found[0].groups.collect(), strict=True):
        assert b["n"] == a["n"]
        assert 0 < b["rounding"] <= 2.0**-3
        assert b["mean"] == pytest.approx(a["mean"], abs=0.01 * a["sd"])
        assert b["sd"] == pytest.approx(a["sd"], rel=0.02)
    assert exact.tests is not None
    assert found[0].tests is not None
    a, b = exact.tests.collect()[0], found[0].tests.collect()[0]
    assert a["p_value"] == b["p_value"] == 1 / 200
    assert b["statistic"] == pytest.approx(a["statistic"], rel=0.02)


def test_few_distinct_values_of_many_rows_stay_exact(spark: SparkSession) -> None:
    frame = spark_frame(spark, people(2_000)).selectExpr(
        "`group`", "round(prediction - truth, -1) AS prediction", "0 AS truth"
    )
    exact = error_parity(frame, FAST)
    counted = error_parity(frame, {**FAST, "max_exact_rows": 100})
    assert exact.groups is not None
    assert counted.groups is not None
    assert exact.groups.collect() == counted.groups.collect()
    assert {row["rounding"] for row in counted.groups.collect()} == {0.0}


def test_equal_outcomes_need_no_truth(spark: SparkSession) -> None:
    config = {**FAST, "errors": ["prediction_only"], "truth": None}
    audit = error_parity(people().drop(columns="truth"), config, spark=spark)
    assert audit.verdict is not None
    assert audit.verdict.data["comparisons"][0]["metric"] == "prediction_only"


def test_the_tables_are_written_as_parquet_and_csv_with_reports(spark: SparkSession, tmp_path: Path) -> None:
    audit = error_parity(people(), FAST, spark=spark, output=tmp_path / "run")
    folder = tmp_path / "run"
    for name in ("error_groups", "error_tests", "error_pairs", "error_distributions"):
        table = spark.read.parquet(str(folder / name)).collect()
        text = list(csv.DictReader(io.StringIO((folder / f"{name}.csv").read_text())))
        assert len(table) == len(text)
        assert list(text[0]) == table[0].__fields__
    manifest = json.loads(
        (folder / "manifest.json").read_text(), parse_constant=lambda word: pytest.fail(word)
    )
    assert manifest["verdict"] == json.loads(json.dumps(dict(audit.verdict.data)))  # type: ignore[union-attr]
    assert {"error_parity.html", "error_parity.md", "figures", "verdict.txt", "rejects"} <= set(
        manifest["published"]
    )
    assert (folder / "figures" / "error_distribution_1.png").read_bytes().startswith(b"\x89PNG")
    assert manifest["seeds"] == {"seed": 1}
