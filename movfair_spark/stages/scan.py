"""The scan as one block of code: from cellsets and labels to null, evidence and who is in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from movfair_spark.config.scan import ScanConfig
from movfair_spark.fanout.planner import Plan
from movfair_spark.fanout.progress import Progress, silent
from movfair_spark.stages.candidates import candidates, memberships_left_out
from movfair_spark.stages.evidence import evidence
from movfair_spark.stages.evidence_objects import evidence_objects
from movfair_spark.stages.null import Nulls, Record, simulate
from movfair_spark.stages.null_table import describe_nulls, null_distribution
from movfair_spark.stages.population import Counts, population
from movfair_spark.stages.prepare import Prepared, prepared

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Scan:
    """What a scan found; the DataFrames are valid inside the ``with`` block of `scan`: write them there.

    Attributes
    ----------
    counts : Counts
        Objects in the test, and everyone else.
    plan : Plan
        How the work was distributed.
    nulls : list of dict
        Per null what the manifest says, see `describe_nulls`.
    nothing_to_test : bool
        Every object has the same outcome: no evidence, every p-value is 1.
    null_distribution, evidence, evidence_objects : DataFrame
    drawn : Nulls
        The nulls themselves, for the cache.
    prepared : Prepared
    """

    counts: Counts
    plan: Plan
    nulls: list[dict[str, Any]]
    nothing_to_test: bool
    null_distribution: DataFrame
    evidence: DataFrame
    evidence_objects: DataFrame
    drawn: Nulls
    prepared: Prepared

    def candidates(self) -> DataFrame:
        """Mine the table of candidates of the support used and more (``write_candidates``)."""
        return candidates(self.prepared, {z: null.support for null in self.drawn.values() for z in null.zonings})

    @property
    def memberships_left_out(self) -> int:
        """Memberships of the candidates below the support used."""
        return memberships_left_out(self.prepared, sum(null.memberships for null in self.drawn.values()))


@contextmanager
def scan(
    cellsets: DataFrame,
    labels: DataFrame,
    config: ScanConfig,
    *,
    min_matched_share: float = 0.5,
    people: DataFrame | None = None,
    known: Nulls | None = None,
    record: Record | None = None,
    progress: Progress = silent,
) -> Iterator[Scan]:
    """Test whether outcomes depend on movement pattern.

    Parameters
    ----------
    cellsets : DataFrame
        Columns ``zoning_id, uid, cells``.
    labels : DataFrame
        Columns ``uid, outcome`` (0 or 1), and ``truth`` for notions that need it.
    config : ScanConfig
    min_matched_share : float
        ``labels.min_matched_share``.
    people : DataFrame, optional
        Column ``uid``: everybody who occurs in the input.
    known : Nulls, optional
        A null of the same key to take worlds from.
    record : callable, optional
        Records passes of the simulation, see `simulate`.
    progress : Progress

    Yields
    ------
    Scan

    Raises
    ------
    EmptyTableError, IdTypeError, InputError, ConfigurationError, LimitError
        See `population`, `prepared` and `simulate`.
    """
    tested = population(cellsets, labels, config, min_matched_share=min_matched_share, people=people)
    with prepared(cellsets, tested, config) as ready:
        nulls = simulate(ready, config, known=known, record=record, progress=progress)
        found = ready.keep(evidence(ready, nulls, config))
        yield Scan(
            tested.counts,
            ready.plan,
            describe_nulls(nulls, config.alpha),
            ready.model.nothing_to_test,
            null_distribution(ready, nulls),
            found,
            evidence_objects(ready, found),
            nulls,
            ready,
        )
