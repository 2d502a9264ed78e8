"""The pass over strips in a Python worker: people go on over batches."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from movfair_spark.kernels.geo import Space
from movfair_spark.kernels.stops import Rule, microseconds
from movfair_spark.kernels.stream import default_stream
from movfair_spark.stages.person_runs import PersonRuns
from movfair_spark.stages.stops import _pass
from movfair_spark.stages.strips import cut_rows
from tests.kernels.tracks import as_tuples, detect, track
from tests.stages.points_frame import many_rows


def strip_batches(rows, size):
    """Strips of rows that were read ``size`` at a time, in the order that Spark gives them, ``size`` to a batch."""
    names = ("uid", "ts", "x", "y", "reason")
    types = (pa.int64(), pa.int64(), pa.float64(), pa.float64(), pa.int8())
    columns = [*zip(*rows, strict=True), [0] * len(rows)]
    table = pa.table(columns, schema=pa.schema(list(zip(names, types, strict=True))))
    strips = pa.Table.from_batches(cut_rows(iter(table.to_batches(max_chunksize=size))))
    ordered = strips.sort_by([(name, "ascending") for name in ("uid", "first", "position")])
    return ordered.combine_chunks().to_batches(max_chunksize=size)


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize("compress", [None, 0.0])
def test_the_pass_carries_people_over_batches(size, compress):
    short = [row for person in range(50, 60) for row in track((0, 0), (10, 0), person=person)]
    rows = [row for row in many_rows() if row[0] < 6] + short
    plane = Space(sphere=0.0, degrees=False)
    rule = Rule(50.0, microseconds(10))
    make = partial(default_stream, rule, plane, same_time_radius=50.0, compress_radius=compress)
    found = [
        row for batch in _pass(make, False, iter(strip_batches(rows, size))) for row in batch.to_pylist()
    ]
    stops = [
        tuple(row[name] for name in ("uid", "stop_id", "arrive", "leave", "x", "y", "n_points"))
        for row in found
        if row["kind"] == "stop"
    ]
    assert stops == as_tuples(detect(rows, space=plane))


def test_the_pass_of_no_batch_is_empty():
    assert (
        list(_pass(partial(default_stream, Rule(50.0, 1), Space(), same_time_radius=50.0), False, iter([])))
        == []
    )


def test_people_are_numbered_over_batches():
    runs = PersonRuns()
    assert runs.number(pa.array(["a", "a", "b"])).tolist() == [0, 0, 1]
    assert runs.number(pa.array(["b", "c"])).tolist() == [1, 2]
    assert runs.ids(np.array([1, 2])).to_pylist() == ["b", "c"]
    assert runs.number(pa.array(["d"])).tolist() == [3]
    assert runs.ids(np.array([2, 3])).to_pylist() == ["c", "d"]
