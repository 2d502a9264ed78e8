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
from movfair_spark.models.region_model import People, RegionModel

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_COLUMNS = "simulation bigint, max_statistic double"
_TASKS_PER_SLOT = 4


def simulate_regions(
    spark: SparkSession,
    model: RegionModel,
    n_simulations: int,
    seed: int,
    people: People | None = None,
) -> npt.NDArray[np.float64]:
    """Largest statistic of every world.

    Parameters
    ----------
    spark : SparkSession
    model : RegionModel
        Broadcast: 4 bytes per atom and region it lies in, and its outcomes.
    n_simulations, seed : int
    people : People, optional
        Atom and group of each person: outcomes are permuted. Without it counts per atom are drawn.

    Returns
    -------
    float64 array of shape (n_simulations,)
        The same bits for any number of tasks.
    """
    if model.nothing_to_test:
        return np.zeros(n_simulations)
    _ = model.candidates  # once here, not once per worker
    with broadcast(spark, (model, people)) as shared:

        def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            bound, order = shared.value
            for batch in batches:
                numbers = batch.column(0).to_pylist()
                maxima = bound.maxima(seed, numbers, order)
                yield pa.RecordBatch.from_arrays(
                    [pa.array(numbers, pa.int64()), pa.array(maxima)], ["simulation", "max_statistic"]
                )

        tasks = min(n_simulations, _TASKS_PER_SLOT * slots(spark))
        with described(spark, f"spatial: {n_simulations} worlds"):
            found = to_arrow(spark.range(0, n_simulations, 1, tasks).mapInArrow(work, _COLUMNS))
    return found.sort_by("simulation")["max_statistic"].to_numpy()
