"""Outcomes as arrays: which model they need, and what names their null."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.errors import ConfigurationError
from movfair_spark.models.bernoulli import Bernoulli
from movfair_spark.models.multinomial import Multinomial
from movfair_spark.models.normal import Normal
from movfair_spark.models.outcomes import Outcomes, largest_single, model_of
from movfair_spark.models.parts import Parts

BINARY = np.array([1, 0, 0, 1, 0], dtype=np.uint8)
STRATA = np.array([0, 0, 1, 1, 1])


@pytest.mark.parametrize(
    ("name", "outcomes", "kind"),
    [
        ("bernoulli", Outcomes(BINARY), Bernoulli),
        ("bernoulli", Outcomes(BINARY, strata=STRATA), Parts),
        ("bernoulli", Outcomes(BINARY, part=STRATA), Parts),
        ("multinomial", Outcomes(STRATA, ("a", "b")), Multinomial),
        ("multinomial", Outcomes(STRATA, ("a", "b"), part=STRATA), Parts),
        ("normal", Outcomes(np.arange(5.0)), Normal),
        ("normal", Outcomes(np.arange(5.0), strata=STRATA), Normal),
    ],
)
def test_the_model_that_outcomes_need(name, outcomes, kind):
    model = model_of(name, outcomes)
    assert type(model) is kind
    assert (model.name, model.n_objects) == (name, 5)


def test_an_unknown_model_is_refused():
    with pytest.raises(ConfigurationError, match="'poisson'"):
        model_of("poisson", Outcomes(BINARY))


def test_labels_with_the_same_counts_per_stratum_share_their_null():
    other = np.array([0, 1, 1, 0, 0], dtype=np.uint8)
    assert Outcomes(BINARY).null_digest == Outcomes(other).null_digest
    assert Outcomes(BINARY, strata=STRATA).null_digest == Outcomes(other, strata=STRATA).null_digest
    assert Outcomes(BINARY).digest != Outcomes(other).digest
    moved = np.array([1, 1, 0, 0, 0], dtype=np.uint8)
    assert Outcomes(BINARY, strata=STRATA).null_digest != Outcomes(moved, strata=STRATA).null_digest


def test_shared_nulls_have_the_same_maxima():
    values, strata = np.array([3.0, 1.5, 7.25, 0.5, 2.0, 9.0]), np.array([0, 0, 0, 1, 1, 1])
    other = values[[2, 0, 1, 5, 3, 4]]
    models = [model_of("normal", Outcomes(each, strata=strata)) for each in (values, other)]
    assert models[0]._moments.squares == models[1]._moments.squares
    worlds = [each[model.worlds(3, range(9))] for each, model in zip((values, other), models, strict=True)]
    assert np.array_equal(*worlds)


def test_weights_travel_with_their_values_into_the_name_of_the_null():
    values, weights = np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 2.0])
    assert (
        Outcomes(values, weights=weights).null_digest != Outcomes(values, weights=weights[::-1]).null_digest
    )
    both = Outcomes(values[::-1], weights=weights[::-1])
    assert both.null_digest == Outcomes(values, weights=weights).null_digest


def test_only_real_outcomes_have_a_largest_one():
    assert largest_single(model_of("bernoulli", Outcomes(BINARY))) is None
    plain = largest_single(model_of("normal", Outcomes(np.array([0.0, 1.0, 2.0, 900.0]))))
    scored = largest_single(
        model_of("normal", Outcomes(np.array([0.0, 1.0, 2.0, 900.0])), transform="normal_scores")
    )
    assert plain > 10 * scored > 0
