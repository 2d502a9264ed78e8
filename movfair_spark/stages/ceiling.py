"""The ceiling on memberships (``scan.max_memberships``): how far the support may be lowered within it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.errors import LimitError
from movfair_spark.fanout.describe import described
from movfair_spark.kernels.eclat import Walk
from movfair_spark.stages.blocks import Supports, cut_blocks, read_blocks

if TYPE_CHECKING:
    from movfair_spark.stages.prepare import Prepared

SCHEMA = "support bigint, memberships bigint"


def affordable(
    scan: Prepared,
    zonings: Sequence[int],
    low: int,
    high: int | None,
    ceiling: int | None,
    spent: int = 0,
) -> int:
    """Smallest support, not below ``low``, whose candidates fit the ceiling.

    Parameters
    ----------
    scan : Prepared
    zonings : sequence of int
        Zonings whose memberships count together (one null).
    low : int
        Support that is wanted.
    high : int, optional
        Candidates of this support and more are in ``spent``; None = none are.
    ceiling : int, optional
        Most memberships in all; None = no ceiling.
    spent : int
        Memberships counted already.

    Returns
    -------
    int
        ``low`` where everything fits, up to ``high`` where nothing more does.

    Raises
    ------
    LimitError
        ``high`` is None and not even the most frequent candidates fit.
    """
    sizes = [size for size in scan.sizes if size.zoning_id in set(zonings)]
    if ceiling is None or sum(size.memberships for size in sizes) <= ceiling:
        return low
    most = scan.supports.max_support or scan.model.n_objects + 1
    end = min(high or most, most)
    found = _memberships_per_support(scan, zonings, Supports(low, end))
    best = end
    for support in sorted(found, reverse=True):
        spent += found[support]
        if spent > ceiling:
            break
        best = support
    else:
        return low
    if high is None and best > max(found):
        raise LimitError(
            f"the candidates of support {max(found)} alone have {found[max(found)]} memberships, "
            f"over scan.max_memberships = {ceiling}",
            "raise the ceiling",
        )
    return best


def _memberships_per_support(scan: Prepared, zonings: Sequence[int], supports: Supports) -> dict[int, int]:
    """Memberships of all candidates of each support that occurs in the range."""
    from pyspark.sql import functions as F

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for block in read_blocks(batches):
            totals = np.zeros(block.memberships.n_objects + 1, np.int64)
            for batch in Walk(*block.walk, distinct=True):
                np.add.at(totals, batch.supports, batch.supports * batch.multiplicity)
            found = np.flatnonzero(totals)
            yield pa.RecordBatch.from_arrays(
                [pa.array(found), pa.array(totals[found])], ["support", "memberships"]
            )

    blocks = cut_blocks(scan.memberships, dict.fromkeys(zonings, supports), scan.zonings, scan.plan.classes)
    with described(scan.spark, "scan: memberships per support"):
        rows = blocks.mapInArrow(work, SCHEMA).groupBy("support").agg(F.sum("memberships")).collect()
    return {support: memberships for support, memberships in rows}
