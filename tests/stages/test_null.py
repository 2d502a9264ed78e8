"""Monte Carlo: rounds of lowering, ceilings, seeds, records and extension; one prepared scan for most tests."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from movfair_spark.config.scan import ScanConfig
from movfair_spark.errors import EmptyTableError, LimitError
from movfair_spark.models.bernoulli import support_bound
from movfair_spark.stages.null import simulate
from movfair_spark.stages.null_table import describe_nulls
from movfair_spark.stages.population import population
from movfair_spark.stages.prepare import largest_support, prepared
from tests.stages.frames import cellsets_frame, labels_frame
from tests.stages.populations import draw

CONFIG = ScanConfig(n_simulations=59, alpha=0.1, seed=3)


@pytest.fixture(scope="module")
def ready(spark):
    cellsets, labels = draw(11, n=60, zonings=3, cells=5, top=4)
    frame = cellsets_frame(spark, cellsets)
    with prepared(frame, population(frame, labels_frame(spark, labels), CONFIG), CONFIG) as scan:
        yield scan


@pytest.fixture(scope="module")
def whole(ready):
    """The null without the support bound: every candidate counted in every world."""
    return simulate(ready, CONFIG.model_copy(update={"support_bound": False}))[None]


def test_support_bound_changes_no_bit(ready, whole):
    bounded = simulate(ready, CONFIG)[None]
    assert bounded.support > 1 == whole.support
    assert bounded.maxima.tobytes() == whole.maxima.tobytes()
    assert bounded.best == whole.best
    assert bounded.bound == support_bound(bounded.support, ready.population.size, ready.population.positives)
    assert min(bounded.maxima.min(), bounded.best) > bounded.bound
    assert bounded.memberships < whole.memberships == sum(size.memberships for size in ready.sizes)
    assert not bounded.censored.any()


def test_supports_are_lowered_until_the_bound_is_certified(ready, whole, monkeypatch):
    monkeypatch.setattr("movfair_spark.stages.null.starting_support", lambda bound, n, low: 12)
    seen = []
    null = simulate(ready, CONFIG, progress=lambda *told: seen.append(told))[None]
    assert null.support < 12
    assert len(seen) == 2
    assert null.maxima.tobytes() == whole.maxima.tobytes()


def test_nulls_per_zoning_have_their_own_certificates(ready):
    config = CONFIG.model_copy(update={"null": "per_zoning"})
    bounded = simulate(ready, config)
    whole = simulate(ready, config.model_copy(update={"support_bound": False}))
    assert list(bounded) == [0, 1, 2]
    for zoning_id, null in bounded.items():
        assert null.maxima.tobytes() == whole[zoning_id].maxima.tobytes()
        assert list(null.observed) == [zoning_id]


def test_report_2_worlds_depend_on_the_seed_and_on_nothing_else(ready, whole):
    """CellphoneDB #231, squidpy #1233, DABEST #234: workers that draw the same, or a seed that is not heeded."""
    other = simulate(ready, CONFIG.model_copy(update={"seed": 4}))[None]
    assert other.maxima.tobytes() != whole.maxima.tobytes()
    assert len(np.unique(whole.maxima)) > 20


def test_distribution_and_tasks_change_no_bit(ready, whole):
    """CellphoneDB #231, RNAlysis #218: the result depends on the number of workers."""
    config = CONFIG.model_copy(update={"n_simulations": 1_030})
    plans = [
        replace(ready.plan, distribution="worlds", worlds_per_pass=2_048, classes=1, parts=1),
        replace(ready.plan, distribution="blocks", worlds_per_pass=1_024, classes=4, parts=12),
    ]
    first, second = (simulate(replace(ready, plan=plan), config)[None] for plan in plans)
    assert first.maxima.tobytes() == second.maxima.tobytes()
    assert first.maxima[:59].tobytes() == whole.maxima.tobytes()
    assert (first.best, first.candidates, first.memberships) == (
        second.best,
        second.candidates,
        second.memberships,
    )


def test_a_ceiling_stops_the_lowering_and_says_so(ready, whole):
    null = simulate(ready, CONFIG.model_copy(update={"max_memberships": 150}))[None]
    assert null.memberships <= 150
    assert null.support > simulate(ready, CONFIG)[None].support
    assert null.censored.any()
    exact = ~null.censored
    assert np.array_equal(null.maxima[exact], whole.maxima[exact])
    assert np.all(whole.maxima[null.censored] <= null.bound + 1e-9)
    figures = describe_nulls({None: null}, 0.1)[0]
    json.dumps(figures, allow_nan=False)
    assert figures["censored"] == int(null.censored.sum())
    if not figures["exact"]:
        assert figures["p_value"] == (1 + int(exact.sum())) / 60


