"""What the audit of points needs from an outcome model over given regions; and the plain 0/1 outcomes.

Every model is bound to regions and to the observed outcomes of their people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels.spatial.regions import Regions
from movfair_spark.models.bernoulli import Bernoulli
from movfair_spark.models.regions import RegionScan

People = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""Atom and group of each person, in the order of people."""


class RegionModel(Protocol):
    """An outcome model bound to R regions."""

    @property
    def name(self) -> str:
        """Name of the model in tables."""

    @property
    def detail_schema(self) -> str:
        """Names and Spark types of the model's own evidence columns."""

    @property
    def regions(self) -> Regions:
        """The regions."""

    @property
    def supports(self) -> npt.NDArray[np.int64]:
        """People per region."""

    @property
    def candidates(self) -> npt.NDArray[np.int64]:
        """Regions that are candidates."""

    @property
    def n_objects(self) -> int:
        """N."""

    @property
    def nothing_to_test(self) -> bool:
        """True when all outcomes are the same: every statistic is 0 and every p-value 1."""

    def statistics(self) -> npt.NDArray[np.float64]:
        """Observed statistic of every region, float64[R]; a model may leave the last bits to `exact`."""

    def exact(self, regions: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Observed statistic of some candidates."""

    def maxima(
        self, seed: int, numbers: Iterable[int], people: People | None = None
    ) -> npt.NDArray[np.float64]:
        """Largest statistic of each world; with people outcomes are permuted, without them counts are drawn."""

    def details(self, regions: Sequence[int]) -> list[tuple[str | None, tuple[Any, ...]]]:
        """Direction (None without one) and the model's own evidence columns of some regions."""


@dataclass(frozen=True)
class BinaryRegions:
    """Outcomes of 0 and 1 in one group; see `RegionModel`.

    Attributes
    ----------
    scan : RegionScan
    positives : int64 array of shape (A,)
        Observed positives per atom.
    """

    scan: RegionScan
    positives: npt.NDArray[np.int64]
    name = "bernoulli"
    detail_schema = Bernoulli.detail_schema

    @property
    def regions(self) -> Regions:
        """The regions."""
        return self.scan.regions

    @property
    def supports(self) -> npt.NDArray[np.int64]:
        """People per region."""
        return self.scan.supports

    @property
    def candidates(self) -> npt.NDArray[np.int64]:
        """Regions that are candidates."""
        return self.scan.candidates

    @property
    def n_objects(self) -> int:
        """N."""
        return self.scan.n_objects

    @property
    def nothing_to_test(self) -> bool:
        """True when all outcomes are the same."""
        return self.scan.nothing_to_test

    def statistics(self) -> npt.NDArray[np.float64]:
        """Observed statistic of every region."""
        return self.scan.statistics(self.positives)

    def exact(self, regions: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Observed statistic of some candidates."""
        return self.statistics()[regions]

    def maxima(
        self, seed: int, numbers: Iterable[int], people: People | None = None
    ) -> npt.NDArray[np.float64]:
        """Largest statistic of each world."""
        return self.scan.maxima(seed, numbers, None if people is None else people[0])

    def details(self, regions: Sequence[int]) -> list[tuple[str | None, tuple[Any, ...]]]:
        """Direction; observed and expected positives, the rate inside and that of all others."""
        size, total = self.n_objects, self.scan.positives
        out: list[tuple[str | None, tuple[Any, ...]]] = []
        held = self.regions.sums(self.positives)
        for region in regions:
            n, p = int(self.supports[region]), int(held[region])
            rate_out = (total - p) / (size - n) if n < size else None
            direction = "high" if p * size > n * total else "low"
            out.append((direction, (p, n * total / size, p / n, rate_out)))
        return out
