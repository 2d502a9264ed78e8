"""SaTScan v10.3.2 on classes and real values: statistics to six decimals, p-values within 4 standard errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from movfair_spark.models.multinomial import Multinomial
from movfair_spark.models.normal import Normal
from movfair_spark.models.significance import p_value
from tests.models import windows as w

N_WORLDS = 2047


def scan(model, windows, n=N_WORLDS):
    counter = model.counter(model.worlds(1, range(n), observed=True), n + 1)
    counter.add(w.batch(windows))
    maxima = counter.maxima()
    return float(maxima[-1]), p_value(float(maxima[-1]), maxima[:-1])


def assert_agrees(found, wanted, replications):
    statistic, p = found
    assert statistic == pytest.approx(wanted[0], abs=1e-6)
    variance = wanted[1] * (1 - wanted[1])
    assert abs(p - wanted[1]) <= 4 * math.sqrt(variance / N_WORLDS + variance / replications)


def read(path):
    """Rows of a case file, one per case: the second column is their number."""
    table = (line.split() for line in path.read_text().splitlines() if line.strip())
    return [row for row in table for _ in range(int(row[1]))]


def at_least_two(windows):
    return [who for who in windows if len(who) > 1]


@pytest.fixture(scope="module")
def fake(shared_data):
    return shared_data / "scan" / "satscan_normalfake_normal"


@pytest.mark.parametrize("direction", ["high", "low", "both"])
def test_normal(fake, direction):
    table = read(fake / "NormalFake.cas")
    windows = w.members(w.read_coordinates(fake / "NormalFake.geo"), [[row[0]] for row in table])
    model = Normal(np.array([float(row[2]) for row in table]), direction)
    assert model.n_objects == 122
    found = scan(model, at_least_two(windows))
    assert_agrees(found, w.expected(fake / f"expected_norm_{direction}.txt"), 99_999)


@pytest.mark.parametrize(
    ("name", "number", "direction"),
    [("wn1", 1, "high"), ("wn1", 2, "low"), ("wn2", 1, "high"), ("wn2", 2, "low")],
)
def test_weighted_normal(fake, name, number, direction):
    table = read(fake / f"{name}.cas")
    windows = w.members(w.read_coordinates(fake / "NormalFake.geo"), [[row[0]] for row in table])
    values, weights = (np.array([float(row[i]) for row in table]) for i in (2, 3))
    found = scan(Normal(values, direction, weights), at_least_two(windows))
    assert_agrees(found, w.expected(fake / f"expected_{name}_{number}.txt"), 9_999)


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("kind", ["norm_high", "norm_both", "multi"])
def test_people_with_several_cells(shared_data, kind, every):
    folder = shared_data / "scan" / "satscan_movement_multilocation"
    cells, coordinates = w.read_multilocation(folder)
    table = read(folder / ("mv_m.cas" if kind == "multi" else "mv_n.cas"))
    windows = w.members(coordinates, [cells[row[0]] for row in table], every=every)
    if kind == "multi":
        model = Multinomial(np.array([int(row[2]) - 1 for row in table]), 3)
    else:
        model = Normal(np.array([float(row[2]) for row in table]), kind.partition("_")[2])
        windows = at_least_two(windows)
    name = f"expected_mv_{kind}_{'all' if every else 'any'}.txt"
    assert_agrees(scan(model, windows), w.expected(folder / name), 9_999)


def great_circle(path):
    """Unit vectors: their chords order points as distances on the sphere do."""
    out = {}
    for line in path.read_text().splitlines():
        if line.strip():
            name, lat, lon = line.split()
            la, lo = math.radians(float(lat)), math.radians(float(lon))
            out[name] = (math.cos(la) * math.cos(lo), math.cos(la) * math.sin(lo), math.sin(la))
    return out


@pytest.mark.parametrize(("name", "size"), [("mdsub1500", 345), ("mdsub2500", 193)])
def test_maryland_subsets(shared_data, name, size):
    folder = shared_data / "scan" / "satscan_maryland_multinomial"
    table = [(row[0], int(row[2]) - 1) for row in read(folder / f"{name}.cas")]
    assert len(table) == size
    windows = w.members(great_circle(folder / "MarylandEducation.geo"), [[place] for place, _ in table])
    model = Multinomial(np.array([code for _, code in table]), 4)
    assert_agrees(scan(model, windows), w.expected(folder / f"expected_{name}.txt"), 99_999)


def degenerate(shared_data, name):
    folder = shared_data / "scan" / "satscan_degenerate"
    table = read(folder / f"{name}.cas")
    return table, w.read_coordinates(folder / "n.geo")


@pytest.mark.parametrize("name", ["small", "big"])
def test_a_large_offset_changes_nothing(shared_data, name):
    """SaTScan loses `big` (= small + 1e9) in rounding; both are 4.569066."""
    table, coordinates = degenerate(shared_data, name)
    windows = w.members(coordinates, [[row[0]] for row in table])
    assert scan(Normal(np.array([float(row[2]) for row in table])), windows, 99)[0] == pytest.approx(
        4.569066, abs=1e-6
    )


def test_zero_variance_inside_and_outside_wins(shared_data):
    """SaTScan drops the candidate that separates the two values: it must win with an infinite statistic."""
    table, coordinates = degenerate(shared_data, "sep")
    windows = w.members(coordinates, [[row[0]] for row in table])
    assert scan(Normal(np.array([float(row[2]) for row in table])), windows, 99)[0] == math.inf


def test_constant_values(shared_data):
    table, coordinates = degenerate(shared_data, "const")
    windows = w.members(coordinates, [[row[0]] for row in table])
    assert scan(Normal(np.array([float(row[2]) for row in table])), windows, 99) == (0.0, 1.0)


@pytest.mark.parametrize(("name", "value"), [("m3", 16 * math.log(2)), ("m1", 0.0)])
def test_degenerate_classes(shared_data, name, value):
    table, coordinates = degenerate(shared_data, name)
    people = [(row[0], int(row[2]) - 1) for row in table]
    windows = w.members(coordinates, [[place] for place, _ in people])
    model = Multinomial(np.array([code for _, code in people]), 3)
    assert scan(model, windows, 99)[0] == pytest.approx(value, rel=1e-15)
