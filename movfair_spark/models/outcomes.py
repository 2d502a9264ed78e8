"""Observed outcomes as arrays, and the model that a test of them needs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels.outcome_worlds import givers
from movfair_spark.models.base import Model
from movfair_spark.models.bernoulli import Bernoulli
from movfair_spark.models.multinomial import Multinomial
from movfair_spark.models.normal import Normal, normal_scores
from movfair_spark.models.parts import Parts


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of the N objects in the test, in order of objects.

    Attributes
    ----------
    values : array of shape (N,)
        uint8 of 0 and 1, int64 class codes, or finite float64 values.
    classes : tuple of str
        Names of the class codes; empty for others.
    part : int64 array of shape (N,), optional
        Class of truth, where the statistic is a sum over them.
    truths : tuple of str
        Names of the parts.
    strata : int64 array of shape (N,), optional
        Stratum of each object, where outcomes are compared within strata.
    weights : float64 array of shape (N,), optional
        Positive weights of real values.
    """

    values: npt.NDArray[Any]
    classes: tuple[str, ...] = ()
    part: npt.NDArray[np.int64] | None = None
    truths: tuple[str, ...] = ()
    strata: npt.NDArray[np.int64] | None = None
    weights: npt.NDArray[np.float64] | None = None

    @cached_property
    def groups(self) -> npt.NDArray[np.int64] | None:
        """Within what outcomes are permuted: stratum of each part; None for everybody."""
        given = [column for column in (self.part, self.strata) if column is not None]
        if not given:
            return None
        found = np.unique(np.column_stack(given), axis=0, return_inverse=True)[1]
        return np.asarray(found, dtype=np.int64).reshape(-1)

    @property
    def digest(self) -> str:
        """Name of these outcomes, object by object."""
        return _digest(self.values, self.groups, self.weights)

    @property
    def null_digest(self) -> str:
        """Name of all that a null depends on: two vectors that are dealt out alike share their worlds."""
        dealt = givers(self.values, self.groups)
        weights = None if self.weights is None else self.weights[dealt]
        return _digest(self.values[dealt], self.groups, weights)


def model_of(name: str, outcomes: Outcomes, direction: str = "both", transform: str = "none") -> Model:
    """Bind a model to outcomes.

    Parameters
    ----------
    name : {'bernoulli', 'multinomial', 'normal'}
    outcomes : Outcomes
        Parts and strata decide between the plain models and those that sum and condition.
    direction : {'both', 'high', 'low'}
    transform : {'none', 'normal_scores'}
        Of real values.

    Raises
    ------
    ConfigurationError
        Too many classes, a direction for classes, an unknown name.
    """
    values, plain = outcomes.values, outcomes.part is None and outcomes.strata is None
    if name == "normal":
        real = np.asarray(values, dtype=np.float64)
        real = normal_scores(real) if transform == "normal_scores" else real
        return Normal(real, direction, outcomes.weights, outcomes.strata)
    if name == "multinomial":
        codes = np.asarray(values, dtype=np.int64)
        # A class that nobody has changes nothing; two are the least that the statistic is written for.
        n_classes = max(2, len(outcomes.classes))
        if plain:
            return Multinomial(codes, n_classes)
        return Parts(codes, n_classes, direction, outcomes.part, outcomes.strata, "multinomial")
    if name != "bernoulli":
        raise ConfigurationError(f"model is {name!r}, allowed are bernoulli, multinomial and normal")
    if plain:
        return Bernoulli(np.asarray(values, dtype=np.uint8), direction)
    return Parts(np.asarray(values, dtype=np.int64), 2, direction, outcomes.part, outcomes.strata)


def largest_single(model: Model) -> float | None:
    """Statistic of the largest single outcome, where outcomes are real values: outliers may hide every group."""
    return model.largest_single if isinstance(model, Normal) else None


def _digest(*columns: npt.NDArray[Any] | None) -> str:
    found = hashlib.sha256()
    for column in columns:
        found.update(
            b"-" if column is None else f"{column.dtype.str}{column.shape}".encode() + column.tobytes()
        )
    return found.hexdigest()
