"""Fan-out of permutations and bootstrap draws: blocks of repetitions to threads or to executors, the same bits."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.fanout.broadcast import broadcast, slots
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.describe import described
from movfair_spark.kernels.parity.family import Runner
from movfair_spark.kernels.parity.local import run_local
from movfair_spark.kernels.parity.tasks import Task, blocks

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Work below this many seconds of one core is done by the driver's threads: starting a job costs more.
DRIVER_SECONDS = 10.0
#: Length of a block on executors.
BLOCK_SECONDS = 1.0


def runner(spark: SparkSession, *, driver_seconds: float = DRIVER_SECONDS) -> Runner:
    """Give the function that does tasks: small ones on the driver, large ones on executors.

    Parameters
    ----------
    spark : SparkSession
    driver_seconds : float
        Estimated work up to which the driver does it.
    """

    def run(tasks: list[Task]) -> list[np.ndarray]:
        seconds = sum(task.nanoseconds * task.repetitions for task in tasks) * 1e-9
        if not tasks or seconds <= driver_seconds:
            return run_local(tasks)
        return _fan_out(spark, tasks)

    return run


def _fan_out(spark: SparkSession, tasks: list[Task]) -> list[np.ndarray]:
    parallel = slots(spark)
    work = blocks(tasks, BLOCK_SECONDS, most=max(64, 16 * parallel))
    n_slices = min(len(work), 4 * parallel)
    # Long and short blocks alternate over slices.
    order = [b for start in range(n_slices) for b in range(start, len(work), n_slices)]
    with (
        broadcast(spark, tasks) as shared,
        described(spark, f"error parity: {len(work)} blocks of permutations"),
    ):

        def do(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for position in batch.column("id").to_pylist():
                    block = work[order[position]]
                    answer = shared.value[block.task].run(block.first, block.last)
                    buffer = io.BytesIO()
                    np.save(buffer, answer, allow_pickle=False)
                    yield pa.RecordBatch.from_arrays(
                        [pa.array([order[position]], pa.int64()), pa.array([buffer.getvalue()], pa.binary())],
                        names=["block", "answer"],
                    )

        done = spark.range(0, len(work), 1, n_slices).mapInArrow(do, "block bigint, answer binary")
        table = to_arrow(done)
    answers = dict(zip(table.column("block").to_pylist(), table.column("answer").to_pylist(), strict=True))
    parts: list[list[np.ndarray]] = [[] for _ in tasks]
    for number, block in enumerate(work):
        parts[block.task].append(np.load(io.BytesIO(answers[number]), allow_pickle=False))
    return [task.join(found) for task, found in zip(tasks, parts, strict=True)]
