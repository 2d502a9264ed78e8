"""The Sedona engine against the kernel: two implementations of one rule."""

from __future__ import annotations

import pandas as pd
import pytest

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import LimitError
from tests.kernels.peer import micros
from tests.kernels.tracks import DEGREES_PER_METRE, LAT, LON, MINUTE, track
from tests.stages.points_frame import PLANAR, frame, many_rows, run


def both(points, config=None, **options):
    """Stops of both engines, checked equal but for 1e-9 of the places; the counts that both know, equal."""
    kernel, counts = run(points, config, **options)
    sedona, sedona_counts = run(points, {**(config or {}), "engine": "sedona"}, **options)
    counts.pop("largest_window", None)
    assert [stop[:4] + stop[6:] for stop in sedona] == [stop[:4] + stop[6:] for stop in kernel]
    for ours, theirs in zip(kernel, sedona, strict=True):
        assert theirs[4:6] == pytest.approx(ours[4:6], abs=1e-9, rel=0)
    zero = {name: 0 for name in ("read", "kept", "duplicate", "merged", "conflicting_position")}
    assert {**zero, **sedona_counts} == {**zero, **counts}
    return kernel


def spherical(rows):
    return [
        (p, t, LON + 1.013 * x * DEGREES_PER_METRE, LAT + 1.009 * y * DEGREES_PER_METRE)
        for p, t, x, y in rows
    ]


@pytest.mark.parametrize(
    ("config", "partitions"),
    [
        ({}, 1),
        ({"max_gap_minutes": 60, "leave": "first_outside", "min_points": 2}, 4),
        ({"radius_m": 130, "min_minutes": 4.5}, 2),
    ],
)
def test_equal_on_many_people(spark, config, partitions):
    rows = [*spherical(many_rows()), "null_id", "nan_coordinate"]
    assert len(both(frame(spark, rows), config, partitions=partitions)) > 20


def test_equal_on_a_plane(spark):
    assert both(frame(spark, many_rows()), crs=PLANAR)


def test_equal_over_the_antimeridian_with_text_ids(spark):
    rows = [
        ("007", t * MINUTE, lon, 0.0)
        for t, lon in ((0, 179.9999), (5, -179.9999), (6, 179.9999), (12, -179.9999))
    ]
    rows.append(("007", 13 * MINUTE, 179.9999, 0.0))
    rows.append(("007", 13 * MINUTE, -179.9999, 0.0))  # merged at the antimeridian
    rows += [("7", *row[1:]) for row in track((0, 0), (10, 0))]
    found = both(frame(spark, rows, "string"))
    assert [stop[0] for stop in found] == ["007", "7"]
    assert found[0][4] == pytest.approx(-180.0, abs=1e-9)


def test_equal_on_a_system_that_is_measured_in_degrees(spark):
    rows = [(p, t, -7_910_000.0 + x, 5_210_000.0 + y) for p, t, x, y in many_rows() if p < 8]
    assert both(
        frame(spark, rows), {"radius_m": 53}, crs=CoordinateSystem.parse("EPSG:3857"), same_time_radius_m=49
    )


def test_equal_on_nothing(spark):
    assert both(frame(spark, ["bad_time"]).where("reason = 0")) == []


def test_equal_on_geolife(spark, shared_data):
    table = pd.read_csv(
        shared_data / "geolife_sample" / "geolife_sample.txt.gz", dtype={"uid": str}, nrows=12_000
    )
    rows = list(
        zip(table["uid"], micros(table["datetime"]).tolist(), table["lng"], table["lat"], strict=True)
    )
    assert len(both(frame(spark, rows, "string"), {"max_gap_minutes": 60})) == 7


def test_a_person_over_the_limit_is_refused(spark):
    points = frame(spark, track((0, 0), (5, 0), (10, 0)) + track((0, 0), person=2))
    assert len(run(points, {"engine": "sedona", "sedona_max_fixes": 3})[0]) == 1
    with pytest.raises(LimitError, match="3 fixes.*sedona_max_fixes = 2.*kernel"):
        run(points, {"engine": "sedona", "sedona_max_fixes": 2})


def test_no_python_worker_takes_part(spark):
    from movfair_spark.config.stops import StopsConfig
    from movfair_spark.stages.stops import detect_stops
    from tests.stages.test_stops import WGS84

    detected = detect_stops(frame(spark, []), StopsConfig(engine="sedona"), WGS84, partitions=2)
    plan = detected._jdf.queryExecution().toString()
    assert "st_distancesphere" in plan.lower()
    assert "InArrow" not in plan and "InPandas" not in plan
