"""Values that a whole column gets wrong: times, places, ids."""

from __future__ import annotations

import pyarrow as pa

from movfair_spark import errors as E
from tests.bad_input.case import HEADER, Case, both, lines, parquet, points

_STAMPS = pa.array([1704100000 + i for i in range(20)])
_PLACES = {"lon": [12.5] * 20, "lat": [41.9] * 20}
_PARQUET = {"path": "{folder}/points.parquet"}

CASES = [
    Case(
        "numbers without a unit",
        parquet("points.parquet", uid=list(range(20)), time=_STAMPS, **_PLACES),
        _PARQUET,
        error=E.TimeUnitError,
        says="time_unit is not set",
    ),
    Case(
        "milliseconds read as seconds",
        parquet(
            "points.parquet", uid=list(range(20)), time=[1704100000000 + i for i in range(20)], **_PLACES
        ),
        {**_PARQUET, "time_unit": "s"},
        error=E.TimeUnitError,
        says="time_unit: ms",
    ),
    Case(
        "seconds read as milliseconds",
        parquet("points.parquet", uid=list(range(20)), time=_STAMPS, **_PLACES),
        {**_PARQUET, "time_unit": "ms"},
        error=E.TimeUnitError,
        says="time_unit: s",
    ),
    Case(
        "epoch numbers in a text file without a unit",
        lines("points.csv", HEADER, *(f"a,{1704100000 + i},12.5,41.9" for i in range(20))),
        error=E.TimeUnitError,
        says="likely s",
    ),
    Case("a unit for texts", points(), {"time_unit": "s"}, error=E.TimeUnitError, says="Remove time_unit"),
    Case(
        "times in an unknown form",
        lines("points.csv", HEADER, *(f"a,{i + 1:02d}/01/2024 10:00,12.5,41.9" for i in range(20))),
        error=E.TimeUnitError,
        says="time_format",
    ),
    Case(
        "ids as floating point numbers",
        parquet("points.parquet", uid=[float(i) for i in range(20)], time=_STAMPS, **_PLACES),
        {**_PARQUET, "time_unit": "s"},
        error=E.IdTypeError,
        says="2^53",
    ),
    Case(
        "texts declared as whole numbers",
        points(),
        {"uid_type": "int"},
        error=E.IdTypeError,
        says="uid_type: string",
    ),
    Case(
        "metres declared as degrees",
        lines(
            "points.csv",
            "uid,time,x,y",
            *(f"a,2024-01-01T10:00:{i:02d}Z,743588.1,3738088.{i}" for i in range(20)),
        ),
        error=E.CoordinatesError,
        says="look like metres",
    ),
    Case(
        "degrees declared as metres",
        points(),
        {"crs": "EPSG:32633"},
        error=E.CoordinatesError,
        says="look like degrees",
    ),
    Case(
        "latitude and longitude swapped",
        lines("points.csv", HEADER, *(f"a,2024-01-01T10:00:{i:02d}Z,39.98,116.3{i}" for i in range(20))),
        error=E.CoordinatesError,
        says="swapped",
    ),
    Case(
        "longitudes up to 360",
        lines("points.csv", HEADER, *(f"a,2024-01-01T10:00:{i:02d}Z,275.6,33.7{i}" for i in range(20))),
        error=E.CoordinatesError,
        says="360",
    ),
    Case(
        "a reference system that is none",
        points(),
        {"crs": "EPSG:99999"},
        error=E.ConfigurationError,
        says="EPSG:99999",
    ),
    Case(
        "a study area that is not there",
        points(),
        {"study_area": "{folder}/area.geojson"},
        error=E.InputError,
        says="does not exist",
    ),
    Case(
        "a study area of points",
        both(
            points(),
            lines(
                "area.geojson",
                '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},'
                '"geometry":{"type":"Point","coordinates":[1,2]}}]}',
            ),
        ),
        {"study_area": "{folder}/area.geojson"},
        error=E.InputError,
        says="Point",
    ),
    Case(
        "a time format without a year",
        points(),
        {"time_format": "MM-dd HH:mm"},
        error=E.ConfigurationError,
        says="whole date",
    ),
]
