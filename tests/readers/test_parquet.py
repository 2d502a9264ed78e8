"""Parquet and GeoParquet."""

from __future__ import annotations

from datetime import UTC, datetime

import geopandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely

from movfair_spark.errors import CoordinatesError, InputError
from movfair_spark.readers.parquet import TAIL_BYTES, read_footer
from movfair_spark.session.filesystem import FileInfo, FileSystem
from tests.readers.helpers import ingest, kept, reasons

UTC_MICROS = 1_548_446_416_178_999


def write(path, time, **more):
    n = len(time)
    pq.write_table(
        pa.table({"uid": ["a"] * n, "time": time, "lon": [12.5] * n, "lat": [41.9] * n, **more}), path
    )
    return path


def stamps(result) -> list[int]:
    return [row[1] for row in kept(result)]


@pytest.mark.parametrize("unit", ["ms", "ns"])
@pytest.mark.parametrize(
    ("zone", "expected"), [("UTC", 0), (None, -3_600_000_000)], ids=["instants", "naive"]
)
def test_timestamps_of_every_unit(spark, tmp_path, unit, zone, expected):
    """SPARK-40819, SPARK-44988: nanosecond files, which Spark refuses; movingpandas #421: no row is lost."""
    nanos = UTC_MICROS * 1000 + 901
    scale = {"ms": 10**6, "ns": 1}[unit]
    values = pa.array([nanos // scale], pa.int64()).cast(pa.timestamp(unit, tz=zone))
    result = ingest(spark, write(tmp_path / "p.parquet", values), naive_times="Europe/Rome")
    assert stamps(result) == [nanos // scale * scale // 1000 + expected]


def test_timestamps_of_the_old_96_bit_form(spark, tmp_path):
    table = pa.table({"uid": ["a"], "time": [datetime(2024, 1, 1, tzinfo=UTC)], "lon": [12.5], "lat": [41.9]})
    pq.write_table(table, tmp_path / "p.parquet", use_deprecated_int96_timestamps=True)
    assert stamps(ingest(spark, tmp_path / "p.parquet")) == [1_704_067_200_000_000]


def test_other_columns_may_be_of_any_type_and_name(spark, tmp_path):
    nested = pa.array([{"a": 1}], pa.struct([("a", pa.int64())]))
    path = write(
        tmp_path / "p.parquet", ["2024-01-01"], nested=nested, many=pa.array([[1]]), note=["x"], NOTE=["y"]
    )
    assert len(kept(ingest(spark, path))) == 1


def geo(path, shapes, crs, **columns):
    frame = geopandas.GeoDataFrame(
        {"uid": [1] * len(shapes), "time": ["2024-01-01"] * len(shapes), **columns}, geometry=shapes, crs=crs
    )
    frame.to_parquet(path)
    return path


def test_geoparquet_brings_its_points_and_its_system(spark, tmp_path):
    shapes = [shapely.Point(743588.0, 3738088.0), None, shapely.LineString([(0, 0), (1, 1)]), shapely.Point()]
    result = ingest(spark, geo(tmp_path / "p.parquet", shapes, "EPSG:26916", lat=[1.0] * 4, lon=[2.0] * 4))
    assert str(result.crs) == "EPSG:26916"
    assert [row[2:] for row in kept(result)] == [(743588.0, 3738088.0)]
    assert set(reasons(result)) <= {"null_coordinate", "bad_coordinate", "nan_coordinate"}
    assert len(reasons(result)) == 3


def test_geoparquet_in_another_system_than_declared_is_refused(spark, tmp_path):
    path = geo(tmp_path / "p.parquet", [shapely.Point(743588.0, 3738088.0)], "EPSG:26916")
    with pytest.raises(CoordinatesError, match="EPSG:26916, the configuration says EPSG:32616"):
        ingest(spark, path, crs="EPSG:32616")


def test_geoparquet_in_degrees_agrees_with_epsg_4326(spark, tmp_path):
    path = geo(tmp_path / "p.parquet", [shapely.Point(12.5, 41.9)], "EPSG:4326")
    assert [row[2:] for row in kept(ingest(spark, path, crs="EPSG:4326"))] == [(12.5, 41.9)]


def test_a_footer_larger_than_the_first_look(spark, tmp_path):
    path = write(tmp_path / "p.parquet", ["2024-01-01"], **{f"column_{i}": [i] for i in range(1_000)})
    footer = read_footer(FileSystem(spark), FileInfo(str(path), path.stat().st_size, 0))
    assert footer.serialized_size > TAIL_BYTES
    assert footer.num_columns == 1_004


def test_a_file_that_lost_its_end_is_named(spark, tmp_path):
    path = write(tmp_path / "p.parquet", ["2024-01-01"])
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match="p.parquet is no whole Parquet file"):
        ingest(spark, path)
