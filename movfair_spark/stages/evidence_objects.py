"""The table ``evidence_objects``: who is in the evidence, how often, and at which p-value at best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.fanout.broadcast import broadcast
from movfair_spark.kernels.holders import Holders
from movfair_spark.kernels.memberships import from_bytes
from movfair_spark.tables.evidence import evidence_objects_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from movfair_spark.stages.prepare import Prepared


def evidence_objects(scan: Prepared, evidence: DataFrame) -> DataFrame:
    """Turn evidence rows into objects.

    Parameters
    ----------
    scan : Prepared
    evidence : DataFrame
        Columns ``zoning_id, members_id, cells, p_value``.

    Returns
    -------
    DataFrame
        ``uid``, best ``p_value``, and ``candidates``: the number of evidence rows (sets of members, by zoning) that
        the object is a member of. Valid while the scan is.
    """
    from pyspark.sql import functions as F

    uids = scan.scope.enter_context(broadcast(scan.spark, scan.population.uids))
    kind = "bigint" if pa.types.is_integer(scan.population.uids.type) else "string"

    def cover(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in (row for batch in batches for row in batch.to_pylist()):
            sets = [np.array(each["cells"], np.int64) for each in row["sets"]]
            starts = np.append(0, np.cumsum([len(cells) for cells in sets])).astype(np.int64)
            chances = np.array([each["p_value"] for each in row["sets"]])
            held = Holders(from_bytes(row["packed"])).cover(starts, np.concatenate(sets), chances)
            yield pa.RecordBatch.from_arrays(
                [pa.array(column) for column in held], ["number", "candidates", "p_value"]
            )

    def name(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            numbers, p_value, candidates = batch.columns
            yield pa.RecordBatch.from_arrays(
                [uids.value.take(numbers), p_value, candidates], ["uid", "p_value", "candidates"]
            )

    once = evidence.groupBy("zoning_id", "members_id").agg(
        F.max_by(F.struct("cells", "p_value"), F.size("cells")).alias("set")
    )
    sets = once.groupBy("zoning_id").agg(F.collect_list("set").alias("sets"))
    rows = sets.join(scan.memberships.select("zoning_id", "packed"), "zoning_id").select("sets", "packed")
    held = rows.mapInArrow(cover, "number int, candidates bigint, p_value double")
    total = held.groupBy("number").agg(
        F.min("p_value").alias("p_value"), F.sum("candidates").alias("candidates")
    )
    return total.mapInArrow(name, evidence_objects_schema(kind))
