"""Models over regions against the plain models of `models`, world by world, with one person to an atom or several."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels.memberships import pack
from movfair_spark.kernels.spatial.regions import from_cells, together
from movfair_spark.models.multinomial import Multinomial
from movfair_spark.models.normal import Normal
from movfair_spark.models.parts import Parts
from movfair_spark.models.region_classes import ClassRegions
from movfair_spark.models.region_values import ValueRegions

N, SEED = 90, 11
RNG = np.random.default_rng(3)
ATOM_OF = np.sort(RNG.integers(0, 30, N)).astype(np.int32)
CELLS = [RNG.integers(0, 5, 30), RNG.integers(0, 9, 30)]
REGIONS = together([from_cells(cells)[0] for cells in CELLS])
STRATA = RNG.integers(0, 3, N)
TRUTH = RNG.integers(0, 2, N)


def movement_maxima(model, worlds):
    """The movement audit on the same regions: one zoning per partitioning, one cell per person."""
    counter = model.counter(model.worlds(SEED, range(worlds)), worlds)
    for cells in CELLS:
        rows = np.arange(N, dtype=np.int32)
        counter.walk(pack(N, rows, np.arange(N + 1, dtype=np.int64), cells[ATOM_OF].astype(np.int64)), 1)
    return counter.maxima()


def grouped(codes, classes, part=None, strata=None, **how):
    part = np.zeros(N, np.int64) if part is None else part
    strata = np.zeros(N, np.int64) if strata is None else strata
    found, group = np.unique(part * 10 + strata, return_inverse=True)
    model = ClassRegions(
        REGIONS, ATOM_OF.astype(np.int64), group, codes, np.ones(N, np.int64), found // 10, classes, **how
    )
    return model, (ATOM_OF, group.astype(np.int32))


@pytest.mark.parametrize("direction", ["both", "high", "low"])
@pytest.mark.parametrize("groups", ["strata", "parts", "strata of parts"])
def test_two_classes_in_groups_give_the_bits_of_the_movement_audit(groups, direction):
    codes = (np.random.default_rng(1).uniform(size=N) < 0.3 + 0.3 * TRUTH).astype(np.int64)
    part, strata = TRUTH if "parts" in groups else None, STRATA if "strata" in groups else None
    model, people = grouped(codes, 2, part, strata, binary=True, direction=direction)
    expected = movement_maxima(Parts(codes, 2, direction, part, strata), 40)
    assert np.array_equal(model.maxima(SEED, range(40), people), expected)


@pytest.mark.parametrize("groups", ["none", "strata", "parts"])
def test_classes_give_the_bits_of_the_movement_audit(groups):
    codes = np.random.default_rng(2).integers(0, 4, N)
    part, strata = TRUTH if groups == "parts" else None, STRATA if groups == "strata" else None
    model, people = grouped(codes, 4, part, strata)
    plain = (
        Multinomial(codes, 4) if groups == "none" else Parts(codes, 4, "both", part, strata, "multinomial")
    )
    assert np.array_equal(model.maxima(SEED, range(40), people), movement_maxima(plain, 40))


@pytest.mark.parametrize("direction", ["both", "high", "low"])
@pytest.mark.parametrize("kind", ["plain", "weights", "strata", "two values"])
def test_real_values_give_the_bits_of_the_movement_audit(kind, direction):
    rng = np.random.default_rng(4)
    values = rng.integers(0, 2, N).astype(float) if kind == "two values" else rng.normal(5, 2, N)
    weights = rng.uniform(0.5, 3, N) if kind == "weights" else None
    model = Normal(values, direction, weights, STRATA if kind == "strata" else None)
    found = ValueRegions(REGIONS, ATOM_OF, model)
    assert np.array_equal(found.maxima(SEED, range(40)), movement_maxima(model, 40))


@pytest.mark.parametrize("kind", ["plain", "weights", "strata"])
def test_observed_values_are_those_of_the_members(kind):
    rng = np.random.default_rng(5)
    weights = rng.uniform(0.5, 3, N) if kind == "weights" else None
    model = Normal(rng.normal(5, 2, N), "both", weights, STRATA if kind == "strata" else None)
    found = ValueRegions(REGIONS, ATOM_OF, model)
    members = [np.flatnonzero(np.isin(ATOM_OF, REGIONS.members(r))) for r in range(REGIONS.count)]
    plain = [model.statistic(who) for who in members]
    assert list(found.exact(np.arange(REGIONS.count))) == plain
    assert np.allclose(found.statistics(), plain, rtol=1e-9, atol=1e-12)
    w = np.ones(N) if weights is None else weights
    means = [float(np.average(model.values[who], weights=w[who])) for who in members]
    assert np.allclose([detail[0] for _, detail in found.details(range(REGIONS.count))], means)


@pytest.mark.parametrize("groups", ["none", "strata of parts"])
def test_both_draws_of_classes_give_the_same_p_value_within_their_error(groups):
    codes = np.random.default_rng(6).integers(0, 3, N)
    part, strata = (None, None) if groups == "none" else (TRUTH, STRATA)
    model, people = grouped(codes, 3, part, strata)
    worlds, level = 3_000, float(np.median(model.maxima(1, range(400), people)))
    shares = [np.mean(model.maxima(1, range(worlds), each) >= level) for each in (people, None)]
    assert abs(shares[0] - shares[1]) <= 4 * (2 * 0.25 / worlds) ** 0.5


def test_parts_of_opposite_sign_are_mixed():
    codes = np.where(TRUTH == 1, ATOM_OF < 10, ATOM_OF >= 10).astype(np.int64)
    model, _ = grouped(codes, 2, TRUTH, binary=True)
    regions, _ = from_cells((np.arange(30) >= 10).astype(np.int64))
    split = ClassRegions(
        regions, model.atoms, model.groups, codes, model.people, model.part_of, 2, binary=True
    )
    (direction, detail), _ = split.details([0, 1])
    inside = [(ATOM_OF < 10) & (t == TRUTH) for t in (0, 1)]
    assert direction == "mixed"
    assert detail[0] == [int(who.sum()) for who in inside]
    assert detail[1] == [0, int(inside[1].sum())]
    assert detail[3:5] == ([0.0, 1.0], [1.0, 0.0])
    assert sum(detail[5]) == split.statistics()[0]


def test_one_class_only_in_every_group_is_nothing_to_test():
    assert grouped(TRUTH, 2, TRUTH, binary=True)[0].nothing_to_test
    assert not grouped(TRUTH, 2, binary=True)[0].nothing_to_test
