"""SaTScan v10.3.2: statistics to its six decimals, p-values within 4 standard errors of both runs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from movfair_spark.models.bernoulli import Bernoulli
from movfair_spark.models.significance import p_value
from tests.models import windows as w

N_WORLDS = 4095


def scan(labels, windows, direction, n=N_WORLDS):
    model = Bernoulli(labels, direction)
    counter = model.counter(model.worlds(1, range(n), observed=True), n + 1)
    counter.add(w.batch(windows))
    maxima = counter.maxima()
    return float(maxima[-1]), p_value(float(maxima[-1]), maxima[:-1])


def assert_agrees(found, wanted, replications):
    statistic, p = found
    assert statistic == pytest.approx(wanted[0], abs=1e-6)
    variance = wanted[1] * (1 - wanted[1])
    assert abs(p - wanted[1]) <= 4 * math.sqrt(variance / N_WORLDS + variance / replications)


@pytest.fixture(scope="module")
def humberside(shared_data):
    folder = shared_data / "scan" / "satscan_nhumberside_bernoulli"
    places, labels = w.read_bernoulli(folder, "NHumberside")
    coordinates = w.read_coordinates(folder / "NHumberside.geo")
    return folder, labels, w.members(coordinates, [[place] for place in places])


@pytest.mark.parametrize("direction", ["high", "low", "both"])
def test_humberside(humberside, direction):
    folder, labels, windows = humberside
    assert (len(labels), labels.sum()) == (203, 62)
    found = scan(labels, windows, direction)
    assert_agrees(found, w.expected(folder / f"expected_nh_{direction}.txt"), 99_999)


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("direction", ["high", "both"])
def test_people_with_several_cells(shared_data, direction, every):
    folder = shared_data / "scan" / "satscan_movement_multilocation"
    cells, coordinates = w.read_multilocation(folder)
    people, labels = w.read_bernoulli(folder, "mv_b")
    windows = w.members(coordinates, [cells[person] for person in people], every=every)
    name = f"expected_mv_bern_{direction}_{'all' if every else 'any'}.txt"
    assert_agrees(scan(labels, windows, direction), w.expected(folder / name), 9_999)


def degenerate(shared_data, name):
    folder = shared_data / "scan" / "satscan_degenerate"
    places, labels = w.read_bernoulli(folder, name)
    return labels, w.members(w.read_coordinates(folder / "n.geo"), [[place] for place in places])


def test_perfect_split(shared_data):
    found = scan(*degenerate(shared_data, "b"), "both", 999)
    assert found[0] == pytest.approx(12 * math.log(2), rel=1e-15)
    # 2 of the 924 labelings reach it.
    assert abs(found[1] - 2 / 924) <= 4 * math.sqrt(2 / 924 / 999) + 1e-3


@pytest.mark.parametrize("name", ["bnone", "ball"])
def test_one_outcome_only(shared_data, name):
    labels, windows = degenerate(shared_data, name)
    assert scan(labels, windows, "both", 99) == (0.0, 1.0)
    assert Bernoulli(labels).nothing_to_test
    assert np.all(labels == labels[0])
