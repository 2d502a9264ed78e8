from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from movfair_spark.stages import quantiles
from movfair_spark.stages.error_groups import interval_names
from movfair_spark.stages.quantiles import order_keys, quantile_edges, value_of


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=20))
def test_keys_have_the_order_of_their_values(values: list[float]) -> None:
    array = np.array(values)
    keys = order_keys(array)
    order = np.argsort(keys, kind="stable")
    assert (np.diff(array[order]) >= 0).all() if np.isfinite(array).all() else True
    assert [value_of(int(key)) for key in keys] == values


def by_sorting(values: list[float], parts: int) -> list[float]:
    ordered = sorted(values)
    return sorted({ordered[i * len(ordered) // parts] for i in range(1, parts)})


@pytest.mark.parametrize("few", [50_000, 5])
def test_quantiles_equal_sorting_in_both_ways(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(quantiles, "_FEW", few)
    values = [-1e300, -2.5, -0.0, 0.0, 1e-12, 1.0, 1.0, 1.0, 3.25, 7.0, 1e9, 1e9 + 1]
    frame = spark.createDataFrame([(v,) for v in [*values, float("nan"), None]], "value double").repartition(
        3
    )
    assert quantile_edges(frame, 4) == by_sorting(values, 4)


def test_no_numbers_no_edges(spark: SparkSession) -> None:
    assert quantile_edges(spark.createDataFrame([(None,)], "value double"), 4) == []


def test_names_of_intervals_say_which_end_they_hold() -> None:
    assert interval_names([30.0, 50.5]) == ["< 30", "[30, 50.5)", ">= 50.5"]
