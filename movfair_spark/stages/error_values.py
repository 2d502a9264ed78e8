"""Errors of every row, as distinct values with counts: the one scan of the input.

Each row gives, for each model and each error metric, one error or one reason why it has none. Equal errors in equal
groups are added up as early as possible (in each Arrow batch, then in each partition), so that what is shuffled and
kept is one row per distinct error and combination of groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from movfair_spark.kernels.parity import errors as kernel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FINE, NULL, NO_NUMBER = 0, 1, 2

#: Integers and where they hold, or None when a metric has none.
Exact = tuple[np.ndarray, np.ndarray] | None

#: Problems of a row or of one of its errors, in the order in which they are looked for.
PROBLEMS: dict[int, str] = {
    1: "ragged_row",
    2: "null_truth",
    3: "bad_truth",
    4: "not_finite_truth",
    5: "null_prediction",
    6: "bad_prediction",
    7: "not_finite_prediction",
    8: "zero_denominator",
    9: "negative_truth",
    10: "error_out_of_range",
    11: "null_expression",
}
CODES = {name: code for code, name in PROBLEMS.items()}
_OF_ERROR = {
    kernel.FINE: 0,
    kernel.ZERO_DENOMINATOR: CODES["zero_denominator"],
    kernel.NEGATIVE_TRUTH: CODES["negative_truth"],
    kernel.NOT_FINITE: CODES["error_out_of_range"],
}

#: Errors beyond this size would leave the range of floats in their fourth power's place: rejected.
LARGEST = 1e150
#: Errors below this size are 0.
SMALLEST = 1e-150


@dataclass(frozen=True)
class Plan:
    """What to compute from a prepared batch.

    Attributes
    ----------
    models : int
        Number of predictions: columns ``p0``, ``p0_int``, ``p0_state``, ...
    metrics : tuple of str
        Names of `kernels.parity.errors.METRICS`, or ``x0``, ``x1``, ... for the columns of user expressions, which
        stand in ``p0_x0``, ``p0_x1``, ...
    groups : int
        Number of sensitive columns: ``g0``, ``g1``, ...
    truth : bool
        Whether there is a truth: ``t``, ``t_int``, ``t_state``.
    """

    models: int
    metrics: tuple[str, ...]
    groups: int
    truth: bool

    @property
    def group_columns(self) -> list[str]:
        """Names of the sensitive columns in batches and in the table of values."""
        return [f"g{i}" for i in range(self.groups)]

    @property
    def schema(self) -> pa.Schema:
        """Schema of the table of values."""
        return pa.schema(
            [
                ("model", pa.int32()),
                ("metric", pa.int32()),
                ("problem", pa.int32()),
                ("exact", pa.int64()),
                ("value", pa.float64()),
                *((name, pa.string()) for name in self.group_columns),
                ("rows", pa.int64()),
            ]
        )

    @property
    def ddl(self) -> str:
        """The same schema in Spark's words."""
        groups = "".join(f", {name} string" for name in self.group_columns)
        return f"model int, metric int, problem int, exact bigint, value double{groups}, rows bigint"


def tally(batch: pa.RecordBatch, plan: Plan) -> pa.Table:
    """Errors of one batch, equal ones added up.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        Columns as `Plan` says; ``*_int`` is the value of an integer, null otherwise; ``ragged`` is boolean.
    plan : Plan

    Returns
    -------
    pyarrow.Table
        ``plan.schema``: of rows with a problem the values are null.
    """
    parts = []
    for model in range(plan.models):
        prediction = _Column.of(batch, f"p{model}")
        truth = _Column.of(batch, "t") if plan.truth else None
        problem = np.where(_flags(batch, "ragged"), CODES["ragged_row"], 0)
        if truth is not None:
            problem = np.where(problem == 0, truth.problem("truth"), problem)
        problem = np.where(problem == 0, prediction.problem("prediction"), problem)
        for number, metric in enumerate(plan.metrics):
            if metric.startswith("x") and metric[1:].isdigit():
                values, exact, found = _of_expression(batch, f"p{model}_{metric}")
            else:
                values, exact, found = _of_metric(metric, prediction, truth)
            bad = np.where(problem == 0, found, problem)
            # A negative truth has an error all the same; who asked for such errors counts them in.
            lost = (bad != 0) & (bad != CODES["negative_truth"])
            part = {
                "model": pa.array(np.full(batch.num_rows, model, dtype=np.int32)),
                "metric": pa.array(np.full(batch.num_rows, number, dtype=np.int32)),
                "problem": pa.array(bad.astype(np.int32)),
                "exact": _exact_column(exact, lost),
                "value": pa.array(values, mask=lost),
                **{name: batch.column(name) for name in plan.group_columns},
                "rows": pa.array(np.ones(batch.num_rows, dtype=np.int64)),
            }
            parts.append(_added_up(pa.table(part), plan))
    return pa.concat_tables(parts) if parts else plan.schema.empty_table()


