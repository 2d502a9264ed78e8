"""Local calendar days: midnight, daylight saving, clocks set back at midnight."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.days import local_days, touched_days


def micros(text: str) -> int:
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def days_of(arrive: str, leave: str, zone: str) -> list[str]:
    first, last = touched_days(np.array([micros(arrive)]), np.array([micros(leave)]), zone)
    return [str(date(1970, 1, 1) + timedelta(days=int(day))) for day in range(first[0], last[0] + 1)]


def test_local_midnight_splits_a_stay_utc_does_not():
    """scikit-mobility #275, #15: 23:30-00:30 local is two local days and one UTC day."""
    assert days_of("2024-06-10T21:30:00", "2024-06-10T22:30:00", "Europe/Rome") == [
        "2024-06-10",
        "2024-06-11",
    ]
    assert days_of("2024-06-10T21:30:00", "2024-06-10T22:30:00", "UTC") == ["2024-06-10"]


def test_spark_22395_same_instant_another_day():
    """SPARK-22395: epoch 1700006400 is 15 November in UTC and 14 November in New York."""
    moment = np.array([1700006400 * 1_000_000])
    assert local_days(moment, "UTC")[0] - local_days(moment, "America/New_York")[0] == 1


@pytest.mark.parametrize(
    ("arrive", "leave", "expected"),
    [
        ("2024-01-01T23:00:00", "2024-01-02T00:00:00", ["2024-01-01"]),  # leaves at midnight
        ("2024-01-01T23:00:00", "2024-01-02T00:00:00.000001", ["2024-01-01", "2024-01-02"]),
        ("2024-01-02T00:00:00", "2024-01-02T00:00:00", ["2024-01-02"]),  # a check-in
        (
            "2024-01-01T12:00:00",
            "2024-01-04T12:00:00",
            ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"],
        ),
        ("1969-12-31T23:59:59", "1970-01-01T00:00:01", ["1969-12-31", "1970-01-01"]),
    ],
)
def test_half_open_stays(arrive, leave, expected):
    assert days_of(arrive, leave, "UTC") == expected


def test_the_day_clocks_go_back_is_one_day():
    assert days_of("2024-10-27T00:30:00", "2024-10-27T01:30:00", "Europe/Rome") == ["2024-10-27"]
    assert days_of("2024-10-26T22:00:00", "2024-10-27T23:00:00", "Europe/Rome") == ["2024-10-27"]  # 25 hours


def test_dates_that_run_backwards_count_both():
    """St John's, 2010-11-07: clocks went from 00:01 back to 23:01 of the day before."""
    assert days_of("2010-11-07T02:30:30", "2010-11-07T02:31:30", "America/St_Johns") == [
        "2010-11-06",
        "2010-11-07",
    ]


zones = st.sampled_from(
    ["UTC", "Europe/Rome", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe"]
)


@settings(max_examples=60)
@given(st.lists(st.integers(-(10**15), 4 * 10**15), min_size=1, max_size=20), zones)
def test_equal_to_the_standard_library(values, zone):
    expected = [
        (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=v)).astimezone(ZoneInfo(zone)).date()
        for v in values
    ]
    days = local_days(np.array(values), zone)
    assert [date(1970, 1, 1) + timedelta(days=int(d)) for d in days] == expected
