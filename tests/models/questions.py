"""Every model with every notion that it has, and small populations to ask them of."""

from __future__ import annotations

import random

from tests.oracle.models import Person, Question

QUESTIONS = {
    "bernoulli": Question("bernoulli"),
    "bernoulli, strata": Question("bernoulli", stratum=True),
    "equal opportunity": Question("bernoulli", "equal_opportunity"),
    "false positive parity, strata, high": Question(
        "bernoulli", "false_positive_parity", "high", stratum=True
    ),
    "equal odds": Question("bernoulli", "equal_odds"),
    "equal odds, low": Question("bernoulli", "equal_odds", "low"),
    "equal odds, strata": Question("bernoulli", "equal_odds", stratum=True),
    "classes": Question("multinomial"),
    "classes, strata": Question("multinomial", stratum=True),
    "classes, equal odds": Question("multinomial", "equal_odds"),
    "classes, equal odds, strata": Question("multinomial", "equal_odds", stratum=True),
    "real": Question("normal"),
    "real, low": Question("normal", direction="low"),
    "real, weights": Question("normal", weight=True),
    "real, strata": Question("normal", stratum=True),
    "residual": Question("normal", residual=True),
    "residual, strata, high": Question("normal", "statistical_parity", "high", residual=True, stratum=True),
}
"""The table of notes, section 1, row by row, with directions and weights."""


def population(seed: int, model: str, n: int = 24):
    """Cellsets {zoning: {uid: cells}} and people; holders of cell 0 in zoning 0 have other outcomes than the rest."""
    rng = random.Random(seed)
    uids = [3 * i - 7 for i in range(n)]
    cellsets = {
        zoning: {uid: rng.sample(range(4 + zoning), rng.randint(1, 4)) for uid in uids if rng.random() < 0.95}
        for zoning in range(2)
    }
    people = {}
    for uid in uids:
        odd = 0 in cellsets[0].get(uid, [])
        truth = int(rng.random() < 0.6)
        if model == "bernoulli":
            outcome = int(rng.random() < (0.9 if odd else 0.3))
        elif model == "multinomial":
            outcome = rng.choices("abc", (8, 1, 1) if odd else (1, 2, 2))[0]
            truth = "abc"[truth]
        else:
            outcome, truth = round(rng.gauss(2.0 * odd, 1.0), 2), round(rng.gauss(0.0, 0.3), 2)
        people[uid] = Person(outcome, truth, "xyz"[rng.randint(0, 2)], rng.choice([0.5, 1.0, 2.5]))
    return cellsets, people
