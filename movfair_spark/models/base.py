"""What the scan needs from an outcome model; everything else about outcomes stays inside the model's file.

A model is bound to the outcomes of the objects in the test. It makes the outcomes of worlds (an array that can be
broadcast), counts candidates in all of them, bounds what a small candidate can reach, and turns candidates beyond
a threshold into evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels.eclat import Batch
from movfair_spark.kernels.memberships import Memberships

#: Direction of a candidate whose parts (truth classes) differ in opposite directions.
MIXED = 2


@dataclass(frozen=True)
class Evidence:
    """Candidates of one batch whose observed statistic exceeds a threshold.

    Attributes
    ----------
    candidates : Batch
        Cells, members and multiplicity of each; the arrays are the caller's own.
    statistic : float64 array of shape (k,)
    direction : int8 array of shape (k,)
        1 above, -1 below what the others lead one to expect, 0 where the model has no direction, `MIXED` where parts
        differ in sign.
    detail : dict of str to array of shape (k,) or (k, classes)
        The model's own columns, `Model.detail_columns`.
    """

    candidates: Batch
    statistic: npt.NDArray[np.float64]
    direction: npt.NDArray[np.int8]
    detail: dict[str, npt.NDArray[Any]]


class Counter(Protocol):
    """Collects, per world, the largest statistic over any number of blocks."""

    n_candidates: int
    n_memberships: int

    def walk(
        self,
        memberships: Memberships,
        min_support: int,
        max_support: int | None = None,
        items: tuple[int, int] | None = None,
    ) -> None:
        """Mine a block and count it in every world."""

    def maxima(self) -> npt.NDArray[np.float64]:
        """Give the largest statistic per world so far, float64[worlds]; 0 without candidates."""


class Model(Protocol):
    """An outcome model bound to the outcomes of the N objects in the test."""

    @property
    def name(self) -> str:
        """Name of the model in tables and configuration."""

    @property
    def direction(self) -> str:
        """Direction of the test."""

    @property
    def detail_columns(self) -> tuple[str, ...]:
        """Names of the model's own evidence columns."""

    @property
    def detail_schema(self) -> str:
        """Names and Spark types of these columns, in the same order."""

    @property
    def n_objects(self) -> int:
        """N."""

    @property
    def nothing_to_test(self) -> bool:
        """True when all outcomes are the same: every statistic is 0 and every p-value 1."""

    @property
    def world_bytes(self) -> float:
        """Bytes that one world takes in `worlds`, for plans of memory."""

    def support_bound(self, support: int, min_support: int = 1) -> float:
        """B(s): the largest statistic of a candidate of support min_support to s - 1; -inf when there is none."""

    def worlds(self, seed: int, worlds: range, *, observed: bool = False) -> npt.NDArray[Any]:
        """Outcomes of these worlds, and of the observed one after them when asked; one row per object."""

    def counter(self, outcomes: npt.NDArray[Any], n_worlds: int) -> Counter:
        """Make an empty counter for outcomes that `worlds` made."""

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
        """Stream the candidates of a block whose observed statistic exceeds the threshold (rule of ties)."""
