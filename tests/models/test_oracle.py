"""Every model and notion against brute force: members, statistics, p-values; with and without the support bound."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.eclat import prefix_classes
from movfair_spark.kernels.worlds import order
from movfair_spark.models.base import MIXED
from movfair_spark.models.outcomes import Outcomes, model_of
from movfair_spark.models.significance import critical_value, p_value
from movfair_spark.models.support import next_support, starting_support
from tests.kernels.subsets import packed
from tests.models.questions import QUESTIONS, population
from tests.oracle.models import answer, equal

SIMULATIONS, ALPHA, SEED = 79, 0.95, 5
NAMES = {1: "high", -1: "low", 0: "none", MIXED: "mixed"}


def codes(values):
    names = sorted(set(values))
    return np.array([names.index(value) for value in values], dtype=np.int64)


def model_for(question, people):
    """The model of people in uid order."""
    classes, values = (), np.array([p.outcome for p in people])
    if question.model == "multinomial":
        classes, values = tuple(sorted({p.outcome for p in people})), codes([p.outcome for p in people])
    if question.residual:
        values = values - np.array([p.truth for p in people])
    outcomes = Outcomes(
        values,
        classes,
        part=codes([p.truth for p in people]) if question.notion == "equal_odds" else None,
        strata=codes([p.stratum for p in people]) if question.stratum else None,
        weights=np.array([p.weight for p in people]) if question.weight else None,
    )
    return model_of(question.model, outcomes, question.direction)


def maxima_of(model, zonings, low, high=None, classes=1):
    """Maxima of all worlds and the observed one, over blocks of `classes` prefix classes."""
    counter = model.counter(model.worlds(SEED, range(SIMULATIONS), observed=True), SIMULATIONS + 1)
    for m in zonings:
        for items in prefix_classes(m, low, classes):
            counter.walk(m, low, high, items)
    return counter.maxima()


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_whole_scan_equals_brute_force(name):
    question = QUESTIONS[name]
    cellsets, people = population(11, question.model, 36)
    expected = answer(cellsets, people, question, order, n_simulations=SIMULATIONS, alpha=ALPHA, seed=SEED)
    assert len(expected.evidence) >= 2
    assert len(set(expected.null)) > 10
    mine = [people[uid] for uid in expected.uids]
    model = model_for(question, mine)
    zonings = [packed([set(zoning.get(uid, ())) for uid in expected.uids]) for zoning in cellsets.values()]
    found = maxima_of(model, zonings, 1)
    null, observed = found[:SIMULATIONS], float(found[SIMULATIONS])
    assert all(equal(a, b) for a, b in zip(null, expected.null, strict=True))

    # Blocks and lowering the support change no bit.
    assert maxima_of(model, zonings, 1, classes=3).tolist() == found.tolist()
    support = starting_support(model.support_bound, model.n_objects, 1)
    lowered = maxima_of(model, zonings, support)
    while True:
        lower = next_support(support, model.support_bound, lowered[:-1], float(lowered[-1]), 1)
        if lower == support:
            break
        lowered = np.maximum(lowered, maxima_of(model, zonings, lower, support))
        support = lower
    assert lowered.tolist() == found.tolist()

    rows = {}
    threshold = critical_value(null, ALPHA)
    for zoning_id, m in enumerate(zonings):
        for part in model.evidence(m, threshold, 1):
            batch = part.candidates
            for j in range(len(batch.supports)):
                who = frozenset(batch.members[batch.starts[j] : batch.starts[j + 1]].tolist())
                rows[zoning_id, who] = (float(part.statistic[j]), NAMES[int(part.direction[j])])
    assert rows.keys() == {(row.zoning_id, row.members) for row in expected.evidence.values()}
    for row in expected.evidence.values():
        value, side = rows[row.zoning_id, row.members]
        assert equal(value, row.statistic)
        assert side == row.direction
        assert p_value(value, null) == row.p_value
    assert observed == max(value for value, _ in rows.values())
