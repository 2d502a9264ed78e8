"""Points for tests of stop detection, and the stops that the stage finds in them."""

from __future__ import annotations

import random

from movfair_spark.config.stops import StopsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.stages.stops import detect_stops
from movfair_spark.tables.rejects import CODES
from movfair_spark.tables.stops import COUNT, LARGEST_WINDOW, STOP
from tests.kernels.tracks import MINUTE

WGS84 = CoordinateSystem.parse("EPSG:4326")
PLANAR = CoordinateSystem.parse("planar")


def frame(spark, rows, uid_type="bigint"):
    """Points from (uid, ts, x, y) or, when set aside, the name of a reason."""
    full = [(*row, 0) if isinstance(row, tuple) else (None, None, None, None, CODES[row]) for row in rows]
    return spark.createDataFrame(full, f"uid {uid_type}, ts bigint, x double, y double, reason tinyint")


def run(points, config=None, crs=WGS84, partitions=3, **options):
    """Stops as tuples (times in microseconds), and counts."""
    rows = detect_stops(
        points, StopsConfig(**(config or {})), crs, partitions=partitions, **options
    ).collect()
    stops = sorted(
        (r.uid, r.stop_id, r.arrive, r.leave, r.x, r.y, r.n_points) for r in rows if r.kind == STOP
    )
    counts: dict[str, int] = {}
    for row in (r for r in rows if r.kind == COUNT):
        known = counts.get(row.reason, 0)
        counts[row.reason] = max(known, row.rows) if row.reason == LARGEST_WINDOW else known + row.rows
    return stops, counts


def many_rows():
    """Rows of 40 people with dwells, ties, duplicates and conflicts, shuffled."""
    draw = random.Random(11)
    rows = []
    for person in range(40):
        ts, x, y = draw.randrange(10) * MINUTE, 0.0, 0.0
        for _ in range(draw.randrange(120)):
            ts += draw.choice([0, 1, 2, 2, 2, 90]) * MINUTE
            jump = draw.choice([0, 0, 1, 1, 9])
            x, y = x + 20.0 * draw.randint(-jump, jump), y + 20.0 * draw.randint(-jump, jump)
            rows += [(person, ts, x, y)] * draw.choice([1, 1, 1, 2])
    draw.shuffle(rows)
    return rows
