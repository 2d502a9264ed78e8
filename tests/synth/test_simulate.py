from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from shapely import wkt

from movfair_spark.config.city import CityConfig
from movfair_spark.config.input import InputConfig
from movfair_spark.config.stops import StopsConfig
from movfair_spark.readers import read_input
from movfair_spark.stages.stops import detect_stops, split_stops
from movfair_spark.synth import rows
from movfair_spark.synth.city import build
from movfair_spark.synth.fixes import BAD_KINDS, fixes
from movfair_spark.synth.pattern import plant
from movfair_spark.synth.simulate import labels, points, simulate

CITY = CityConfig(
    people=120,
    days=2,
    interval_seconds=600,
    pattern={"people": 20, "hotspots": 2},
    gps={"bad_row_share": 0.02},
    outcomes={"bad_labels": 3},
)


def sorted_rows(frame) -> pd.DataFrame:
    local = frame.selectExpr("uid", "unix_micros(ts) AS ts", "lon", "lat").toPandas()
    return local.sort_values(["uid", "ts", "lon", "lat"], ignore_index=True)


@pytest.fixture(scope="module")
def simulated(spark, tmp_path_factory):
    return simulate(spark, CITY, str(tmp_path_factory.mktemp("city")), partitions=2)


@pytest.fixture(scope="module")
def expected() -> pd.DataFrame:
    cut = rows.Cut.of(CITY)
    frames = [batch.to_pandas() for number in range(len(cut)) for batch in rows.batches(CITY, cut[number])]
    whole = pd.concat(frames)
    whole["ts"] = (
        whole["ts"].dt.tz_localize(None).to_numpy(dtype="datetime64[us]").view(np.int64).astype(float)
    )
    whole.loc[whole["ts"] < 0, "ts"] = np.nan
    return whole.sort_values(["uid", "ts", "lon", "lat"], ignore_index=True)


@pytest.mark.parametrize("partitions", [1, 3, 8])
@pytest.mark.parametrize("order", ["person", "time"])
def test_the_rows_do_not_depend_on_the_partitions(spark, expected, partitions, order):
    frame = points(spark, CITY.model_copy(update={"row_order": order}), partitions=partitions)
    assert frame.rdd.getNumPartitions() == partitions
    pd.testing.assert_frame_equal(sorted_rows(frame), expected, check_dtype=False)


def test_a_large_city_gets_a_task_per_ten_million_rows(spark):
    assert points(spark, CityConfig(people=100_000)).rdd.getNumPartitions() == 72
    assert points(spark, CITY).rdd.getNumPartitions() == spark.range(1).rdd.getNumPartitions()


def test_the_written_points_are_the_simulated_ones(spark, simulated, expected):
    frame = spark.read.parquet(simulated.points)
    assert frame.dtypes == [("uid", "bigint"), ("ts", "timestamp"), ("lon", "double"), ("lat", "double")]
    pd.testing.assert_frame_equal(sorted_rows(frame), expected, check_dtype=False)


def test_everybody_has_one_label_and_bad_labels_are_added(spark, simulated):
    frame = spark.read.parquet(simulated.labels).toPandas()
    good = frame[frame["outcome"].notna() & (frame["uid"] < 120)]
    assert sorted(good["uid"]) == list(range(120))
    assert set(good["outcome"]) == {0, 1}
    assert frame[frame["uid"] >= 120]["uid"].tolist() == [120, 121, 122]
    assert frame[frame["outcome"].isna()]["uid"].tolist() == [0, 1, 2]


def test_labels_do_not_depend_on_the_partitions(spark, simulated):
    planted = np.unique(np.concatenate([hotspot.people for hotspot in plant(CITY)]))
    written = spark.read.parquet(simulated.labels).toPandas()
    pd.testing.assert_frame_equal(labels(spark, CITY, planted, partitions=8).toPandas(), written)


def test_the_truth_names_the_people_and_the_regions(spark, simulated):
    people = spark.read.parquet(simulated.planted).toPandas()
    for number, hotspot in enumerate(plant(CITY)):
        assert people[people["hotspot"] == number]["uid"].tolist() == hotspot.people.tolist()
    regions = spark.read.parquet(simulated.regions).orderBy("hotspot", "region").toPandas()
    assert regions[["hotspot", "region"]].to_numpy().tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    for polygon in map(wkt.loads, regions["wkt"]):
        assert polygon.is_valid
        assert polygon.distance(wkt.loads("POINT (-84.388 33.749)")) < 0.04


def test_csv_carries_the_same_rows(spark, tmp_path, expected):
    written = simulate(spark, CITY.model_copy(update={"format": "csv"}), str(tmp_path / "city"), partitions=2)
    frame = spark.read.csv(
        written.points, header=True, schema="uid bigint, ts timestamp, lon double, lat double"
    )
    pd.testing.assert_frame_equal(sorted_rows(frame), expected, check_dtype=False)


def test_the_audit_counts_every_bad_row_of_the_city(spark, simulated):
    """Each kind that the city writes comes back from ingest and the stops pass under its own reason."""
    kind = np.concatenate([fixes(build(CITY), piece.people, piece.days)[4] for piece in rows.Cut.of(CITY)])
    written = dict(zip(("good", *BAD_KINDS), np.bincount(kind, minlength=8).tolist(), strict=True))
    ingest = read_input(spark, InputConfig(path=simulated.points), "UTC")
    _, counts = split_stops(detect_stops(ingest.frame, StopsConfig(), ingest.crs, partitions=2))
    found = {row["reason"]: row["rows"] for row in counts.collect()}
    assert found["read"] == len(kind)
    assert found["kept"] == written["good"] - written["conflict"]
    assert found["duplicate"] == written["duplicate"]
    assert found["conflicting_position"] == 2 * written["conflict"]
    assert found["null_id"] == written["no_uid"]
    assert found["null_time"] == written["no_time"]
    assert found["null_coordinate"] == written["no_position"]
    assert found["nan_coordinate"] == written["nan_position"]
    assert found["coordinate_out_of_range"] == written["out_of_range"]
