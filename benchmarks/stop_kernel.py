"""Fixes per second and core of the stop kernel, beside fastmob and scikit-mobility on the same fixes.

All three are given the same columns in memory (person by person, in time order), run on one core and find the stays of
scikit-mobility's rule; the stays must be the same. Each one checks the order of the rows itself. fastmob's
environment and scikit-mobility's are made under ``build/peers``. A limit of 9 minutes with a fix every 2 minutes keeps
apart what they read differently (a stay of exactly the limit). Our default rule (last stay kept, equal times decided)
stands beside it.

Reproduce: ``python -m benchmarks stop_kernel``; alone on the machine.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import peers
from benchmarks.harness import Result
from movfair_spark.config.city import CityConfig
from movfair_spark.kernels.fixes import Stops
from movfair_spark.kernels.geo import EARTH_RADIUS_KM, Space
from movfair_spark.kernels.skmob import NO_DATA_MINUTES
from movfair_spark.kernels.stops import Rule, microseconds
from movfair_spark.kernels.stream import StopStream, default_stream, find_stops, ordered, skmob_stream
from movfair_spark.synth.city import build
from movfair_spark.synth.fixes import fixes

RADIUS_M, MINUTES = 50.0, 9.0
FASTMOB_TARGET, SKMOB_TARGET = 1.0, 50.0
BATCH_ROWS = 200_000

Columns = tuple[np.ndarray, ...]

_PEER = """
import json, sys, time
import numpy, pandas
name, path, out, radius, minutes, repeats = sys.argv[1:]
columns = numpy.load(path)
frame = pandas.DataFrame({name: columns[name] for name in columns.files})
frame["datetime"] = frame["datetime"].astype("datetime64[ns]")
options = dict(minutes_for_a_stop=float(minutes), spatial_radius_km=float(radius))
if name == "fastmob":
    import fastmob
    def work(some): return fastmob.stay_locations(some, include_last=True, **options)
else:
    import skmob
    from skmob.preprocessing import detection
    def make(some): return skmob.TrajDataFrame(some, latitude="lat", longitude="lng", datetime="datetime", user_id="uid")
    def work(some): return detection.stay_locations(some, **options)
    frame = make(frame)
work(frame[:1000])
best = 1e18
for _ in range(int(repeats)):
    start = time.process_time()
    found = work(frame)
    best = min(best, time.process_time() - start)
found = pandas.DataFrame(found)
columns = {name: found[name].to_numpy() for name in ("uid", "datetime", "leaving_datetime", "lng", "lat")}
for name in ("datetime", "leaving_datetime"):
    columns[name] = columns[name].astype("datetime64[us]").astype("int64")
numpy.savez(out, **columns)
print(json.dumps(best))
"""


def people(n: int) -> Columns:
    """Give the fixes of some people of the embedded city over ten days: uid, time (microseconds), longitude, latitude."""
    config = CityConfig(people=n)
    uid, ts, lon, lat, _ = fixes(build(config), range(n), range(config.days))
    return uid, ts, lon, lat


def skmob_rule() -> StopStream:
    """Our chain for scikit-mobility's rule."""
    return skmob_stream(RADIUS_M / 1000.0, MINUTES, NO_DATA_MINUTES, Space(EARTH_RADIUS_KM, degrees=False))


def default_rule() -> StopStream:
    """Our chain for the default rule."""
    return default_stream(Rule(RADIUS_M, microseconds(MINUTES)), Space(), same_time_radius=RADIUS_M)


def ours(columns: Columns, stream: StopStream, *, stable: bool) -> Stops:
    """Find the stops of columns in memory, in batches as Spark gives them."""
    return find_stops(stream, ordered(*columns, stable=stable), BATCH_ROWS)


def theirs(peer: str, columns: Columns, repeats: int) -> tuple[float, dict[str, np.ndarray]]:
    """CPU seconds of a peer, and its stays."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "fixes.npz", Path(folder) / "stays.npz"
        uid, ts, lon, lat = columns
        np.savez(path, uid=uid, datetime=ts.astype("datetime64[us]"), lng=lon, lat=lat)
        words = [str(path), str(out), repr(RADIUS_M / 1000.0), repr(MINUTES), str(repeats)]
        spent = json.loads(peers.output_of(peer, _PEER, peer, *words))
        with np.load(out) as stays:
            return spent, dict(stays)


def equal_share(stops: Stops, stays: dict[str, np.ndarray]) -> float:
    """Share of stays that are the same to the last bit; 0 when their numbers differ."""
    mine = {"uid": stops.person, "datetime": stops.arrive, "leaving_datetime": stops.leave}
    mine |= {"lng": stops.x, "lat": stops.y}
    if len(stays["uid"]) != stops.n:
        return 0.0
    return float(np.mean(np.all([mine[name] == stays[name] for name in mine], axis=0)))


def run(small: bool) -> Iterator[Result]:
    """Measure."""
    few = people(2)
    for stream, stable in ((skmob_rule, True), (default_rule, False)):
        ours(few, stream(), stable=stable)  # compile
    several, one = (20, 5) if small else (2_800, 140)
    yield from against("fastmob", people(several), 3, FASTMOB_TARGET)
    columns = people(several)
    by_time = np.argsort(columns[1], kind="stable")
    mixed = tuple(column[by_time] for column in columns)
    yield from against("fastmob, rows in time order", mixed, 3, FASTMOB_TARGET)
    yield from against("skmob", people(one), 1, SKMOB_TARGET)


def against(name: str, columns: Columns, repeats: int, target: float) -> Iterator[Result]:
    """Compare both rules with a peer, then the stays."""
    rows = len(columns[0])
    spent, stays = theirs(name.split(",")[0], columns, repeats)
    for rule, stream, stable in (("its rule", skmob_rule, True), ("default rule", default_rule, False)):
        mine = float("inf")
        for _ in range(3):
            start = time.process_time()
            stops = ours(columns, stream(), stable=stable)
            mine = min(mine, time.process_time() - start)
        yield Result(
            f"stop kernel against {name}, {rule} (fixes per CPU second)",
            rows / mine,
            rows / spent,
            spent / mine,
            target,
            "higher",
            f"{rows:,} fixes in memory, one core each, {stops.n:,} stops",
        )
    share = equal_share(ours(columns, skmob_rule(), stable=True), stays)
    yield Result(
        f"stop kernel: stays equal to those of {name}",
        share,
        1.0,
        share,
        1.0,
        "higher",
        f"{len(stays['uid']):,} stays",
    )
