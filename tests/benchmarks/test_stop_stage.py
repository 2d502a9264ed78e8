"""The benchmark of the stop stage in its small form, on the session of the tests."""

from __future__ import annotations

from benchmarks.stop_stage import one_long_person, spark_alone, stage
from movfair_spark.config.city import CityConfig
from movfair_spark.stages.stops import split_stops
from movfair_spark.synth.simulate import points


def test_both_sides_read_the_same_rows(spark, tmp_path):
    points(spark, CityConfig(people=3, row_order="time")).write.parquet(str(tmp_path / "points"))
    spark_alone(spark, tmp_path / "points")
    stage(spark, tmp_path / "points", tmp_path / "stops")
    stops, counts = split_stops(spark.read.parquet(str(tmp_path / "stops")))
    rows = {row["reason"]: row["rows"] for row in counts.collect()}
    assert rows["read"] == rows["kept"] == spark.read.parquet(str(tmp_path / "points")).count()
    assert stops.select("uid").distinct().count() == 3


def test_the_long_person_stops_every_20_minutes(spark, tmp_path):
    one_long_person(spark, 12_000).write.parquet(str(tmp_path / "points"))
    stage(spark, tmp_path / "points", tmp_path / "stops")
    stops, counts = split_stops(spark.read.parquet(str(tmp_path / "stops")))
    assert {row["n_points"] for row in stops.collect()} == {1_200}
    assert stops.count() == 10
    assert {row["rows"] for row in counts.collect() if row["reason"] == "largest_window"} == {1_200}
