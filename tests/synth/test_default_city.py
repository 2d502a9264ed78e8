"""The city of ``make audit``: its numbers hold what the README says about it."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.calibration import memberships
from movfair_spark.config import resources
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build, parse
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.models.bernoulli import Bernoulli
from movfair_spark.models.significance import p_value
from movfair_spark.synth import outcomes
from movfair_spark.synth.city import build as build_city
from movfair_spark.synth.fixes import GOOD, fixes
from movfair_spark.synth.pattern import plant


@pytest.fixture(scope="module")
def config() -> AuditConfig:
    return build(AuditConfig, parse(resources.read("city.yaml"), "city.yaml"))


@pytest.fixture(scope="module")
def zonings(config) -> list[Memberships]:
    return memberships(config)


def observed_and_null(config: AuditConfig, zonings: list[Memberships]) -> tuple[float, np.ndarray]:
    planted = plant(config.city)[0].people
    labels = outcomes.draw(config.city, np.arange(config.city.people), planted).astype(np.uint8)
    model = Bernoulli(labels)
    counter = model.counter(model.worlds(config.scan.seed, range(199), observed=True), 200)
    for zoning in zonings:
        counter.walk(zoning, config.scan.min_support)
    values = counter.maxima()
    return float(values[-1]), values[:-1]


def test_the_planted_pattern_is_clearly_detectable(config, zonings):
    observed, null = observed_and_null(config, zonings)
    assert p_value(observed, null) == 1 / 200
    assert observed > 1.5 * null.max()


def test_a_fair_city_is_not_called_unfair(config, zonings):
    fair = config.city.outcomes.model_copy(update={"fair": True})
    city = config.city.model_copy(update={"outcomes": fair})
    observed, null = observed_and_null(config.model_copy(update={"city": city}), zonings)
    assert p_value(observed, null) > 0.01


def test_no_cell_holds_more_than_half_of_the_people(zonings):
    """Guideline of the paper's section 4.2."""
    assert max(zoning.supports.max() / zoning.n_objects for zoning in zonings) < 0.5


def test_some_rows_are_bad_in_every_way(config):
    kind = fixes(build_city(config.city), range(config.city.people), range(config.city.days))[4]
    counts = np.bincount(kind, minlength=8)
    assert 3_800_000 < counts[GOOD] < 4_100_000
    assert counts[1:].min() > 100
