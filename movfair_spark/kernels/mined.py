"""What every counter of simulated worlds shares: it mines a block and counts the candidates batch by batch."""

from __future__ import annotations

from abc import ABC, abstractmethod

from movfair_spark.kernels.eclat import Batch, Walk
from movfair_spark.kernels.memberships import Memberships


class MinedCounter(ABC):
    """A counter that is filled by walks over blocks.

    Attributes
    ----------
    n_candidates, n_memberships : int
        Of all walks so far.
    """

    n_candidates: int = 0
    n_memberships: int = 0

    @abstractmethod
    def add(self, batch: Batch) -> None:
        """Count the candidates of a batch."""

    def walk(
        self,
        memberships: Memberships,
        min_support: int,
        max_support: int | None = None,
        items: tuple[int, int] | None = None,
    ) -> None:
        """Mine a block and count it; see `kernels.eclat.Walk` for the arguments."""
        walk = Walk(memberships, min_support, max_support, items, distinct=True)
        for batch in walk:
            self.add(batch)
        self.n_candidates += walk.n_candidates
        self.n_memberships += walk.n_memberships
