"""Local calendar days of instants, right across daylight saving and in any session time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

DAY = 86_400_000_000
"""Microseconds of a day."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def local_days(micros: NDArray[np.int64], time_zone: str) -> NDArray[np.int64]:
    """Count local calendar days from 1970-01-01 (day 0) to each instant.

    Parameters
    ----------
    micros : int64 array
        Microseconds since the epoch, UTC.
    time_zone : str
        IANA name, for example ``Europe/Rome``.
    """
    days, inverse = np.unique(micros // DAY, return_inverse=True)
    zone = ZoneInfo(time_zone)
    first = np.array([_offset(int(day) * DAY, zone) for day in days], dtype=np.int64)
    last = np.array([_offset(int(day + 1) * DAY - 1, zone) for day in days], dtype=np.int64)
    offsets = first[inverse]
    changing = (first != last)[inverse]
    if changing.any():
        seconds, which = np.unique(micros[changing] // 1_000_000, return_inverse=True)
        offsets[changing] = np.array(
            [_offset(int(second) * 1_000_000, zone) for second in seconds], dtype=np.int64
        )[which]
    return (micros + offsets) // DAY


def touched_days(
    arrive: NDArray[np.int64], leave: NDArray[np.int64], time_zone: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last local calendar day that each stay touches, both included.

    A stay is [arrive, leave): one that ends at midnight does not touch the next day. With arrive = leave it
    touches the day of arrive. Design section 2, Cellsets.
    """
    first = local_days(arrive, time_zone)
    last = local_days(np.maximum(arrive, leave - 1), time_zone)
    # Clocks set back just after midnight make the local date run backwards.
    return np.minimum(first, last), np.maximum(first, last)


def _offset(micros: int, zone: ZoneInfo) -> int:
    offset = (_EPOCH + timedelta(microseconds=micros)).astimezone(zone).utcoffset()
    assert offset is not None
    return offset // timedelta(microseconds=1)
