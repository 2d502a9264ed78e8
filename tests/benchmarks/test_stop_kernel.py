"""The benchmark of the stop kernel in its small form."""

from __future__ import annotations

import numpy as np

from benchmarks.stop_kernel import default_rule, equal_share, ours, people, run, skmob_rule


def test_fixes_come_in_the_order_that_is_stated():
    uid, ts, lon, lat = people(2)
    assert len(uid) == len(ts) == len(lon) == len(lat) > 10_000
    assert np.array_equal(np.lexsort((ts, uid)), np.arange(len(uid)))


def test_stops_do_not_depend_on_the_order_of_the_rows():
    columns = people(2)
    order = np.argsort(columns[1], kind="stable")
    for rule, stable in ((skmob_rule, True), (default_rule, False)):
        first = ours(columns, rule(), stable=stable)
        again = ours(tuple(column[order] for column in columns), rule(), stable=stable)
        assert first.n > 20
        for one, other in zip(first, again, strict=True):
            np.testing.assert_array_equal(one, other)


def test_one_stay_that_differs_is_seen():
    stops = ours(people(1), skmob_rule(), stable=True)
    names = {"uid": "person", "datetime": "arrive", "leaving_datetime": "leave", "lng": "x", "lat": "y"}
    stays = {name: getattr(stops, field).copy() for name, field in names.items()}
    assert equal_share(stops, stays) == 1.0
    stays["lat"][0] += 1e-12
    assert equal_share(stops, stays) == 1.0 - 1.0 / stops.n
    assert equal_share(stops, {name: values[1:] for name, values in stays.items()}) == 0.0


def test_small_form_finds_the_stays_of_both_peers():
    equal = [result.ratio for result in run(small=True) if "equal" in result.name]
    assert equal == [1.0, 1.0, 1.0]
