"""Tables say which version they are of and which system their places are in; newer ones are refused."""

from __future__ import annotations

import pytest

from movfair_spark.errors import InputError
from movfair_spark.tables.marks import SCHEMA_VERSION, crs_of, stamped
from tests.readers.helpers import from_frame, ingest

ROWS = [(1, 100.0, 200.0)]


@pytest.fixture
def places(spark):
    return spark.createDataFrame(ROWS, "uid long, x double, y double")


@pytest.fixture
def stops(spark):
    return spark.sql(
        "SELECT 1L AS uid, TIMESTAMP '2024-01-01' AS arrive, TIMESTAMP '2024-01-02' AS leave, 743588.0D AS x, 3738088.0D AS y"
    )


def test_a_table_keeps_its_marks_in_parquet(spark, tmp_path, places):
    stamped(places, "EPSG:32616").write.parquet(str(tmp_path / "stops"))
    schema = spark.read.parquet(str(tmp_path / "stops")).schema
    assert (schema["uid"].metadata, schema["x"].metadata) == (
        {"schema_version": SCHEMA_VERSION},
        {"crs": "EPSG:32616"},
    )


def test_a_table_without_marks_names_no_system(places):
    assert crs_of(places.schema) is None


def test_stops_of_ours_bring_their_system(spark, tmp_path, stops):
    stamped(stops, "EPSG:26916").write.parquet(str(tmp_path / "stops"))
    assert str(ingest(spark, tmp_path / "stops", kind="stops").crs) == "EPSG:26916"


def test_a_data_frame_of_ours_brings_its_system(spark, stops):
    assert str(from_frame(spark, stamped(stops, "EPSG:26916"), kind="stops").crs) == "EPSG:26916"


def test_files_of_a_later_version_are_refused(spark, tmp_path, stops):
    newer = stops.withMetadata("uid", {"schema_version": SCHEMA_VERSION + 1})
    newer.write.parquet(str(tmp_path / "stops"))
    with pytest.raises(InputError, match="has schema_version 2, and this movfair_spark reads up to 1"):
        ingest(spark, tmp_path / "stops", kind="stops")


def test_a_data_frame_of_a_later_version_is_refused(spark, stops):
    newer = stops.withMetadata("uid", {"schema_version": SCHEMA_VERSION + 1})
    with pytest.raises(InputError, match="Update movfair_spark"):
        from_frame(spark, newer, kind="stops")
