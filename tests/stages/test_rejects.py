"""The table of rejects."""

from __future__ import annotations

import pytest

from movfair_spark.errors import RejectsError
from movfair_spark.stages.rejects import refuse_rejects, rejects_table
from movfair_spark.tables.rejects import CODES, MEANING, REASONS, ROW_ORDER, SCHEMA


def details(spark, *rows):
    return lambda: spark.createDataFrame(list(rows), SCHEMA)


def test_counts_come_from_the_pass_and_examples_from_the_second_scan(spark):
    points = {"read": 9, "kept": 4, "duplicate": 1, "merged": 1, "bad_time": 2, "null_id": 1}
    second = details(
        spark, ("points", "null_id", 99, "p.csv line 3"), ("points", "bad_time", 99, "p.csv line 5: 'x'")
    )
    table = rejects_table(
        spark, [("points", points, second), ("labels", {"conflicting_label": 2}, details(spark))]
    )
    assert [tuple(row) for row in table.collect()] == [
        ("points", "null_id", 1, "p.csv line 3"),
        ("points", "bad_time", 2, "p.csv line 5: 'x'"),
        ("labels", "conflicting_label", 2, None),
    ]


def test_without_rejects_nothing_is_scanned_again_and_the_schema_stays(spark):
    def scanned():
        raise AssertionError("a second scan")

    table = rejects_table(spark, [("points", {"read": 1, "kept": 1, "null_id": 0}, scanned)])
    assert (table.columns, table.count()) == (["source", "reason", "rows", "example"], 0)


def test_conflicts_between_rows_alone_need_no_second_scan(spark):
    def scanned():
        raise AssertionError("a second scan")

    table = rejects_table(spark, [("points", {"conflicting_position": 2}, scanned)])
    assert [tuple(row) for row in table.collect()] == [("points", "conflicting_position", 2, None)]


def test_strict_makes_any_reject_an_error(spark):
    table = rejects_table(
        spark, [("points", {"bad_time": 2}, details(spark, ("points", "bad_time", 2, "p.csv line 5")))]
    )
    with pytest.raises(RejectsError, match=r"2 x bad_time \(p.csv line 5\)"):
        refuse_rejects(table)
    refuse_rejects(table.limit(0))


def test_every_reason_has_a_meaning_and_a_code_of_its_own():
    assert set(MEANING) == set(CODES) == set(REASONS.values())
    assert len(CODES) == len(REASONS)
    assert set(ROW_ORDER) <= set(CODES)
    assert max(REASONS) < 128  # the code travels as a tinyint
