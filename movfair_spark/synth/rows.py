"""The city's rows as Arrow batches: the work of one Spark task, cut into pieces that fit a worker's memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from movfair_spark.config.city import CityConfig
from movfair_spark.synth.city import build
from movfair_spark.synth.fixes import NO_POSITION, NO_TIME, NO_UID, fixes

BATCH_ROWS = 200_000
_LONGEST_DAY_S = 90_000  # the day on which clocks go back
_BY_TIME_ROWS = 2_000_000  # larger pieces, since everybody's day is planned again for each

POINTS = pa.schema(
    [("uid", pa.int64()), ("ts", pa.timestamp("us", tz="UTC")), ("lon", pa.float64()), ("lat", pa.float64())]
)


@dataclass(frozen=True)
class Piece:
    """Some people, some days, and a part of each day in seconds after local midnight."""

    people: range
    days: range
    seconds: tuple[int, int]


@dataclass(frozen=True)
class Cut:
    """How a city is cut: people, days and seconds per piece. It never depends on the number of Spark partitions.

    ``row_order: person`` gives blocks of people, each with all their days; ``time`` gives slices of time with
    everybody in them, as a simulator logs them. Pieces are numbered in the order in which rows are written.
    """

    config: CityConfig
    people: int
    days: int
    seconds: int

    @classmethod
    def of(cls, config: CityConfig) -> Cut:
        """Choose the size of the pieces of a city."""
        if config.row_order == "time":
            step = max(1, _BY_TIME_ROWS // config.people) * config.interval_seconds
            return cls(config, config.people, 1, min(step, _LONGEST_DAY_S))
        per_day = 86_400 // config.interval_seconds + 1
        days = max(1, min(config.days, BATCH_ROWS // per_day))
        return cls(config, max(1, BATCH_ROWS // (per_day * days)), days, _LONGEST_DAY_S)

    @property
    def rows(self) -> int:
        """Number of good rows of a city without gaps, to within a clock change."""
        return self.config.people * self.config.days * (86_400 // self.config.interval_seconds)

    def __len__(self) -> int:
        """Return the number of pieces."""
        blocks = math.ceil(self.config.people / self.people) * math.ceil(self.config.days / self.days)
        return blocks * math.ceil(_LONGEST_DAY_S / self.seconds)

    def __getitem__(self, number: int) -> Piece:
        """Return a piece by its number."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        number, slice_of_day = divmod(number, math.ceil(_LONGEST_DAY_S / self.seconds))
        block, days = divmod(number, math.ceil(self.config.days / self.days))
        return Piece(
            range(block * self.people, min((block + 1) * self.people, self.config.people)),
            range(days * self.days, min((days + 1) * self.days, self.config.days)),
            (slice_of_day * self.seconds, (slice_of_day + 1) * self.seconds),
        )


def batches(config: CityConfig, piece: Piece) -> Iterator[pa.RecordBatch]:
    """Rows of a piece.

    Parameters
    ----------
    config : CityConfig
    piece : Piece

    Yields
    ------
    RecordBatch
        Of schema ``POINTS``, at most ``BATCH_ROWS`` rows; bad rows have their nulls.
    """
    uid, ts, lon, lat, kind = fixes(build(config), piece.people, piece.days, piece.seconds)
    if config.row_order == "time":
        order = np.argsort(ts, kind="stable")
        uid, ts, lon, lat, kind = uid[order], ts[order], lon[order], lat[order], kind[order]
    no_position = kind == NO_POSITION
    table = pa.RecordBatch.from_arrays(
        [
            pa.array(uid, mask=kind == NO_UID),
            pa.array(ts, mask=kind == NO_TIME).cast(POINTS.field("ts").type),
            pa.array(lon, mask=no_position),
            pa.array(lat, mask=no_position),
        ],
        schema=POINTS,
    )
    for start in range(0, table.num_rows, BATCH_ROWS):
        yield table.slice(start, BATCH_ROWS)
