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
from movfair_spark.kernels.spatial.regions import Regions, atom_hashes, merged, together
from movfair_spark.kernels.spatial.selection import SharedArea, SharedPeople, best_of_centres, select
from movfair_spark.models.region_model import RegionModel
from movfair_spark.models.significance import critical_value, exceeding, p_values
from movfair_spark.stages.spatial_atoms import Atoms, Tally
from movfair_spark.stages.spatial_layer import Layer
from movfair_spark.stages.spatial_model import positives, region_model

WINDOWS = ("squares", "circles", "nearest")
#: A model may leave the last bits of its statistics to `RegionModel.exact`.
_NEAR = 1.0 - 1e-9


@dataclass(frozen=True)
class Findings:
    """All regions of all layers, numbered through, with their observed statistics.

    Attributes
    ----------
    layers : sequence of Layer
    atoms : Atoms
    tally : Tally
    config : SpatialConfig
    """

    layers: Sequence[Layer]
    atoms: Atoms
    tally: Tally
    config: SpatialConfig

    @cached_property
    def _merged(self) -> tuple[Regions, npt.NDArray[np.int32]]:
        return merged(together([layer.regions for layer in self.layers]), len(self.atoms.n))

    @property
    def regions(self) -> Regions:
        """All regions over merged atoms: those that lie in the same regions are one."""
        return self._merged[0]

    @property
    def atom_of(self) -> npt.NDArray[np.int32]:
        """Merged atom of each atom."""
        return self._merged[1]

    @cached_property
    def model(self) -> RegionModel:
        """The outcome model, bound to the regions."""
        return region_model(self.config, self.regions, self.atom_of, self.tally)

    @property
    def supports(self) -> npt.NDArray[np.int64]:
        """People per region."""
        return self.model.supports

    @cached_property
    def statistics(self) -> npt.NDArray[np.float64]:
        """Observed statistic of every region, up to rounding."""
        return self.model.statistics()

    @cached_property
    def positives(self) -> npt.NDArray[np.int64]:
        """Positives in every region, of 0/1 outcomes."""
        of_atoms = np.zeros(int(self.atom_of.max(initial=-1)) + 1, dtype=np.int64)
        np.add.at(of_atoms, self.atom_of, positives(self.tally))
        return self.regions.sums(of_atoms)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """First region of each layer, and the number of regions."""
        return np.concatenate([[0], np.cumsum([layer.regions.count for layer in self.layers])])

    @cached_property
    def best(self) -> float:
        """The observed maximum."""
        most = float(self.statistics.max(initial=0.0))
        if most == 0.0:
            return 0.0
        return float(self.model.exact(np.flatnonzero(self.statistics >= most * _NEAR)).max())

    def place(self, region: int) -> tuple[Layer, int]:
        """Layer of a region and its position in it."""
        number = int(np.searchsorted(self.starts, region, side="right")) - 1
        return self.layers[number], region - int(self.starts[number])

    def shapes(self, regions: Sequence[int]) -> list[shapely.Geometry]:
        """Geometries in the system of the points."""
        return [layer.shapes(np.array([at]))[0] for layer, at in map(self.place, regions)]

    def evidence(self, null: npt.NDArray[np.float64]) -> list[int]:
        """Regions whose statistic exceeds the critical value; by statistic, then layer, then region."""
        if self.model.nothing_to_test:
            return []
        critical = critical_value(null, self.config.scan.alpha)
        near = np.flatnonzero(self.statistics >= critical * _NEAR)
        values = self.model.exact(near) if len(near) else np.zeros(0)
        held = exceeding(values, critical)
        order = np.argsort(-values[held], kind="stable")
        return [int(r) for r in near[held][order]]

    def selections(self, ranked: Sequence[int]) -> tuple[set[int], set[int]]:
        """Greedy selection over all evidence, and the selection by centres of each window layer."""
        top, greedy = self.config.report.top, select(ranked, self._overlap(ranked), self.config.report.top)
        chosen: set[int] = set()
        significant = np.zeros(self.regions.count, dtype=bool)
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
            return SharedPeople(self.regions, int(self.atom_of.max(initial=-1)) + 1)
        bounds = np.zeros((self.regions.count, 4))
        if len(regions):
            bounds[list(regions)] = shapely.bounds(self.shapes(regions))
        return SharedArea(bounds)

    def rows(self, ranked: Sequence[int], null: npt.NDArray[np.float64]) -> list[tuple[Any, ...]]:
        """Rows of `tables.spatial.EVIDENCE` and the geometry as WKB."""
        greedy, centres = self.selections(ranked)
        names = self.regions.sums(atom_hashes(int(self.atom_of.max(initial=-1)) + 1))
        values = self.model.exact(np.array(ranked, dtype=np.int64))
        details = self.model.details(ranked)
        p, shapes = p_values(values, null), self.shapes(ranked)
        out = []
        for at, region in enumerate(ranked):
            layer, position = self.place(region)
            direction, detail = details[at]
            out.append(
                (
                    at + 1,
                    layer.layer_id,
                    int(layer.ids[position]),
                    layer.kind,
                    layer.name,
                    layer.label(position),
                    f"{int(names[region]) & (2**64 - 1):016x}",
                    self.model.name,
                    self.config.scan.notion,
                    int(self.supports[region]),
                    float(values[at]),
                    float(p[at]),
                    direction,
                    detail,
                    region in greedy,
                    region in centres if layer.kind in WINDOWS else None,
                    bytearray(shapely.to_wkb(shapes[at])),
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
        """MeanVar over the partitionings; None without any, and for outcomes other than 0 and 1."""
        if self.config.scan.model != "bernoulli":
            return None
        counts = [
            (self.supports[a:b], self.positives[a:b])
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
            n, p = int(self.supports[region]), int(self.positives[region])
            share = float(found.contributions[found.ranking[rank - 1]])
            out.append(
                (rank, layer.layer_id, int(layer.ids[at]), layer.name, layer.label(at), n, p, p / n, share)
            )
        return out
