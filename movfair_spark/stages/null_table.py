"""The table ``null_distribution``, and what the manifest says about a null."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from movfair_spark.fanout.broadcast import broadcast
from movfair_spark.kernels.worlds import DRAW_VERSION
from movfair_spark.tables.null_distribution import SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from movfair_spark.stages.null import Nulls
    from movfair_spark.stages.prepare import Prepared


def null_distribution(scan: Prepared, nulls: Nulls) -> DataFrame:
    """Turn nulls into a table, one row per null and simulation.

    Parameters
    ----------
    scan : Prepared
    nulls : Nulls
        From `simulate`.

    Returns
    -------
    DataFrame
        `tables.null_distribution.SCHEMA`; valid while the scan is.
    """
    values = {key: (null.maxima, null.censored) for key, null in nulls.items()}
    shared = scan.scope.enter_context(broadcast(scan.spark, values))
    keys = sorted(values, key=lambda key: -1 if key is None else key)

    def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for at in (at for batch in batches for at in batch.column(0).to_pylist()):
            maxima, censored = shared.value[keys[at]]
            columns = [
                pa.array([keys[at]] * len(maxima), pa.int32()),
                pa.array(np.arange(len(maxima), dtype=np.int64)),
                pa.array(maxima),
                pa.array(censored),
            ]
            yield pa.RecordBatch.from_arrays(
                columns, ["zoning_id", "simulation", "max_statistic", "censored"]
            )

    return scan.spark.range(0, len(keys), 1, max(1, min(len(keys), 8))).mapInArrow(rows, SCHEMA)


def describe_nulls(nulls: Nulls, alpha: float) -> list[dict[str, Any]]:
    """Describe each null for the manifest and the verdict's detail.

    Returns
    -------
    list of dict
        ``zoning_id`` (None = all), ``n_simulations``, ``support`` (s), ``bound`` (B(s), None when no candidate was
        left out), ``smallest_maximum``, ``observed_maximum``, ``critical_value`` (None when every statistic is
        evidence), ``p_value``, ``exact``, ``censored`` (number of rows), ``verdict_possible``, ``significant``,
        ``candidates`` and ``memberships`` counted, ``draw``. Numbers are finite: the dicts are JSON as they are.
    """
    return [
        {
            "zoning_id": key,
            "n_simulations": len(null.maxima),
            "support": null.support,
            "bound": _finite(null.bound),
            "smallest_maximum": _finite(float(null.maxima.min())),
            "observed_maximum": _finite(null.best),
            "critical_value": _finite(null.critical(alpha)),
            "p_value": null.result.p_value,
            "exact": null.result.exact,
            "censored": int(null.censored.sum()),
            "verdict_possible": null.verdict_possible(alpha),
            "significant": null.significant(alpha),
            "candidates": null.candidates,
            "memberships": null.memberships,
            "draw": DRAW_VERSION,
        }
        for key, null in nulls.items()
    ]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
