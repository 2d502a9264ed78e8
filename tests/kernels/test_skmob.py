"""scikit-mobility 1.3.1: 43 small cases, five fuzz outputs and GeoLife, places and times equal bit for bit."""

from __future__ import annotations

import json

import numpy as np
import pytest

from movfair_spark.kernels.compress import skmob_compressor, skmob_space
from movfair_spark.kernels.fixes import Fixes, join_fixes
from movfair_spark.kernels.skmob import StayDetector, stay_locations
from movfair_spark.kernels.skmob_filter import filter_fixes
from movfair_spark.kernels.stream import find_stops, skmob_stream
from tests.conftest import SHARED_DATA
from tests.kernels import peer

_CASES = SHARED_DATA / "stay_cases" / "cases.json"
NAMES = (
    [item["name"] for item in json.loads(_CASES.read_text(encoding="utf-8"))]
    if _CASES.exists()
    else ["(data)"]
)
FUZZ = [(10, 0.05, 1e12), (10, 0.05, 60), (20, 0.2, 1e12), (5, 0.1, 15), (30, 0.05, 120)]
GEOLIFE = {
    "stay_10min_50m": ({"minutes_for_a_stop": 10, "spatial_radius_km": 0.05}, 560),
    "stay_20min_200m": ({}, 413),
    "stay_20min_200m_gap60": ({"no_data_for_minutes": 60}, 191),
    "stay_20min_200m_speed0.5": ({"min_speed_kmh": 0.5}, 381),
}


def compress(fixes: Fixes, radius_km: float, batch: int | None = None) -> Fixes:
    step = skmob_compressor(radius_km, skmob_space())
    size = batch or fixes.n
    parts = [step.push(fixes.view(start, start + size)) for start in range(0, fixes.n, size)]
    return join_fixes([*parts, step.finish()])


def kept(fixes: Fixes, **options) -> Fixes:
    keep = filter_fixes(fixes, **options)
    return Fixes(fixes.person[keep], fixes.first[keep], fixes.last[keep], fixes.x[keep], fixes.y[keep])


@pytest.fixture(scope="module")
def fuzz(shared_data):
    return peer.fixes(peer.table(shared_data / "stay_cases" / "fuzz_input.csv.gz"))


@pytest.fixture(scope="module")
def geolife(shared_data):
    return peer.fixes(
        peer.table(shared_data / "geolife_sample" / "geolife_sample.txt.gz", dtype={"uid": str})
    )


@pytest.mark.parametrize("name", NAMES)
def test_small_case(shared_data, name):
    case = peer.case(shared_data, name)
    fixes = peer.fixes(peer.pd.DataFrame(case["input"]))
    if case["function"] == "stay_locations":
        ours = peer.stop_columns(stay_locations(fixes, skmob_space(), **case["params"]))
    elif case["function"] == "compress":
        ours = peer.fix_columns(compress(fixes, case["params"]["spatial_radius_km"]))
    else:
        ours = peer.fix_columns(kept(fixes, **case["params"]))
    peer.assert_same(ours, peer.expected_columns(case["output"]))


@pytest.mark.parametrize("name", ["extra column from last in-window point", "compress tag from anchor"])
def test_other_columns_come_from_the_row_that_scikit_mobility_takes(shared_data, name):
    case = peer.case(shared_data, name)
    fixes = peer.fixes(peer.pd.DataFrame(case["input"]))
    if case["function"] == "stay_locations":
        rows = stay_locations(fixes, skmob_space(), **case["params"]).row
    else:
        rows = np.flatnonzero(
            np.isin(fixes.first, compress(fixes, case["params"]["spatial_radius_km"]).first)
        )
    tags = [case["input"][row]["tag"] for row in rows]
    assert tags == [row["tag"] for row in case["output"]]


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("batch", [None, 7])
def test_fuzz_stays(shared_data, fuzz, number, batch):
    minutes, radius_km, no_data = FUZZ[number]
    stays = find_stops(skmob_stream(radius_km, minutes, no_data, skmob_space()), fuzz, batch)
    expected = peer.expected_columns(peer.table(shared_data / "stay_cases" / f"fuzz_stay_{number}.csv"))
    peer.assert_same(peer.stop_columns(stays), expected)


@pytest.mark.parametrize(
    ("name", "radius_km", "n"), [("1m", 0.001, 11_698), ("20m", 0.02, 5_408), ("200m", 0.2, 2_815)]
)
@pytest.mark.parametrize("batch", [None, 11])
def test_fuzz_compress(shared_data, fuzz, name, radius_km, n, batch):
    ours = compress(fuzz, radius_km, batch)
    expected = peer.expected_columns(peer.table(shared_data / "stay_cases" / f"fuzz_compress_{name}.csv.gz"))
    peer.assert_same(peer.fix_columns(ours), expected)
    assert ours.n == n


def test_fuzz_filter(shared_data, fuzz):
    ours = kept(fuzz, max_speed_kmh=20)
    expected = peer.expected_columns(peer.table(shared_data / "stay_cases" / "fuzz_filter_20kmh.csv.gz"))
    peer.assert_same(peer.fix_columns(ours), expected)
    assert ours.n == 10_604


@pytest.mark.parametrize("name", GEOLIFE)
def test_geolife_stays(shared_data, geolife, name):
    options, n = GEOLIFE[name]
    stays = stay_locations(geolife, skmob_space(), **options)
    expected = peer.expected_columns(peer.table(shared_data / "geolife_sample" / f"{name}.csv"))
    peer.assert_same(peer.stop_columns(stays), expected)
    assert stays.n == n


def test_geolife_compress_200_m(shared_data, geolife):
    ours = compress(geolife, 0.2)
    expected = peer.expected_columns(peer.table(shared_data / "geolife_sample" / "compress_200m.csv.gz"))
    peer.assert_same(peer.fix_columns(ours), expected)
    assert ours.n == 6_283


def test_geolife_compress_1_m_then_stays(geolife):
    """Reference pipeline: 176,023 fixes are left, and one stay of 560 is lost with them."""
    assert compress(geolife, 0.001).n == 176_023
    assert find_stops(skmob_stream(0.05, 10, 1e12, skmob_space(), compress_km=0.001), geolife).n == 559


def test_geolife_filter(geolife):
    assert geolife.n - kept(geolife).n == 54


def test_geolife_compression_of_ours_loses_no_stay(geolife):
    from movfair_spark.kernels.geo import Space
    from movfair_spark.kernels.stops import Rule, microseconds
    from movfair_spark.kernels.stream import default_stream

    rule = Rule(50.0, microseconds(10))
    counts = [
        find_stops(default_stream(rule, Space(), same_time_radius=50.0, compress_radius=radius), geolife).n
        for radius in (None, 0.0, 1.0)
    ]
    assert counts == [291, 291, 291]


def test_speed_trimming_needs_all_fixes_at_once(fuzz):
    detector = StayDetector(0.05, 10, 1e12, skmob_space(), min_speed_kmh=1.0)
    detector.push(fuzz.view(0, 10))
    with pytest.raises(ValueError, match="one batch"):
        detector.push(fuzz.view(10, 20))
