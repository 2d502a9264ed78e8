from __future__ import annotations

import numpy as np
import pytest

from benchmarks import calibration
from benchmarks.calibration import Row, Settings, markdown, memberships, p_values, settings, table
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.worlds import pack_labels
from movfair_spark.models import bernoulli


@pytest.fixture(scope="module")
def config() -> Settings:
    small = {"people": 120, "days": 2, "interval_seconds": 600}
    chosen = settings()
    audit = chosen.audit.model_copy(update={"city": chosen.audit.city.model_copy(update=small)})
    return chosen.model_copy(update={"label_sets": 12, "audit": audit})


@pytest.fixture(scope="module")
def tables(config) -> list[Memberships]:
    return memberships(config.audit)


def test_label_sets_that_share_a_walk_get_the_p_values_of_a_walk_of_their_own(config, tables, monkeypatch):
    together = list(p_values(config, tables, 0.6))
    monkeypatch.setattr(calibration, "_WORLDS_PER_WALK", 1)
    assert list(p_values(config, tables, 0.6)) == together


def test_p_values_are_those_of_the_model_on_the_same_seeds(config, tables):
    number, direction, plain, _ = next(p_values(config, tables, 0.6))
    drawn = config.audit.city.outcomes.model_copy(update={"rate": 0.6, "seed": config.first_label_seed})
    city = config.audit.city.model_copy(update={"outcomes": drawn})
    labels = calibration.outcomes.draw(city, np.arange(city.people), np.empty(0, dtype=np.int64))
    model = bernoulli.Bernoulli(labels.astype(np.uint8))
    worlds = model.worlds(config.first_null_seed, range(199))
    null, observed = model.counter(worlds, 199), model.counter(pack_labels(labels), 1)
    for zoning in tables:
        null.walk(zoning, 1)
        observed.walk(zoning, 1)
    reaching = (null.maxima() >= observed.maxima()[0] - 1e-9).sum()
    assert (number, direction, plain) == (0, "both", (1 + reaching) / 200)


def test_the_randomised_p_value_is_never_above_the_plain_one(config, tables):
    assert all(randomised <= plain for *_, plain, randomised in p_values(config, tables, 0.1))


def test_everybody_is_in_the_test(config, tables):
    assert [len(zoning.objects) for zoning in tables] == [120] * 4


@pytest.mark.parametrize(
    ("plain", "randomised", "right"),
    [(0.03, 0.05, True), (0.03, 0.006, False), (0.07, 0.05, False), (0.03, 0.07, False)],
)
def test_a_row_is_right_when_the_randomised_share_is_inside_and_the_plain_one_not_above(
    plain, randomised, right
):
    assert Row(0.6, "both", 0.05, 1000, plain, randomised, 0.034, 0.068).right is right


def test_the_table_is_markdown():
    assert markdown([Row(0.6, "both", 0.05, 1000, 0.03, 0.05, 0.034, 0.068)]).splitlines()[-1] == (
        "| 0.6 | both | 0.05 | 1,000 | 0.030 | 0.050 | 0.034 - 0.068 | right |"
    )


@pytest.mark.slow
def test_the_test_is_calibrated():
    """At least 1,000 fair label sets, each with its own null."""
    config = settings()
    assert config.label_sets >= 1000
    rows = table(config)
    assert len(rows) == 12
    assert all(row.right for row in rows), markdown(rows)
