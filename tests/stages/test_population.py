"""Who is in the test: joins, counts, order and errors."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.config.scan import ScanConfig
from movfair_spark.errors import EmptyTableError, IdTypeError, InputError
from movfair_spark.stages.population import population
from tests.stages.frames import cellsets_frame, labels_frame


def test_objects_are_numbered_in_uid_order_and_counted(spark):
    cellsets = cellsets_frame(spark, {0: {9: [1], 10: [1], 3: [2]}, 1: {9: [5], 4: [5]}})
    labels = labels_frame(spark, {10: 1, 9: 0, 4: 1, 77: 1})
    found = population(cellsets, labels, ScanConfig())
    assert found.uids.to_pylist() == [4, 9, 10]
    assert found.labels.tolist() == [1, 0, 1]
    counts = found.counts
    assert (counts.labels, counts.matched, counts.without_stops, counts.people) == (4, 3, 1, 4)
    assert (counts.without_label, counts.tested, counts.positives) == (1, 3, 2)


def test_ids_above_2_to_53_stay_apart(spark):
    big = 2**53
    cellsets = cellsets_frame(spark, {0: {big: [1], big + 1: [1], -5: [1]}})
    found = population(cellsets, labels_frame(spark, {big + 1: 1, big: 0, -5: 0}), ScanConfig())
    assert found.uids.to_pylist() == [-5, big, big + 1]
    assert found.labels.tolist() == [0, 0, 1]


def test_strings_are_ordered_by_their_bytes_and_kept_as_they_are(spark):
    ids = ["é", "z", "10", "9", "007", "7", "Z"]
    cellsets = cellsets_frame(spark, {0: {i: [1] for i in ids}}, "string")
    found = population(cellsets, labels_frame(spark, dict.fromkeys(ids, 1), "string"), ScanConfig())
    assert found.uids.to_pylist() == sorted(ids, key=str.encode) == ["007", "10", "7", "9", "Z", "z", "é"]


def test_include_adds_labelled_objects_without_stops(spark):
    cellsets = cellsets_frame(spark, {0: {1: [1], 2: [1]}})
    labels = labels_frame(spark, {1: 1, 2: 0, 3: 1})
    found = population(cellsets, labels, ScanConfig(objects_without_stops="include"))
    assert (found.size, found.positives, found.counts.without_stops) == (3, 2, 1)


def test_one_label_per_object(spark):
    """fairlearn #1155: rows that fall out are counted, none becomes a group of its own."""
    cellsets = cellsets_frame(spark, {0: {i: [1] for i in range(6)}})
    rows = [(0, 1), (0, 1), (1, 0), (1, 1), (2, float("nan")), (3, None), (None, 1), (4, 2), (5, 0)]
    found = population(cellsets, labels_frame(spark, rows), ScanConfig())
    assert found.uids.to_pylist() == [0, 5]
    counts = found.counts
    assert (counts.labels, counts.unusable_labels) == (9, 4)
    assert (counts.repeated_labels, counts.conflicting_labels, counts.without_label) == (1, 2, 4)


def test_notions_look_at_one_truth_only(spark):
    cellsets = cellsets_frame(spark, {0: {i: [1] for i in range(6)}})
    labels = labels_frame(
        spark, [(0, 1, 1.0), (1, 0, 1.0), (2, 1, 0.0), (3, 1, 0.0), (4, 0, None), (5, 0, 0.0)]
    )
    opportunity = population(cellsets, labels, ScanConfig(notion="equal_opportunity"))
    assert opportunity.uids.to_pylist() == [0, 1]
    assert (opportunity.counts.without_truth, opportunity.counts.other_truth) == (1, 3)
    parity = population(cellsets, labels, ScanConfig(notion="false_positive_parity"))
    assert (parity.uids.to_pylist(), parity.positives) == ([2, 3, 5], 2)


def test_a_notion_without_truth_is_refused(spark):
    with pytest.raises(InputError, match="truth"):
        population(
            cellsets_frame(spark, {0: {1: [1]}}),
            labels_frame(spark, {1: 1}),
            ScanConfig(notion="equal_opportunity"),
        )


def test_ids_of_different_types_are_refused_with_their_masked_form(spark):
    """apache/spark #56615 (notes, report 14): '012' joined to 12 by an implicit cast, and 'abc' to a number raised."""
    cellsets = cellsets_frame(spark, {0: {12: [1]}})
    with pytest.raises(IdTypeError, match="bigint.*'##'.*string.*'u-##'"):
        population(cellsets, labels_frame(spark, {"u-01": 1}, "string"), ScanConfig())


def test_labels_that_find_nobody_are_refused(spark):
    cellsets = cellsets_frame(spark, {0: {f"user-{i}": [1] for i in range(4)}}, "string")
    labels = labels_frame(spark, {"user-0": 1, "0001": 1, "0002": 0}, "string")
    with pytest.raises(IdTypeError, match="1 of 3.*0.5"):
        population(cellsets, labels, ScanConfig())
    assert (
        population(
            cellsets, labels_frame(spark, {"user-0": 1, "user-1": 1, "x": 0}, "string"), ScanConfig()
        ).size
        == 2
    )


def test_people_without_stops_find_their_label(spark):
    cellsets = cellsets_frame(spark, {0: {1: [1], 2: [1]}})
    people = spark.createDataFrame([(i,) for i in range(10)], "uid bigint")
    found = population(cellsets, labels_frame(spark, {i: 1 for i in range(10)}), ScanConfig(), people=people)
    assert (found.size, found.counts.matched, found.counts.without_stops) == (2, 10, 8)


@pytest.mark.parametrize(
    ("cellsets", "labels", "message"),
    [
        ({0: {1: [1]}}, {}, "labels has no rows"),
        ({}, {1: 1, 2: 0}, "cellsets has no rows"),
        ({0: {1: [], 2: []}}, {1: 1, 2: 0}, "cellsets has no rows"),
        ({0: {1: [1], 2: [1]}}, {1: 1}, "1 objects are in the test"),
        ({0: {1: [1]}}, {1: 7}, "none of 1 labels is usable"),
    ],
)
def test_empty_tables_are_named(spark, cellsets, labels, message):
    with pytest.raises(EmptyTableError, match=message):
        population(cellsets_frame(spark, cellsets), labels_frame(spark, labels), ScanConfig())


def test_labels_are_small_integers(spark):
    found = population(
        cellsets_frame(spark, {0: {1: [1], 2: [1]}}), labels_frame(spark, {1: 1, 2: 1}), ScanConfig()
    )
    assert found.labels.dtype == np.uint8
