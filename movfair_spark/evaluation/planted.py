"""How well planted unfairness was found: sensitivity, PPV and power over objects (paper section 5.3, appendix F).

U is the set of people who were truly treated differently (the union of all hotspots), Û the union of the members of
all evidence. Sensitivity = |U ∩ Û| / |U|, PPV = |U ∩ Û| / |Û|. Pooling all zonings finds most of U and much beside
it: the paper's Table 3 has a sensitivity of 0.93 and a PPV of 0.19 for 400 people.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Retrieval:
    """Sizes of U, of Û and of their intersection in one data set."""

    planted: int
    found: int
    both: int

    @property
    def detected(self) -> bool:
        """Whether there is any evidence."""
        return self.found > 0

    @property
    def sensitivity(self) -> float:
        """Share of the planted people that the evidence covers; NaN when nobody was planted."""
        return self.both / self.planted if self.planted else math.nan

    @property
    def ppv(self) -> float:
        """Share of the people in the evidence that were planted; NaN when there is no evidence."""
        return self.both / self.found if self.found else math.nan

    def describe(self) -> str:
        """Say it in one sentence, for the verdict of the embedded city."""
        if not self.detected:
            return f"the planted pattern of {self.planted:,} people was not found"
        return (
            f"the evidence covers {self.both:,} of the {self.planted:,} people of the planted pattern "
            f"(sensitivity {self.sensitivity:.2f}) and {self.found - self.both:,} others (PPV {self.ppv:.2f})"
        )


@dataclass(frozen=True)
class Performance:
    """Averages over data sets that were made alike; sensitivity and PPV over those with evidence (paper 5.3)."""

    datasets: int
    power: float
    sensitivity: float
    ppv: float


def retrieval(planted: np.ndarray, found: np.ndarray) -> Retrieval:
    """Compare two sets of people.

    Parameters
    ----------
    planted, found : array_like
        Ids; repeated ones count once.
    """
    truly, said = np.unique(planted), np.unique(found)
    return Retrieval(len(truly), len(said), len(np.intersect1d(truly, said, assume_unique=True)))


def retrieval_of_tables(planted: DataFrame, found: DataFrame) -> Retrieval:
    """Compare two tables by their column ``uid``, without collecting them.

    Parameters
    ----------
    planted : DataFrame
        ``truth/people`` of a simulated city.
    found : DataFrame
        ``evidence_objects`` of an audit.
    """
    truly, said = planted.select("uid").distinct(), found.select("uid").distinct()
    return Retrieval(truly.count(), said.count(), truly.join(said, "uid").count())


def performance(datasets: Sequence[Retrieval]) -> Performance:
    """Average over the data sets of one configuration.

    Parameters
    ----------
    datasets : sequence of Retrieval
        At least one.

    Returns
    -------
    Performance
        Power is the share with evidence; the other averages are NaN when none has any.
    """
    detected = [item for item in datasets if item.detected]
    if not detected:
        return Performance(len(datasets), 0.0, math.nan, math.nan)
    return Performance(
        len(datasets),
        len(detected) / len(datasets),
        math.fsum(item.sensitivity for item in detected) / len(detected),
        math.fsum(item.ppv for item in detected) / len(detected),
    )
