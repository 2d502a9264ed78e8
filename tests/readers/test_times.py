"""Times of every form, as microseconds since 1970-01-01 UTC, in any session."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql import types as T

from movfair_spark.errors import ConfigurationError, TimeUnitError
from movfair_spark.readers import times
from movfair_spark.readers.source import Field, column


def micros(iso: str) -> int:
    moment = datetime.fromisoformat(iso).astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return (moment.days * 86_400 + moment.seconds) * 1_000_000 + moment.microseconds


def read(spark, values, kind, *, unit=None, zone="UTC", time_format=None, nanos=None) -> list[int | None]:
    frame = spark.createDataFrame([(i, value) for i, value in enumerate(values)], f"i int, _time {kind}")
    field = Field("time", column("_time"), frame.schema["_time"].dataType, nanos)
    tidy = frame.select("i", times.tidy(field, "_time", time_format).alias("tidy"))
    return [row[1] for row in sorted(tidy.select("i", times.micros(field, "tidy", unit, zone)).collect())]


TEXTS = {
    "2024-01-01 10:33:36-04:00": "2024-01-01T14:33:36+00:00",
    "2024-01-01T10:33:36+0530": "2024-01-01T05:03:36+00:00",
    "2024-01-01T10:33:36-04": "2024-01-01T14:33:36+00:00",
    "2024-01-01 10:33:36Z": "2024-01-01T10:33:36+00:00",
    "2024-01-01 10:33:36 UTC": "2024-01-01T10:33:36+00:00",
    "2024-01-01t10:33:36z": "2024-01-01T10:33:36+00:00",
    "2024-01-01 10:33Z": "2024-01-01T10:33:00+00:00",
    # naive ones are New York's
    "2024-01-01 10:33:36": "2024-01-01T15:33:36+00:00",
    "2024-01-01T10:33": "2024-01-01T15:33:00+00:00",
    "2009-01-27,03:53:09": "2009-01-27T08:53:09+00:00",
    "2024-07-01": "2024-07-01T04:00:00+00:00",
    " 2024-01-01 10:33:36.5 ": "2024-01-01T15:33:36.500000+00:00",
    # the hour that comes twice, and the one that does not come
    "2024-11-03 01:30:00": "2024-11-03T05:30:00+00:00",
    "2024-03-10 02:30:00": "2024-03-10T07:30:00+00:00",
    # what is no time
    "yesterday": None,
    "12:30:00": None,
    "2024": None,
    "1704119616": None,
    "2024-02-30 10:00:00": None,
    "2024-01-01 25:00:00": None,
    "2024-01-01 10:33:36 Mars": None,
    "01/02/2024 10:00": None,
    "now": None,
    "": None,
}


def test_texts(any_session):
    """scikit-mobility #275, #15, SPARK-22395, SPARK-32123: the session's zone changes nothing."""
    found = read(any_session, list(TEXTS), "string", zone="America/New_York")
    assert dict(zip(TEXTS, found, strict=True)) == {
        text: None if iso is None else micros(iso) for text, iso in TEXTS.items()
    }


def test_finer_digits_are_cut_to_microseconds(spark):
    """movingpandas #421: 20:00:16.178999901 keeps its row, and its microseconds are cut, not rounded."""
    found = read(spark, ["2019-01-25 20:00:16.178999901Z", "2019-01-25 20:00:16.178999Z"], "string")
    assert found == [micros("2019-01-25T20:00:16.178999+00:00")] * 2


def test_numbers_of_every_unit(spark):
    second = 1_704_119_616
    for unit, scale in times.PER_SECOND.items():
        assert read(spark, [second * scale], "bigint", unit=unit) == [second * 1_000_000]


def test_nanoseconds_are_cut_towards_the_past(spark):
    assert read(spark, [1_999, -1, -1_000], "bigint", unit="ns") == [1, -1, -1]
    assert read(spark, [1_548_446_416_178_999_901], "bigint", nanos="utc") == [1_548_446_416_178_999]


