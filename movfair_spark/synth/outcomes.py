"""Outcomes of people: independent draws with one rate inside the planted pattern and one outside."""

from __future__ import annotations

import numpy as np

from movfair_spark.config.city import CityConfig
from movfair_spark.kernels._jit import njit
from movfair_spark.synth.city import OUTCOMES
from movfair_spark.synth.draws import stream, unit, wrapping


@njit
def _draw(of: np.uint64, people: np.ndarray, rates: np.ndarray, outcomes: np.ndarray) -> None:
    for i in range(people.size):
        outcomes[i] = 1 if unit(of, people[i]) < rates[i] else 0


def draw(config: CityConfig, people: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """Outcomes of some people.

    Parameters
    ----------
    config : CityConfig
        ``config.outcomes`` holds both rates and the seed; the movement does not depend on them.
    people : ndarray of int64
        Numbers of people.
    planted : ndarray of int64
        Ascending numbers of everybody in the pattern.

    Returns
    -------
    ndarray of int8
        0 or 1 for each of ``people``. With equal seeds, a person who is positive at a rate is so at any higher one.
    """
    rates = np.where(np.isin(people, planted), config.outcomes.rate_inside, config.outcomes.rate)
    outcomes = np.empty(people.size, dtype=np.int8)
    with wrapping():
        _draw(stream(config.seed, OUTCOMES, config.outcomes.seed), people, rates, outcomes)
    return outcomes
