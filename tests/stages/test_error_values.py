from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from movfair_spark.stages.error_values import CODES, Plan, tally


def batch(rows: Sequence[tuple[Any, Any]], groups: Sequence[str | None]) -> pa.RecordBatch:
    """One model; integers are given as int, decimals as float, texts that are no number as str."""
    columns: dict[str, pa.Array] = {"ragged": pa.array([False] * len(rows))}
    for name, values in (("p0", [row[0] for row in rows]), ("t", [row[1] for row in rows])):
        columns[name] = pa.array(
            [None if isinstance(v, str) or v is None else float(v) for v in values], pa.float64()
        )
        columns[f"{name}_int"] = pa.array([v if isinstance(v, int) else None for v in values], pa.int64())
        columns[f"{name}_state"] = pa.array(
            [1 if v is None else 2 if isinstance(v, str) else 0 for v in values], pa.int32()
        )
    columns["g0"] = pa.array(groups, pa.string())
    return pa.RecordBatch.from_pydict(columns)


def rows(table: pa.Table) -> list[tuple[Any, ...]]:
    found = [(r["problem"], r["exact"], r["value"], r["g0"], r["rows"]) for r in table.to_pylist()]
    return sorted(found, key=str)


def plan(*metrics: str) -> Plan:
    return Plan(1, metrics, 1, truth=True)


def test_equal_errors_of_a_group_are_one_row() -> None:
    """scipy #17667: 0.3 - 0.2 and 0.9 - 0.8 are equal errors."""
    table = tally(batch([(0.3, 0.2), (0.9, 0.8), (0.4, 0.3)], ["x", "x", "y"]), plan("difference"))
    assert rows(table) == [(0, None, 0.1, "x", 2), (0, None, 0.1, "y", 1)]


def test_integers_stay_exact() -> None:
    """scipy #7759; 2^53 + 1 is no float."""
    table = tally(batch([(2**53 + 1, 0), (2**53, 0), (-(2**62), 2**61)], ["x", "x", "x"]), plan("difference"))
    assert sorted(r["exact"] for r in table.to_pylist()) == [-(2**62) - 2**61, 2**53, 2**53 + 1]


def test_an_integer_difference_beyond_64_bits_is_a_float() -> None:
    table = tally(batch([(2**62 + 2**61, -(2**62))], ["x"]), plan("difference"))
    (row,) = table.to_pylist()
    assert row["exact"] is None
    assert row["value"] == pytest.approx(float(2**63 + 2**61), rel=1e-11)


def test_each_problem_has_its_code() -> None:
    bad = [
        (1.0, None),
        (1.0, "x"),
        (1.0, np.inf),
        (None, 1.0),
        ("?", 1.0),
        (np.nan, 1.0),
        (1.0, 0.0),
        (1.0, -1.0),
    ]
    table = tally(batch(bad, ["x"] * len(bad)), plan("percentage"))
    names = [
        "null_truth",
        "bad_truth",
        "not_finite_truth",
        "null_prediction",
        "bad_prediction",
        "not_finite_prediction",
    ]
    expected = sorted([CODES[name] for name in names] + [CODES["zero_denominator"], CODES["negative_truth"]])
    assert sorted(row["problem"] for row in table.to_pylist()) == expected
    kept = [row for row in table.to_pylist() if row["value"] is not None]
    assert [row["problem"] for row in kept] == [CODES["negative_truth"]]


def test_metrics_are_counted_side_by_side() -> None:
    table = tally(batch([(3, 2), (1, 2)], ["x", "y"]), plan("difference", "absolute", "squared"))
    found = {(r["metric"], r["exact"], r["value"], r["g0"]) for r in table.to_pylist()}
    assert found == {
        (0, 1, 1.0, "x"),
        (0, -1, -1.0, "y"),
        (1, 1, 1.0, "x"),
        (1, 1, 1.0, "y"),
        (2, None, 1.0, "x"),
        (2, None, 1.0, "y"),
    }


def test_a_row_without_a_group_is_kept_apart() -> None:
    """fairlearn #1155: no group called 'nan'."""
    table = tally(batch([(3, 2), (1, 2)], ["nan", None]), plan("difference"))
    assert {r["g0"] for r in table.to_pylist()} == {"nan", None}


def test_an_empty_batch_gives_an_empty_table() -> None:
    assert tally(batch([], []), plan("difference")).num_rows == 0
