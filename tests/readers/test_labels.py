"""Labels of people."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from movfair_spark.config.input import LabelsConfig
from movfair_spark.config.notion import NotionConfig
from movfair_spark.errors import ConfigurationError, InputError
from movfair_spark.readers import read_labels
from tests.readers.helpers import examples, labels, rows, write

BIG = 9_007_199_254_740_993


def outcomes(result) -> dict:
    return {row[0]: row[1] for row in rows(result)}


def from_frame(spark, values, schema, **settings):
    return read_labels(spark, LabelsConfig(**settings), spark.createDataFrame(values, schema))


def test_the_table_has_one_schema(spark, tmp_path):
    result = labels(spark, write(tmp_path / "l.csv", "uid,outcome", "a,1"))
    assert result.frame.dtypes == [
        ("uid", "string"),
        ("outcome", "double"),
        ("outcome_class", "string"),
        ("truth", "double"),
        ("stratum", "string"),
        ("weight", "double"),
    ]
    assert rows(result) == [("a", 1.0, None, None, None, None)]


def test_optional_columns(spark, tmp_path):
    path = write(
        tmp_path / "l.csv", "user,label,y_true,stratum,weight", "a,1,0,x,2.5", "b,0,,,", "c,0,1,NaN,1"
    )
    assert rows(labels(spark, path)) == [
        ("a", 1.0, None, 0.0, "x", 2.5),
        ("b", 0.0, None, None, None, None),
        ("c", 0.0, None, 1.0, None, 1.0),
    ]


@pytest.mark.parametrize(
    ("values", "schema"),
    [
        ([("a", 1), ("b", 0)], "uid string, outcome int"),
        ([("a", 1.0), ("b", 0.0)], "uid string, outcome double"),
        ([("a", True), ("b", False)], "uid string, outcome boolean"),
        ([("a", "1.0"), ("b", "False")], "uid string, outcome string"),
    ],
)
def test_outcomes_of_every_type(spark, values, schema):
    assert outcomes(from_frame(spark, values, schema)) == {"a": 1.0, "b": 0.0}


def test_the_positive_value_is_named(spark):
    settings = {"positive": "denied", "columns": {"outcome": "decision"}}
    result = from_frame(
        spark, [("a", "denied"), ("b", " granted ")], "uid string, decision string", **settings
    )
    assert outcomes(result) == {"a": 1.0, "b": 0.0}


def test_several_values_may_be_positive(spark):
    values = [("a", 3), ("b", 2), ("c", 1), ("d", 9)]
    result = from_frame(spark, values, "uid string, outcome int", positive=[2, 3], negative=1)
    assert outcomes(result) == {"a": 1.0, "b": 1.0, "c": 0.0}
    assert result.counts()["bad_outcome"] == 1


def test_the_positive_value_may_be_false(spark):
    assert outcomes(
        from_frame(spark, [("a", True), ("b", False)], "uid string, outcome boolean", positive=False)
    ) == {
        "a": 0.0,
        "b": 1.0,
    }


def test_values_that_are_neither_are_never_guessed_at(spark):
    with pytest.raises(ConfigurationError, match="'maybe', 'no' besides labels.positive"):
        from_frame(
            spark, [("a", "yes"), ("b", "no"), ("c", "maybe")], "uid string, outcome string", positive="yes"
        )


def test_equal_rows_count_once_and_different_ones_are_a_conflict(spark, tmp_path):
    path = write(
        tmp_path / "l.csv",
        "uid,outcome,truth",
        "a,1,1",
        "a,1,1",
        "a,1.0,1",
        "b,1,1",
        "b,0,1",
        "c,1,0",
        "c,1,1",
        "d,0,",
    )
    result = labels(spark, path)
    counts = result.counts()
    assert outcomes(result) == {"a": 1.0, "d": 0.0}
    assert counts == {"read": 8, "kept": 2, "duplicate": 2, "conflicting_label": 4}
    assert examples(result) == {"conflicting_label": (4, f"{path} line 5")}


def test_rows_read_are_kept_duplicate_or_rejected(spark, tmp_path):
    path = write(
        tmp_path / "l.csv",
        "uid,outcome",
        "a,1",
        "a,1",
        "b,NaN",
        "c,2",
        "d,",
        ",1",
        "e,0",
        "f,0",
        "g,1",
        "h,1",
    )
    result = labels(spark, path)
    counts = result.counts()
    assert counts == {
        "read": 10,
        "kept": 5,
        "duplicate": 1,
        "null_id": 1,
        "null_outcome": 1,
        "bad_outcome": 2,
    }
    assert examples(result)["bad_outcome"] == (2, f"{path} line 4: 'NaN'")


def test_ids_above_2_to_the_53_stay_exact(spark, tmp_path):
    """SPARK-54962, SPARK-21766: a null id beside it changes no id."""
    table = pa.table({"uid": pa.array([BIG, None, BIG - 1], pa.int64()), "outcome": [1, 1, 0]})
    pq.write_table(table, tmp_path / "l.parquet")
    result = labels(spark, tmp_path / "l.parquet")
    assert (result.uid_type, outcomes(result)) == ("int", {BIG: 1.0, BIG - 1: 0.0})


def test_the_mortgage_data_needs_its_columns_named(spark, shared_data):
    """A table of places is no label table: there is nobody in it."""
    with pytest.raises(InputError, match="no column for uid"):
        labels(spark, shared_data / "lar" / "lar_2021.csv.gz", columns={"outcome": "approved"})


def test_classes_keep_their_names_and_have_a_truth_of_their_own(spark, tmp_path):
    path = write(tmp_path / "l.csv", "uid,outcome,truth", "a, low ,high", "b,high,", "c,low,low")
    found = read_labels(
        spark,
        LabelsConfig(path=str(path), classes=["low", "high"]),
        notion=NotionConfig(model="multinomial", notion="equal_odds"),
    )
    kept = (
        found.frame.orderBy("uid").select("uid", "outcome", "outcome_class", "truth", "truth_class").collect()
    )
    assert [tuple(row) for row in kept] == [
        ("a", None, "low", None, "high"),
        ("b", None, "high", None, None),
        ("c", None, "low", None, "low"),
    ]


def test_real_outcomes_keep_their_values_and_look_at_a_truth_only_for_residuals(spark, tmp_path):
    path = write(tmp_path / "l.csv", "uid,outcome,truth", "a,1.25,1", "b,-3e2,x", "c,0,")
    config = LabelsConfig(path=str(path))
    plain = read_labels(spark, config, notion=NotionConfig(model="normal"))
    assert [row["outcome"] for row in plain.frame.orderBy("uid").collect()] == [1.25, -300.0, 0.0]
    residual = read_labels(spark, config, notion=NotionConfig(model="normal", outcome="residual"))
    kept = residual.frame.orderBy("uid").select("uid", "outcome", "truth").collect()
    assert [tuple(row) for row in kept] == [("a", 1.25, 1.0), ("c", 0.0, None)]
    assert residual.counts()["bad_truth"] == 1
