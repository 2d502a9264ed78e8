"""Outcomes in classes over given regions, in groups: the multinomial statistic, strata, and equal odds.

A group is a stratum, or a stratum of one truth; outcomes are permuted within it. Groups of one truth form a part. Within a
part expected counts add up over its strata, and the statistics of the parts add up (`models.parts` has the formulas). 0/1
outcomes are two classes with a direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.spatial.dealing import dealt_classes, drawn_classes
from movfair_spark.kernels.spatial.regions import Regions, add_up
from movfair_spark.models import multinomial_kernels
from movfair_spark.models import parts_kernels as kernels
from movfair_spark.models.bernoulli import direction_code
from movfair_spark.models.region_model import People
from movfair_spark.models.regions import Candidates


@dataclass(frozen=True)
class ClassRegions(Candidates):
    """Regions and the classes of their people; see `models.region_model.RegionModel`.

    Attributes
    ----------
    regions : Regions
    atoms, groups, codes, people : integer arrays of shape (C,)
        Each row: so many people of a class of a group at an atom.
    part_of : int64 array of shape (G,)
        Part of each group, 0 to Q - 1.
    n_classes : int
    direction : {"both", "high", "low"}
        Of two classes; class 1 is the positive outcome.
    binary : bool
        Outcomes of 0 and 1.
    min_support, max_support : int
        Regions with fewer or more people are no candidates.
    """

    regions: Regions
    atoms: npt.NDArray[np.integer]
    groups: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int64]
    people: npt.NDArray[np.int64]
    part_of: npt.NDArray[np.int64]
    n_classes: int
    direction: str = "both"
    binary: bool = False
    min_support: int = 1
    max_support: int = 2**31 - 1

    @property
    def name(self) -> str:
        """Name of the model."""
        return "bernoulli" if self.binary else "multinomial"

    @property
    def parts(self) -> int:
        """Q."""
        return int(self.part_of.max(initial=-1)) + 1

    @cached_property
    def observed(self) -> npt.NDArray[np.int64]:
        """People per part, class and atom, int64[Q, K, A]."""
        out = np.zeros((self.parts, self.n_classes, self._n_atoms), dtype=np.int64)
        np.add.at(out, (self.part_of[self.groups], self.codes, self.atoms), self.people)
        return out

    @property
    def _n_atoms(self) -> int:
        return max(int(self.regions.atoms.max(initial=-1)), int(self.atoms.max(initial=-1))) + 1

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """People per atom."""
        return self.observed.sum(axis=(0, 1))

    @cached_property
    def quotas(self) -> npt.NDArray[np.int64]:
        """People per group and class, int64[G, K]."""
        out = np.zeros((len(self.part_of), self.n_classes), dtype=np.int64)
        np.add.at(out, (self.groups, self.codes), self.people)
        return out

    @cached_property
    def totals(self) -> npt.NDArray[np.int64]:
        """People per part and class, int64[Q, K]."""
        out = np.zeros((self.parts, self.n_classes), dtype=np.int64)
        np.add.at(out, self.part_of, self.quotas)
        return out

    @property
    def nothing_to_test(self) -> bool:
        """True when all outcomes of each group are the same."""
        return bool((np.count_nonzero(self.quotas, axis=1) < 2).all())

    @cached_property
    def held(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]]:
        """Atoms of each group, and its people at each."""
        found = []
        for group in range(len(self.part_of)):
            mine = self.groups == group
            sizes = np.bincount(self.atoms[mine], weights=self.people[mine], minlength=self._n_atoms)
            at = np.flatnonzero(sizes)
            found.append((at.astype(np.int32), sizes[at].astype(np.int64)))
        return found

    @cached_property
    def layout(self) -> kernels.Layout:
        """Parts, groups and classes as `models.parts` counts them."""
        sizes, nobody = self.quotas.sum(axis=1), np.zeros(0, dtype=np.int64)
        return kernels.Layout(
            nobody,
            nobody,
            self.part_of,
            sizes,
            self.quotas,
            self.totals.sum(axis=1),
            self.totals,
            np.bincount(self.part_of, minlength=self.parts) == 1,
            direction_code(self.direction),
        )

    @cached_property
    def expected(self) -> npt.NDArray[np.float64]:
        """Expected people inside and outside per part, class and region, float64[2, Q, K, R]."""
        out = np.zeros((2, self.parts, self.n_classes, self.regions.count))
        for group, (at, sizes) in enumerate(self.held):
            of_atoms = np.zeros(self._n_atoms, dtype=np.int64)
            of_atoms[at] = sizes
            n, size = self.regions.sums(of_atoms), int(sizes.sum())
            for code in range(self.n_classes):
                total = int(self.quotas[group, code])
                out[0, self.part_of[group], code] += n * total / float(size)
                out[1, self.part_of[group], code] += (size - n) * total / float(size)
        return out

    def _of_regions(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        r = self.regions
        out = np.empty((self.parts, self.n_classes, r.count), dtype=np.int64)
        for part in range(self.parts):
            for code in range(self.n_classes):
                add_up(r.rings, r.atoms, r.families, counts[part, code], out[part, code])
        return out

    def _evaluate(
        self, counts: npt.NDArray[np.int64], regions: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.float64]:
        """Statistic of each part in the regions (the candidates, in their order), float64[Q, k]."""
        chosen = self.candidates if regions is None else regions
        sums = self._of_regions(counts)
        if len(self.part_of) == 1 and not self.binary:
            return _plain(sums[0], chosen, self.totals[0])
        return _parts(sums, chosen, self.layout, *self.expected)

    def statistics(self) -> npt.NDArray[np.float64]:
        """Observed statistic of every region (0 for those that are no candidates), float64[R]."""
        out = np.zeros(self.regions.count)
        out[self.candidates] = self._evaluate(self.observed).sum(axis=0)
        return out

    def exact(self, regions: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Observed statistic of some candidates."""
        return self.statistics()[regions]

    def maxima(
        self, seed: int, numbers: Iterable[int], people: People | None = None
    ) -> npt.NDArray[np.float64]:
        """Largest statistic of each world; with people outcomes are permuted, without them counts are drawn."""
        rows, out = (self.part_of, self.parts, self._n_atoms), []
        for b in numbers:
            if people is None:
                counts = drawn_classes(seed, b, self.held, self.quotas, rows)
            else:
                counts = dealt_classes(seed, b, *people, self.quotas, rows)
            out.append(float(self._evaluate(counts).sum(axis=0).max(initial=0.0)))
        return np.array(out, dtype=np.float64)

    @property
    def detail_schema(self) -> str:
        """Names and Spark types of the evidence columns; with several parts each holds one entry per truth."""
        if self.binary:
            names = {"observed": "bigint", "expected": "double", "rate_in": "double", "rate_out": "double"}
        else:
            names = {"observed": "array<bigint>", "expected": "array<double>"}
        if self.parts > 1:
            names = {"part_n": "bigint", **names, "part_statistic": "double"}
            names = {name: f"array<{kind}>" for name, kind in names.items()}
        return ", ".join(f"{name} {kind}" for name, kind in names.items())

    def details(self, regions: Sequence[int]) -> list[tuple[str | None, tuple[Any, ...]]]:
        """Direction (``mixed`` where parts differ) and, per part, what was observed and expected."""
        chosen, sums = np.asarray(regions, dtype=np.int64), self._of_regions(self.observed)
        by_part = self._evaluate(self.observed, chosen)
        out: list[tuple[str | None, tuple[Any, ...]]] = []
        for at, region in enumerate(chosen):
            rows = [
                (
                    int(sums[part, :, region].sum()),
                    *self._row(sums, part, int(region)),
                    float(by_part[part, at]),
                )
                for part in range(self.parts)
            ]
            detail = (
                tuple(list(each) for each in zip(*rows, strict=True)) if self.parts > 1 else rows[0][1:-1]
            )
            out.append((self._direction(sums, by_part[:, at], int(region)), detail))
        return out

    def _row(self, sums: npt.NDArray[np.int64], part: int, region: int) -> tuple[Any, ...]:
        observed, expected = sums[part, :, region].tolist(), self.expected[0, part, :, region].tolist()
        if not self.binary:
            return observed, expected
        n, rest = sum(observed), int(self.totals[part].sum()) - sum(observed)
        outside = int(self.totals[part, 1]) - observed[1]
        return observed[1], expected[1], observed[1] / n if n else None, outside / rest if rest else None

    def _direction(
        self, sums: npt.NDArray[np.int64], statistics: npt.NDArray[np.float64], region: int
    ) -> str | None:
        """Take that of all parts that add to the statistic, ``mixed`` where they differ in sign."""
        if not self.binary:
            return None
        counted = [part for part in range(self.parts) if statistics[part] > 0.0]
        above = {bool(sums[part, 1, region] > self.expected[0, part, 1, region]) for part in counted}
        return "mixed" if len(above) > 1 else "high" if above == {True} else "low"


@njit
def _plain(sums, chosen, totals):
    n_objects = totals.sum()
    out = np.zeros((1, len(chosen)), dtype=np.float64)
    for i in range(len(chosen)):
        counts = sums[:, chosen[i]].copy()
        out[0, i] = multinomial_kernels.statistic(counts, totals, counts.sum(), n_objects)
    return out


@njit
def _parts(sums, chosen, layout, inside, outside):
    parts, classes = layout.part_totals.shape
    out = np.zeros((parts, len(chosen)), dtype=np.float64)
    for i in range(len(chosen)):
        region = chosen[i]
        for part in range(parts):
            n = sums[part, :, region].sum()
            for k in range(1 if classes == 2 else 0, classes):
                count = sums[part, k, region]
                within, without = inside[:, :, region], outside[:, :, region]
                out[part, i] += kernels.component(layout, part, k, count, n, within, without)
    return out
