from __future__ import annotations

import numpy as np

from movfair_spark.synth.draws import bell, key, stream, unit, word, wrapping


def test_words_are_those_of_the_published_splitmix64():
    # First outputs for the state 1234567 (Vigna's splitmix64.c; golden values of several language ports).
    with wrapping():
        words = [int(word(np.uint64(1234567), counter)) for counter in range(3)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_draws_are_spread_evenly_over_the_unit_interval():
    with wrapping():
        of = stream(5, 1)
        draws = np.array([unit(of, counter) for counter in range(5000)])
    counts, _ = np.histogram(draws, bins=10, range=(0, 1))
    assert ((draws >= 0) & (draws < 1)).all()
    assert np.abs(counts - 500).max() < 5 * (500 * 0.9) ** 0.5


def test_bell_has_mean_0_and_variance_1_and_is_bounded():
    with wrapping():
        of = stream(6, 1)
        draws = np.array([bell(np.uint64(word(of, counter))) for counter in range(5000)])
    assert abs(draws.mean()) < 5 / 5000**0.5
    assert abs(draws.var() - 1) < 0.1
    assert np.abs(draws).max() < 3.47


def test_children_of_a_key_differ():
    with wrapping():
        children = {int(key(stream(7), number)) for number in range(1000)}
    assert len(children) == 1000


def test_a_stream_is_named_by_all_its_numbers():
    assert len({int(stream(*numbers)) for numbers in [(1,), (2,), (1, 0), (1, 1), (1, 0, 0), (0, 1)]}) == 6
