"""The null of given regions: worlds fan out, every task holds the regions (design section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from movfair_spark.fanout.broadcast import broadcast, slots
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.describe import described
from movfair_spark.models.regions import RegionScan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_COLUMNS = "simulation bigint, max_statistic double"
_TASKS_PER_SLOT = 4


def simulate_regions(
    spark: SparkSession,
    scan: RegionScan,
    n_simulations: int,
    seed: int,
    atom_of: npt.NDArray[np.int32] | None = None,
) -> npt.NDArray[np.float64]:
    """Largest statistic of every world.

    Parameters
    ----------
    spark : SparkSession
    scan : RegionScan
        Broadcast: 4 bytes per atom and region it lies in.
    n_simulations, seed : int
    atom_of : int32 array of shape (N,), optional
        Atom of each person: labels are permuted. Without it counts per atom are drawn.

    Returns
    -------
    float64 array of shape (n_simulations,)
        The same bits for any number of tasks.
    """
    if scan.nothing_to_test:
        return np.zeros(n_simulations)
    _ = scan.candidates  # once here, not once per worker
    with broadcast(spark, (scan, atom_of)) as shared:

        def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            regions, people = shared.value
            for batch in batches:
                numbers = batch.column(0).to_pylist()
                maxima = regions.maxima(seed, numbers, people)
                yield pa.RecordBatch.from_arrays(
                    [pa.array(numbers, pa.int64()), pa.array(maxima)], ["simulation", "max_statistic"]
                )

        tasks = min(n_simulations, _TASKS_PER_SLOT * slots(spark))
        with described(spark, f"spatial: {n_simulations} worlds"):
            found = to_arrow(spark.range(0, n_simulations, 1, tasks).mapInArrow(work, _COLUMNS))
    return found.sort_by("simulation")["max_statistic"].to_numpy()
