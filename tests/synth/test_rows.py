from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest

from movfair_spark.config.city import CityConfig
from movfair_spark.synth.city import build
from movfair_spark.synth.fixes import NO_POSITION, NO_TIME, NO_UID, fixes
from movfair_spark.synth.rows import BATCH_ROWS, POINTS, Cut, batches


def table(config: CityConfig) -> pa.Table:
    cut = Cut.of(config)
    return pa.Table.from_batches([b for n in range(len(cut)) for b in batches(config, cut[n])], schema=POINTS)


@pytest.mark.parametrize("order", ["person", "time"])
@pytest.mark.parametrize(
    ("people", "days", "interval"), [(7, 3, 600), (300, 10, 60), (2, 400, 60), (40_000, 1, 3600)]
)
def test_the_pieces_cover_every_person_day_and_second_once(order, people, days, interval):
    cut = Cut.of(CityConfig(people=people, days=days, interval_seconds=interval, row_order=order))
    every = list(cut)
    assert sum(len(p.people) * len(p.days) * (min(p.seconds[1], 90_000) - p.seconds[0]) for p in every) == (
        people * days * 90_000
    )
    corners = [(p.people.start, p.days.start, p.seconds[0]) for p in every]
    assert len(set(corners)) == len(every)
    assert all(p.seconds[0] % interval == 0 for p in every)


def test_the_pieces_of_a_very_large_city_are_not_listed():
    cut = Cut.of(CityConfig(people=100_000_000, days=3650, interval_seconds=60))
    assert cut[len(cut) - 1].people.stop == 100_000_000
    with pytest.raises(IndexError):
        cut[len(cut)]


def test_the_paper_has_720_million_rows():
    """Paper, Table 2: 720,199,539 samples of 100,000 people, 10 days, every 2 minutes."""
    assert Cut.of(CityConfig(people=100_000, days=10, interval_seconds=120)).rows == 720_000_000


def test_both_orders_hold_the_same_rows():
    by_person = CityConfig(people=30, days=2, interval_seconds=600, gps={"bad_row_share": 0.05})
    by_time = by_person.model_copy(update={"row_order": "time"})
    key = [("uid", "ascending"), ("ts", "ascending"), ("lon", "ascending"), ("lat", "ascending")]
    assert (
        table(by_person).sort_by(key).to_pydict().__repr__()
        == table(by_time).sort_by(key).to_pydict().__repr__()
    )


def test_time_order_is_the_order_of_time():
    config = CityConfig(people=50, days=3, interval_seconds=300, row_order="time")
    ts = table(config)["ts"].cast(pa.int64()).to_numpy()
    assert (np.diff(ts) >= 0).all()


def test_bad_rows_without_a_value_are_null():
    config = CityConfig(people=10, days=2, gps={"bad_row_share": 0.1})
    kind = fixes(build(config), range(10), range(2))[4]
    rows = table(config)
    assert rows["uid"].null_count == (kind == NO_UID).sum() > 0
    assert rows["ts"].null_count == (kind == NO_TIME).sum() > 0
    assert rows["lon"].null_count == rows["lat"].null_count == (kind == NO_POSITION).sum() > 0


def test_batches_are_small():
    config = CityConfig(people=200, days=2, interval_seconds=60, row_order="time")
    sizes = [
        batch.num_rows for piece in itertools.islice(Cut.of(config), 5) for batch in batches(config, piece)
    ]
    assert max(sizes) <= BATCH_ROWS
