"""What every part of the scan shares: the population, its model, packed memberships, the plan."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from movfair_spark.config.scan import ScanConfig
from movfair_spark.errors import EmptyTableError
from movfair_spark.fanout.broadcast import Shared, broadcast, slots
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.describe import described
from movfair_spark.fanout.planner import Plan, plan
from movfair_spark.kernels.memberships import Memberships, from_bytes
from movfair_spark.models.base import Model
from movfair_spark.models.outcomes import model_of
from movfair_spark.stages.blocks import Supports
from movfair_spark.stages.memberships import packed_memberships
from movfair_spark.stages.population import Population

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ZoningSize:
    """How much one zoning holds.

    Attributes
    ----------
    zoning_id : int
    objects : int
        Tested objects with a cell.
    cells : int
        Cells of tested objects.
    best_support : int
        Support of the most frequent cell, the largest of any candidate.
    memberships : int
        Memberships of all candidates of support 1 and more, sum over objects of 2^cells - 1.
    packed_bytes : int
    """

    zoning_id: int
    objects: int
    cells: int
    best_support: int
    memberships: int
    packed_bytes: int


@dataclass(frozen=True)
class Prepared:
    """A scan that is ready to run; valid inside the ``with`` block of `prepared`.

    Attributes
    ----------
    spark : SparkSession
    population : Population
    model : Model
        Bound to the observed outcomes.
    memberships : DataFrame
        Packed, one row per zoning, cached.
    sizes : tuple of ZoningSize
        Zonings with a tested object, the heaviest first.
    supports : Supports
        From ``min_support`` to ``max_support_share`` of N: what is a candidate at all.
    plan : Plan
    shared : Shared
        Broadcast of the model and, when worlds fan out, of the packed memberships by zoning.
    packed : dict of int to bytes
        The packed memberships by zoning, where worlds fan out; else empty.
    scope : ExitStack
        What ends with the scan.
    """

    spark: SparkSession
    population: Population
    model: Model
    memberships: DataFrame
    sizes: tuple[ZoningSize, ...]
    supports: Supports
    plan: Plan
    shared: Shared
    packed: dict[int, bytes]
    scope: ExitStack

    @property
    def zonings(self) -> list[int]:
        """Zonings with a candidate, the heaviest first."""
        return [size.zoning_id for size in self.sizes if size.best_support >= self.supports.min_support]

    def unpacked(self, zonings: Sequence[int]) -> dict[int, Memberships]:
        """Bring the memberships of some zonings to the driver (8 bytes per object, 4 per membership of each)."""
        packed = self.packed or _packed(
            self.memberships.where(self.memberships.zoning_id.isin(list(zonings)))
        )
        return {zoning_id: from_bytes(packed[zoning_id]) for zoning_id in zonings}

    def keep(self, frame: DataFrame) -> DataFrame:
        """Cache a frame until the scan ends."""
        from pyspark import StorageLevel

        kept = frame.persist(StorageLevel.MEMORY_AND_DISK)
        self.scope.callback(kept.unpersist)
        return kept


@contextmanager
def prepared(cellsets: DataFrame, population: Population, config: ScanConfig) -> Iterator[Prepared]:
    """Pack the memberships, plan the distribution and broadcast what all tasks need.

    Parameters
    ----------
    cellsets : DataFrame
        Parts (`cellset_parts.parts`), or columns ``zoning_id, uid, cells``.
    population : Population
        The objects in the test.
    config : ScanConfig

    Yields
    ------
    Prepared

    Raises
    ------
    EmptyTableError
        There is no candidate.
    ConfigurationError
        The distribution that was asked for is impossible.
    """
    spark = cellsets.sparkSession
    model = model_of(config.model, population.outcomes, config.direction, config.transform)
    supports = Supports(config.min_support, largest_support(population.size, config.max_support_share) + 1)
    with ExitStack() as scope:
        memberships = scope.enter_context(
            packed_memberships(cellsets, population.uids, partitions=2 * slots(spark))
        )
        with described(spark, "scan: pack memberships"):
            sizes = _sizes(memberships)
        best = max((size.best_support for size in sizes), default=0)
        if best < config.min_support:
            raise EmptyTableError(
                f"no cell has scan.min_support = {config.min_support} of the {population.size} objects in the test; "
                f"the most frequent cell has {best}",
                "lower scan.min_support or use coarser zonings",
            )
        chosen = plan(
            memberships_bytes=sum(size.packed_bytes for size in sizes),
            world_bytes=model.world_bytes,
            n_zonings=len(sizes),
            n_worlds=config.n_simulations + 1,
            slots=slots(spark),
            limit_mb=config.broadcast_limit_mb,
            asked=config.distribution,
        )
        LOG.info(
            "scan: %s; %d tasks, %d bytes broadcast", chosen.reason, chosen.tasks, chosen.broadcast_bytes
        )
        packed = _packed(memberships) if chosen.distribution == "worlds" else {}
        shared = scope.enter_context(broadcast(spark, (model, packed)))
        yield Prepared(spark, population, model, memberships, sizes, supports, chosen, shared, packed, scope)


def largest_support(n_objects: int, share: float) -> int:
    """Most members that a candidate may have: floor(share times N) in decimals, so that 0.29 of 100 admits 29."""
    return int(Fraction(repr(share)) * n_objects)


def _sizes(memberships: DataFrame) -> tuple[ZoningSize, ...]:
    columns = ("zoning_id", "objects", "cells", "best_support", "memberships")
    rows = memberships.selectExpr(*columns, "octet_length(packed) packed_bytes").collect()
    sizes = [ZoningSize(**row.asDict()) for row in rows]
    return tuple(sorted(sizes, key=lambda size: (-size.memberships, size.zoning_id)))


def _packed(memberships: DataFrame) -> dict[int, bytes]:
    table = to_arrow(memberships.select("zoning_id", "packed"))
    return dict(zip(table["zoning_id"].to_pylist(), table["packed"].to_pylist(), strict=True))
