"""Significant regions with rank, p-value and the two non-overlapping selections; MeanVar beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from movfair_spark.config.spatial import SpatialConfig
from movfair_spark.kernels.spatial.meanvar import MeanVar, meanvar
from movfair_spark.kernels.spatial.regions import atom_hashes, together
from movfair_spark.kernels.spatial.selection import SharedArea, SharedPeople, best_of_centres, select
from movfair_spark.models.regions import RegionScan
from movfair_spark.models.significance import critical_value, exceeds, p_values
from movfair_spark.stages.spatial_atoms import Atoms
from movfair_spark.stages.spatial_layers import Layer

WINDOWS = ("squares", "circles", "nearest")


@dataclass(frozen=True)
class Findings:
    """All regions of all layers, numbered through, with their observed statistics.

    Attributes
    ----------
    layers : sequence of Layer
    atoms : Atoms
    config : SpatialConfig
    """

    layers: Sequence[Layer]
    atoms: Atoms
    config: SpatialConfig

    @cached_property
    def scan(self) -> RegionScan:
        """The regions, ready to be counted."""
        scan, n = self.config.scan, int(self.atoms.n.sum())
        from movfair_spark.stages.prepare import largest_support

        return RegionScan(
            together([layer.regions for layer in self.layers]),
            self.atoms.n,
            int(self.atoms.p.sum()),
            scan.direction,
            scan.min_support,
            largest_support(n, scan.max_support_share),
        )

    @cached_property
    def statistics(self) -> npt.NDArray[np.float64]:
        """Observed statistic of every region."""
        return self.scan.statistics(self.atoms.p)

    @cached_property
    def positives(self) -> npt.NDArray[np.int64]:
        """Positives in every region."""
        return self.scan.regions.sums(self.atoms.p)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """First region of each layer, and the number of regions."""
        return np.concatenate([[0], np.cumsum([layer.regions.count for layer in self.layers])])

    @property
    def best(self) -> float:
        """The observed maximum."""
        return float(self.statistics.max(initial=0.0))

    def place(self, region: int) -> tuple[Layer, int]:
        """Layer of a region and its position in it."""
        number = int(np.searchsorted(self.starts, region, side="right")) - 1
        return self.layers[number], region - int(self.starts[number])

    def shapes(self, regions: Sequence[int]) -> list[shapely.Geometry]:
        """Geometries in the system of the points."""
        return [layer.shapes(np.array([at]))[0] for layer, at in map(self.place, regions)]

    def evidence(self, null: npt.NDArray[np.float64]) -> list[int]:
        """Regions whose statistic exceeds the critical value; by statistic, then layer, then region."""
        if self.scan.nothing_to_test:
            return []
        critical = critical_value(null, self.config.scan.alpha)
        held = np.flatnonzero(self.statistics > critical)
        held = (
            held[[exceeds(float(value), critical) for value in self.statistics[held]]] if len(held) else held
        )
        return [int(r) for r in held[np.argsort(-self.statistics[held], kind="stable")]]

    def selections(self, ranked: Sequence[int]) -> tuple[set[int], set[int]]:
        """Greedy selection over all evidence, and the selection by centres of each window layer."""
        top, greedy = self.config.report.top, select(ranked, self._overlap(ranked), self.config.report.top)
        chosen: set[int] = set()
        significant = np.zeros(self.scan.regions.count, dtype=bool)
        significant[list(ranked)] = True
        for number, layer in enumerate(self.layers):
            if layer.kind in WINDOWS:
                best = best_of_centres(
                    layer.regions.families + self.starts[number], self.statistics, significant
                )
                chosen.update(select(best, self._overlap(best), top))
        return set(greedy), chosen

    def _overlap(self, regions: Sequence[int]) -> SharedArea | SharedPeople:
        if self.config.report.overlap == "people":
            return SharedPeople(self.scan.regions, len(self.atoms.n))
        bounds = np.zeros((self.scan.regions.count, 4))
        if len(regions):
            bounds[list(regions)] = shapely.bounds(self.shapes(regions))
        return SharedArea(bounds)

    def rows(self, ranked: Sequence[int], null: npt.NDArray[np.float64]) -> list[tuple[Any, ...]]:
        """Rows of `tables.spatial.EVIDENCE` and the geometry as WKB."""
        greedy, centres = self.selections(ranked)
        names = self.scan.regions.sums(atom_hashes(len(self.atoms.n)))
        p = p_values(self.statistics[list(ranked)], null)
        size, positives = self.scan.n_objects, self.scan.positives
        out = []
        for rank, (region, p_value, shape) in enumerate(zip(ranked, p, self.shapes(ranked), strict=True), 1):
            layer, at = self.place(region)
            n, observed = int(self.scan.supports[region]), int(self.positives[region])
            expected = n * positives / size
            rate_out = (positives - observed) / (size - n) if n < size else None
            out.append(
                (
                    rank,
                    layer.layer_id,
                    int(layer.ids[at]),
                    layer.kind,
                    layer.name,
                    layer.label(at),
                    f"{int(names[region]) & (2**64 - 1):016x}",
                    "bernoulli",
                    self.config.scan.notion,
                    n,
                    float(self.statistics[region]),
                    float(p_value),
                    "high" if observed * size > n * positives else "low",
                    (observed, expected, observed / n, rate_out),
                    region in greedy,
                    region in centres if layer.kind in WINDOWS else None,
                    bytearray(shapely.to_wkb(shape)),
                )
            )
        return out

    @cached_property
    def partitions(self) -> npt.NDArray[np.int64]:
        """Regions that MeanVar looks at: cells of the partitionings, in order."""
        parts = [
            np.arange(self.starts[i], self.starts[i + 1])
            for i, layer in enumerate(self.layers)
            if layer.is_partitioning
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    @cached_property
    def meanvar(self) -> MeanVar | None:
        """MeanVar over the partitionings; None without any."""
        counts = [
            (self.scan.supports[a:b], self.positives[a:b])
            for layer, a, b in zip(self.layers, self.starts[:-1], self.starts[1:], strict=True)
            if layer.is_partitioning
        ]
        return meanvar(counts) if counts else None

    def meanvar_regions(self, most: int) -> list[int]:
        """Regions with the largest contributions, in their order."""
        if self.meanvar is None:
            return []
        return [int(self.partitions[i]) for i in self.meanvar.ranking[:most]]

    def meanvar_rows(self, most: int) -> list[tuple[Any, ...]]:
        """Rows of `tables.spatial.MEANVAR`."""
        found, out = self.meanvar, []
        for rank, region in enumerate(self.meanvar_regions(most), 1):
            assert found is not None
            layer, at = self.place(region)
            n, p = int(self.scan.supports[region]), int(self.positives[region])
            share = float(found.contributions[found.ranking[rank - 1]])
            out.append(
                (rank, layer.layer_id, int(layer.ids[at]), layer.name, layer.label(at), n, p, p / n, share)
            )
        return out