def test_numbers_that_are_no_whole_ones(any_session):
    """frigate #22688, pandas 3: never a division of whole numbers by 1e9."""
    assert read(any_session, ["1704119616.123", "1.704119616e9", "17x", "NaN"], "string", unit="s") == [
        1_704_119_616_123_000,
        1_704_119_616_000_000,
        None,
        None,
    ]
    assert read(any_session, [1704119616.123, 1e30], "double", unit="s") == [1_704_119_616_123_000, None]


def test_a_number_that_overflows_is_no_time(spark):
    assert read(spark, [2**62], "bigint", unit="s") == [None]


def test_timestamps_are_instants_in_any_session(any_session):
    moment = datetime(2024, 11, 3, 6, 30, tzinfo=UTC)
    assert read(any_session, [moment], "timestamp") == [micros("2024-11-03T06:30:00+00:00")]


def test_timestamps_without_a_zone_are_local(any_session):
    """SPARK-59467: naive ones are read in the declared zone, never in the session's; movingpandas #303."""
    naive = datetime(2024, 11, 3, 1, 30, 0, 123456)
    assert read(any_session, [naive], "timestamp_ntz", zone="America/New_York") == [
        micros("2024-11-03T05:30:00.123456+00:00")
    ]
    assert read(any_session, [datetime(1969, 12, 31, 23, 59, 59, 500000)], "timestamp_ntz") == [-500_000]


def test_nanoseconds_without_a_zone_are_local(spark):
    local = micros("2024-07-01T10:00:00+00:00") * 1000 + 999
    assert read(spark, [local], "bigint", nanos="naive", zone="Europe/Rome") == [
        micros("2024-07-01T08:00:00+00:00")
    ]


@pytest.mark.parametrize(
    ("time_format", "text", "iso"),
    [
        ("dd/MM/yyyy HH:mm:ss", "31/01/2024 23:59:58", "2024-01-31T23:59:58+00:00"),
        ("yyyyMMddHHmmss", "20240131235958", "2024-01-31T23:59:58+00:00"),
        ("MM-dd-yyyy'T'HH.mm.ss.SSSX", "01-31-2024T23.59.58.250+01:00", "2024-01-31T22:59:58.250000+00:00"),
        ("dd.MM.yyyy", "31.01.2024", "2024-01-31T00:00:00+00:00"),
    ],
)
def test_a_declared_format(spark, time_format, text, iso):
    assert read(spark, [text, "2024-01-31x"], "string", time_format=time_format) == [micros(iso), None]


@pytest.mark.parametrize(
    "time_format", ["HH:mm", "yyyy-MM-dd mm", "yyyy-MM-dd hh:mm a", "yyyy-MM-dd-dd", "EEE"]
)
def test_a_format_that_does_not_say_the_whole_time_is_refused(time_format):
    field = Field("time", None, T.StringType())
    with pytest.raises(ConfigurationError, match="time_format"):
        times.check_declared(field, None, time_format, "points")


@pytest.mark.parametrize(
    ("kind", "unit", "says"),
    [
        (T.LongType(), None, "time_unit is not set"),
        (T.DoubleType(), None, "time_unit is not set"),
        (T.TimestampType(), "s", "Remove time_unit"),
        (T.BooleanType(), None, "no time"),
    ],
)
def test_a_declaration_that_does_not_fit_the_column_is_refused(kind, unit, says):
    with pytest.raises(TimeUnitError) as raised:
        times.check_declared(Field("t", None, kind), unit, None, "points")
    assert says in str(raised.value)


def test_the_likely_unit_of_a_number():
    first, after = micros("1980-01-01T00:00:00+00:00"), micros("2101-01-01T00:00:00+00:00")
    numbers = {
        1704119616: "s",
        1704119616000: "ms",
        "1704119616000000": "us",
        1704119616000000000: "ns",
        7: None,
    }
    assert {number: times.likely_unit(number, first, after) for number in numbers} == numbers
    assert times.likely_unit("2024-01-01", first, after) is None
