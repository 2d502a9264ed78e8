"""Bernoulli and multinomial statistics summed over parts (equal odds) and conditional on strata.

Parts are the truth classes: the statistic is the sum of one statistic per part. Within a part, conditional on strata,
E_k = sum over its strata of n_s C_sk/N_s takes the place of n C_k/N: T = sum over classes of c ln(c/E) inside and
(C - c) ln((C - c)/(C - E)) outside; one stratum gives the plain value. Outcomes are permuted within groups, the strata of
each part. With a direction a part adds something only where its count lies on that side of its expectation.

Here every candidate has expectations of its own, so that extremes per support do not decide (notes, section 3): counts of
all worlds are added in bit planes and unpacked, and each count that occurs is looked up in a table of the candidate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError, LimitError
from movfair_spark.kernels import lanes
from movfair_spark.kernels.eclat import Batch, Walk
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.observed import take
from movfair_spark.kernels.outcome_worlds import class_words
from movfair_spark.kernels.worlds import label_words, pack_labels
from movfair_spark.models import parts_kernels as kernels
from movfair_spark.models.base import MIXED, Evidence
from movfair_spark.models.bernoulli import direction_code
from movfair_spark.models.multinomial import MAX_CLASSES
from movfair_spark.models.parts_bound import bounds_of_supports
from movfair_spark.models.parts_counter import PartsCounter
from movfair_spark.models.significance import exceeding

#: Most strata, counted in each truth class: a candidate's expectation is a sum over all of them.
MAX_GROUPS = 10_000


@dataclass(frozen=True)
class Parts:
    """Classes of the observed world in parts and strata; see `models.base.Model`.

    Attributes
    ----------
    codes : int64 array of shape (N,)
        Observed classes, 0 to K - 1; with two, 1 is the positive outcome.
    n_classes : int
        K.
    direction : {"both", "high", "low"}
        Only ``both`` with more than two classes.
    part, strata : int64 arrays of shape (N,), optional
        Truth class and stratum of each object, 0 or more. One part, one stratum when left out.
    name : {"bernoulli", "multinomial"}
        Of the model in tables; the Bernoulli model has two classes, a direction and rates.
    """

    codes: npt.NDArray[np.int64]
    n_classes: int
    direction: str = "both"
    part: npt.NDArray[np.int64] | None = None
    strata: npt.NDArray[np.int64] | None = None
    name: str = "bernoulli"

    def __post_init__(self) -> None:
        if direction_code(self.direction) and not self._binary:
            raise ConfigurationError("Classes have no direction", "Set direction to both")
        if not 2 <= self.n_classes <= MAX_CLASSES:
            raise ConfigurationError(
                f"Outcomes have {self.n_classes} classes, allowed are 2 to {MAX_CLASSES}",
                "Merge rare classes",
            )
        if len(self._layout.group_sizes) > MAX_GROUPS:
            raise LimitError(
                f"There are {len(self._layout.group_sizes)} strata (in each truth class), allowed are {MAX_GROUPS}",
                "Join strata to larger ones",
            )

    @property
    def _binary(self) -> bool:
        """Whether outcomes are 0 and 1, which have a direction and rates; two classes have neither."""
        return self.name == "bernoulli"

    @cached_property
    def _layout(self) -> kernels.Layout:
        n = len(self.codes)
        part, strata = (
            np.zeros(n, np.int64) if given is None else given for given in (self.part, self.strata)
        )
        part = np.unique(part, return_inverse=True)[1].astype(np.int64)
        pairs, group = np.unique(np.column_stack([part, strata]), axis=0, return_inverse=True)
        group = group.reshape(-1).astype(np.int64)
        part_of_group = pairs[:, 0].astype(np.int64)
        n_parts, n_groups = int(part.max(initial=0)) + 1, len(pairs)
        totals = np.zeros((n_groups, self.n_classes), dtype=np.int64)
        np.add.at(totals, (group, self.codes), 1)
        by_part = np.zeros((n_parts, self.n_classes), dtype=np.int64)
        np.add.at(by_part, part_of_group, totals)
        return kernels.Layout(
            part,
            group,
            part_of_group,
            totals.sum(axis=1),
            totals,
            by_part.sum(axis=1),
            by_part,
            np.bincount(part_of_group, minlength=n_parts) == 1,
            direction_code(self.direction),
        )

    @property
    def n_objects(self) -> int:
        """N."""
        return len(self.codes)

    @property
    def n_parts(self) -> int:
        """Truth classes that occur."""
        return len(self._layout.part_sizes)

    @property
    def nothing_to_test(self) -> bool:
        """True when no group holds two classes."""
        return not bool((np.count_nonzero(self._layout.group_totals, axis=1) > 1).any())

    @property
    def detail_columns(self) -> tuple[str, ...]:
        """Names of the columns of `detail_schema`."""
        return tuple(column.split()[0] for column in self.detail_schema.split(", "))

    @property
    def detail_schema(self) -> str:
        """One part: the columns of the plain models. Several: lists of them by part, with each part's n and statistic."""
        if not self._binary:
            columns = {"observed": "array<bigint>", "expected": "array<double>"}
        else:
            columns = {"observed": "bigint", "expected": "double", "rate_in": "double", "rate_out": "double"}
        if self.n_parts > 1:
            columns = {name: f"array<{kind}>" for name, kind in columns.items()}
            columns = {"part_n": "array<bigint>", **columns, "part_statistic": "array<double>"}
        return ", ".join(f"{name} {kind}" for name, kind in columns.items())

    @property
    def world_bytes(self) -> float:
        """One bit per object and class, one in all for two classes; worlds come in lanes of 1,024."""
        return self.n_objects * (self.n_classes if self.n_classes > 2 else 1) / 8

    def support_bound(self, support: int, min_support: int = 1) -> float:
        """B(s): the largest statistic of any candidate of support min_support to s - 1; -inf when there is none."""
        end = min(int(support), self.n_objects + 1)
        if end <= min_support:
            return -math.inf
        known: npt.NDArray[np.float64] = self.__dict__.get("_known_bounds", np.zeros(0))
        if len(known) < end:
            known = bounds_of_supports(self._layout, self.codes, min(self.n_objects + 1, max(32, 2 * end)))
            self.__dict__["_known_bounds"] = known
        return float(known[min_support:end].max())

    def worlds(self, seed: int, worlds: range, *, observed: bool = False) -> npt.NDArray[np.uint64]:
        """Label words (two classes) or class words of the worlds, permuted within groups; observed comes last."""
        group = self._layout.group
        if self.n_classes > 2:
            return class_words(seed, worlds, self.codes, self.n_classes, group, observed=observed)
        at = len(worlds)
        words = np.zeros(
            (self.n_objects, lanes.WORDS * max(1, -(-(at + observed) // lanes.WORLDS))), np.uint64
        )
        words[:, : (at + 63) // 64] = label_words(seed, worlds, self.codes, group)
        if observed:
            words[:, at // 64] |= pack_labels(self.codes)[:, 0] << np.uint64(at % 64)
        return words

    def counter(self, outcomes: npt.NDArray[np.uint64], n_worlds: int) -> PartsCounter:
        """Make an empty counter for what `worlds` made."""
        return PartsCounter(outcomes, n_worlds, self._layout)

    def evidence(
        self,
        memberships: Memberships,
        threshold: float,
        min_support: int,
        max_support: int | None = None,
        items: tuple[int, int] | None = None,
        *,
        distinct: bool = True,
    ) -> Iterator[Evidence]:
        """Stream the candidates whose statistic exceeds the threshold, with counts and expectations by part.

        Direction: that of all parts that differ from their expectation, `MIXED` where they differ in sign.
        """
        for batch in Walk(memberships, min_support, max_support, items, distinct=distinct):
            found = self.evaluate(batch)
            statistics = np.zeros(len(batch.supports))
            for g in range(self.n_parts):
                statistics += found["part_statistic"][:, g]
            kept = np.flatnonzero(exceeding(statistics, threshold))
            if len(kept):
                detail = {name: column[kept] for name, column in found.items()}
                yield Evidence(
                    take(batch, kept), statistics[kept], self._direction(detail), self._detail(detail)
                )

    def evaluate(self, batch: Batch) -> dict[str, npt.NDArray[Any]]:
        """Give n, observed, expected, outside and statistic of each candidate and part (and class) in the observed world."""
        k, parts = len(batch.supports), self.n_parts
        shape = (k, parts, self.n_classes)
        found: dict[str, npt.NDArray[Any]] = {
            "part_n": np.zeros((k, parts), dtype=np.int64),
            "observed": np.zeros(shape, dtype=np.int64),
            "expected": np.zeros(shape),
            "outside": np.zeros(shape),
            "part_statistic": np.zeros((k, parts)),
        }
        codes = np.ascontiguousarray(self.codes, dtype=np.int64)
        kernels.evaluate(batch.starts, batch.members, self._layout, codes, *found.values())
        return found

    def _direction(self, found: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.int8]:
        if not self._binary:
            return np.zeros(len(found["part_n"]), dtype=np.int8)
        signs = np.sign(found["observed"][:, :, 1] - found["expected"][:, :, 1])
        signs[found["part_statistic"] == 0.0] = 0
        up, down = (signs > 0).any(axis=1), (signs < 0).any(axis=1)
        return np.where(up & down, MIXED, up.astype(np.int8) - down.astype(np.int8)).astype(np.int8)

    def _detail(self, found: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        detail = {"observed": found["observed"], "expected": found["expected"]}
        if self._binary:
            n, p = found["part_n"], found["observed"][:, :, 1]
            rest = self._layout.part_sizes - n
            outside = self._layout.part_totals[:, 1] - p
            detail = {
                "observed": p,
                "expected": found["expected"][:, :, 1],
                "rate_in": np.where(n > 0, p / np.maximum(n, 1), np.nan),
                "rate_out": np.where(rest > 0, outside / np.maximum(rest, 1), np.nan),
            }
        if self.n_parts == 1:
            return {name: column[:, 0] for name, column in detail.items()}
        return {"part_n": found["part_n"], **detail, "part_statistic": found["part_statistic"]}