def test_a_ceiling_below_the_most_frequent_candidates_is_refused(ready):
    with pytest.raises(LimitError, match="max_memberships = 3"):
        simulate(ready, CONFIG.model_copy(update={"max_memberships": 3}))


def test_a_longer_null_extends_a_shorter_one(ready, whole):
    short = simulate(ready, CONFIG.model_copy(update={"n_simulations": 19}))
    seen = []
    long = simulate(ready, CONFIG, known=short, record=lambda name, run: seen.append(name) or run())[None]
    assert seen[0].startswith("worlds-19-59-observed")
    assert long.maxima.tobytes() == whole.maxima.tobytes()
    assert long.best == whole.best


def test_a_known_null_needs_the_observed_outcomes_only(ready, whole):
    known = simulate(ready, CONFIG)
    seen = []
    again = simulate(ready, CONFIG, known=known, record=lambda name, run: seen.append(name) or run())[None]
    assert len(seen) == 1 and seen[0].startswith("worlds-59-59-observed")
    assert (again.maxima.tobytes(), again.best) == (whole.maxima.tobytes(), whole.best)
    assert again.memberships == known[None].memberships


def test_recorded_passes_are_not_run_again(ready):
    book = {}

    def record(name, run):
        if name not in book:
            book[name] = run()
        return book[name]

    first = simulate(ready, CONFIG, record=record)[None]
    size = len(book)
    assert simulate(ready, CONFIG, record=record)[None].maxima.tobytes() == first.maxima.tobytes()
    assert len(book) == size > 0


def test_progress_tells_an_early_estimate(ready):
    seen = []
    simulate(ready, CONFIG, progress=lambda *told: seen.append(told))
    assert seen[0][:3] == ("simulate", 59, 59)
    assert seen[0][3].startswith("p about")


@pytest.mark.slow
def test_99_999_simulations_tell_how_far_they_are(ready, whole):
    seen = []
    null = simulate(
        ready, CONFIG.model_copy(update={"n_simulations": 99_999}), progress=lambda *told: seen.append(told)
    )[None]
    assert len(null.maxima) == 99_999 and not null.censored.any()
    assert null.maxima[:59].tobytes() == whole.maxima.tobytes()
    first = [told for told in seen if told[1] < 99_999]
    assert len(first) >= 40 and all(told[2] == 99_999 and told[3].startswith("p about") for told in first)


def test_shares_are_decimals():
    """mlxtend #1191, arules #72: 0.29 of 100 admits 29 and 0.07 of 100 is 7, whatever the floats say."""
    assert largest_support(100, 0.29) == 29
    assert largest_support(100, 0.07) == 7
    assert largest_support(100, 1.0) == 100


def test_candidates_over_the_largest_share_are_left_out(spark):
    """mlxtend #1191: at most 29 % of 100 people admits 29 and not 30."""
    cellsets = {0: {i: [0] if i < 29 else [1] if i < 59 else [2] if i < 70 else [10 + i] for i in range(100)}}
    labels = labels_frame(spark, {i: i % 2 for i in range(100)})
    frame = cellsets_frame(spark, cellsets)
    config = CONFIG.model_copy(update={"max_support_share": 0.29, "support_bound": False})
    with prepared(frame, population(frame, labels, config), config) as scan:
        null = simulate(scan, config)[None]
    assert (null.candidates, null.memberships) == (32, 29 + 11 + 30)


def test_no_candidate_is_an_error_that_says_why(spark):
    frame = cellsets_frame(spark, {0: {1: [1], 2: [1], 3: [2]}})
    labels = labels_frame(spark, {1: 1, 2: 0, 3: 1})
    config = CONFIG.model_copy(update={"min_support": 3})
    tested = population(frame, labels, config)
    with (
        pytest.raises(EmptyTableError, match=r"min_support = 3 of the 3 objects.*most frequent cell has 2"),
        prepared(frame, tested, config),
    ):
        pass


def test_bound_of_a_whole_null_is_minus_infinity(whole):
    assert whole.bound == -math.inf
