"""Whole scans of tiny populations against the enumeration of all labelings; the reports that concern them."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from movfair_spark.kernels.worlds import bits_of, label_words
from movfair_spark.models.bernoulli import Bernoulli, statistic
from movfair_spark.models.significance import p_value, reaches
from tests.kernels.subsets import brute_force, packed, rows

SIX = [{1}, {1}, {1}, {2}, {2}, {2}]


def simulated(cellsets, positive, direction, n=999, seed=11):
    labels = np.array([i in positive for i in range(len(cellsets))], dtype=np.uint8)
    model = Bernoulli(labels, direction)
    counter = model.counter(model.worlds(seed, range(n), observed=True), n + 1)
    counter.walk(packed(cellsets), 1)
    maxima = counter.maxima()
    return float(maxima[-1]), maxima[:-1]


def exact_p(cellsets, positive, direction):
    candidates = list(brute_force(cellsets).values())
    size = len(cellsets)

    def maximum(labeling):
        return max(
            statistic(len(who), len(labeling & set(who)), size, len(labeling), direction)
            for who in candidates
        )

    observed = maximum(set(positive))
    null = [maximum(set(labeling)) for labeling in combinations(range(size), len(positive))]
    return observed, sum(reaches(t, observed) for t in null) / len(null)


@pytest.mark.parametrize("direction", ["both", "high", "low"])
def test_ties_with_the_observed_maximum_count(direction):
    """fieldtrip #2608, freesurfer #1460, mlxtend #718 and #838, permute #108, scanstatistics #5 (report 1)."""
    observed, p = exact_p(SIX, {0, 1, 2}, direction)
    assert observed == pytest.approx(6 * math.log(2), rel=1e-15)
    assert p == 0.1
    ours, null = simulated(SIX, {0, 1, 2}, direction)
    assert ours == observed
    assert 0.062 <= p_value(ours, null) <= 0.138


@pytest.mark.parametrize("direction", ["both", "high", "low"])
@pytest.mark.parametrize("positive", [{0}, {0, 3, 5}, {1, 2, 3, 4, 5}])
def test_simulated_p_values_agree_with_all_labelings(positive, direction):
    cellsets = [{1, 2}, {1}, {1, 2, 3}, {3}, {2, 3}, {4}, {1, 4}]
    observed, p = exact_p(cellsets, positive, direction)
    n = 3999
    ours, null = simulated(cellsets, positive, direction, n)
    assert ours == observed
    assert abs(p_value(ours, null) - p) <= 4 * math.sqrt(p * (1 - p) / n) + 1 / n


def test_seven_candidates_and_their_best():
    """mlxtend #690 and #709, python-fp-growth #2, QuantMiner #2 (report 13): ab with n = 3, p = 3, once."""
    a, b, c = 1, 2, 3
    cellsets = [{a, b}, {a, c}, {c}, {a, b, c}, {a, b}, {a}]
    model = Bernoulli(np.array([1, 0, 0, 1, 1, 0], dtype=np.uint8))
    (part,) = model.evidence(packed(cellsets), 4.0, 1)
    assert [(who, multiplicity) for _, who, multiplicity in rows(part.candidates)] == [((0, 3, 4), 2)]
    assert part.statistic.tolist() == pytest.approx([6 * math.log(2)], rel=1e-15)


def test_thirty_people_have_999_different_worlds():
    """CellphoneDB #231, RNAlysis #218, squidpy #1233 and #1234, DABEST-python #234 (report 2)."""
    labels = (np.arange(30) < 15).astype(np.uint8)
    whole = bits_of(label_words(1, range(999), labels), range(999))
    assert len({tuple(world) for world in whole.T.tolist()}) == 999
    for parts in (3, 8):
        cuts = [999 * i // parts for i in range(parts + 1)]
        pieces = [
            bits_of(label_words(1, range(x, y), labels), range(y - x))
            for x, y in zip(cuts[:-1], cuts[1:], strict=True)
        ]
        assert np.array_equal(np.hstack(pieces), whole)
    assert not np.array_equal(bits_of(label_words(2, range(999), labels), range(999)), whole)


@pytest.mark.parametrize("positive", [set(), {0, 1, 2, 3, 4, 5}])
def test_all_labels_equal(positive):
    """Nothing to test: statistic 0 everywhere and p = 1 (notes, section 2)."""
    ours, null = simulated(SIX, positive, "both", 99)
    assert (ours, p_value(ours, null)) == (0.0, 1.0)
    assert Bernoulli(np.full(6, len(positive) // 6, dtype=np.uint8)).nothing_to_test