def _exact_column(exact: Exact, lost: np.ndarray) -> pa.Array:
    if exact is None:
        return pa.nulls(lost.size, pa.int64())
    return pa.array(exact[0], mask=lost | ~exact[1], type=pa.int64())


def _added_up(table: pa.Table, plan: Plan) -> pa.Table:
    keys = [name for name in plan.schema.names if name != "rows"]
    added = table.group_by(keys, use_threads=False).aggregate([("rows", "sum")])
    return added.rename_columns(
        [*keys, "rows"] if added.column_names[-1] == "rows_sum" else ["rows", *keys]
    ).select(plan.schema.names)


@dataclass(frozen=True)
class _Column:
    """A number per row: its float, its integer where it is one, and what is wrong with it."""

    values: np.ndarray
    integers: np.ndarray
    is_integer: np.ndarray
    state: np.ndarray

    @staticmethod
    def of(batch: pa.RecordBatch, name: str) -> _Column:
        integers = batch.column(f"{name}_int")
        return _Column(
            values=pc.fill_null(batch.column(name), 0.0).to_numpy(zero_copy_only=False),
            integers=pc.fill_null(integers, 0).to_numpy(zero_copy_only=False),
            is_integer=pc.is_valid(integers).to_numpy(zero_copy_only=False),
            state=batch.column(f"{name}_state").to_numpy(zero_copy_only=False),
        )

    def problem(self, what: str) -> np.ndarray:
        """Code of the problem of each row, 0 where there is none."""
        return np.select(
            [self.state == NULL, self.state == NO_NUMBER, ~np.isfinite(self.values)],
            [CODES[f"null_{what}"], CODES[f"bad_{what}"], CODES[f"not_finite_{what}"]],
            0,
        )


def _of_metric(
    metric: str, prediction: _Column, truth: _Column | None
) -> tuple[np.ndarray, Exact, np.ndarray]:
    # Values, exact integers with where they hold, and problems.
    p = np.where(np.isfinite(prediction.values), prediction.values, 0.0)
    if metric == "prediction_only" or truth is None:
        values, found = kernel.errors_of("prediction_only", p, p)
        return _in_range(values, (prediction.integers, prediction.is_integer), _codes(found))
    t = np.where(np.isfinite(truth.values), truth.values, 0.0)
    both = prediction.is_integer & truth.is_integer
    with np.errstate(over="ignore"):
        gap = prediction.integers - truth.integers
    # The difference left 64 bits when the inputs differ in sign and the result does not have the first one's.
    both &= ((prediction.integers ^ truth.integers) & (prediction.integers ^ gap)) >= 0
    both &= gap != np.iinfo(np.int64).min
    values, found = kernel.errors_of(metric, p, t)
    if both.any():
        exact_values, exact_found = kernel.errors_of(metric, p, t, np.where(both, gap, 0))
        values, found = np.where(both, exact_values, values), np.where(both, exact_found, found)
    exact: Exact = None
    if metric in kernel.EXACT_METRICS:
        exact = (np.abs(gap) if metric == "absolute" else gap, both)
    return _in_range(values, exact, _codes(found))


def _of_expression(batch: pa.RecordBatch, name: str) -> tuple[np.ndarray, Exact, np.ndarray]:
    column = batch.column(name)
    values = pc.fill_null(column, 0.0).to_numpy(zero_copy_only=False)
    missing = ~pc.is_valid(column).to_numpy(zero_copy_only=False)
    found = np.select(
        [missing, ~np.isfinite(values)], [CODES["null_expression"], CODES["error_out_of_range"]], 0
    )
    return _in_range(kernel.round_errors(np.where(found == 0, values, 0.0)), None, found)


def _codes(found: np.ndarray) -> np.ndarray:
    codes = np.zeros(found.size, dtype=np.int64)
    for inner, outer in _OF_ERROR.items():
        codes[found == inner] = outer
    return codes


def _in_range(values: np.ndarray, exact: Exact, found: np.ndarray) -> tuple[np.ndarray, Exact, np.ndarray]:
    found = np.where((found == 0) & (np.abs(values) > LARGEST), CODES["error_out_of_range"], found)
    return np.where(np.abs(values) < SMALLEST, 0.0, values), exact, found


def _flags(batch: pa.RecordBatch, name: str) -> np.ndarray:
    return batch.column(name).to_numpy(zero_copy_only=False).astype(bool)


def error_values(prepared: DataFrame, plan: Plan) -> DataFrame:
    """Table of values of a prepared frame: one row per distinct error, problem and combination of groups.

    Parameters
    ----------
    prepared : DataFrame
        Columns as `Plan` says.
    plan : Plan
    """
    from pyspark.sql import functions as F

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                yield from tally(batch, plan).cast(plan.schema).combine_chunks().to_batches()

    keys: Sequence[str] = [name for name in plan.schema.names if name != "rows"]
    counted = prepared.mapInArrow(work, plan.ddl).groupBy(*keys).agg(F.sum("rows").alias("rows"))
    return counted
