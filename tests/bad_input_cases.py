"""Bad files, rows and settings, as one table: what each of them is, and the error or the rejects that must follow.

``tests/readers/test_bad_input.py`` runs it through the readers; the same cases go through the command line. A case
writes its files into an empty folder; its configuration names them with ``{folder}``.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from movfair_spark import errors

HEADER = "uid,time,lon,lat"
GOOD = [
    f"p{i % 5},2024-01-01T{8 + i // 60:02d}:{i % 60:02d}:00Z,12.49{i % 10},41.89{i % 10}" for i in range(20)
]
LABEL_HEADER = "uid,outcome"
LABELS = [f"p{i},{i % 2}" for i in range(5)]


@dataclass(frozen=True)
class Case:
    """One bad input.

    Parameters
    ----------
    name : str
    write : callable
        Makes the files in the folder that it is given.
    table : {'input', 'labels'}
        Which table is bad; the other one is good (:func:`write_good`).
    config : mapping
        Section of the configuration (``input`` or ``labels``), with ``{folder}`` in its paths.
    error : type, optional
        Class of the error that must be raised.
    says : str
        What its message must hold.
    rejects : mapping, optional
        Reason -> rows, where the input is accepted.
    late : bool
        Shows only when the rows are scanned, not when the input is opened.
    """

    name: str
    write: Callable[[Path], None]
    config: Mapping[str, Any] = field(default_factory=dict)
    table: str = "input"
    error: type[errors.MovfairError] | None = None
    says: str = ""
    rejects: Mapping[str, int] = field(default_factory=dict)
    late: bool = False

    def section(self, folder: Path) -> dict[str, Any]:
        """Configuration of the bad table for files in ``folder``."""
        default = "points.csv" if self.table == "input" else "labels.csv"
        settings = {"path": f"{folder}/{default}", **self.config}
        return {key: _fill(value, folder) for key, value in settings.items()}


def _fill(value: Any, folder: Path) -> Any:
    return value.replace("{folder}", str(folder)) if isinstance(value, str) else value


def write_good(folder: Path) -> None:
    """Write the good tables that stand beside a bad one: points.csv and labels.csv."""
    lines("points.csv", HEADER, *GOOD)(folder)
    lines("labels.csv", LABEL_HEADER, *LABELS)(folder)


def lines(name: str, *rows: str, end: str = "\n") -> Callable[[Path], None]:
    """Write a text file."""

    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(end.join(rows) + (end if rows else ""), encoding="utf-8", newline="")

    return write


def raw(name: str, content: bytes) -> Callable[[Path], None]:
    """Write bytes."""

    def write(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return write


def parquet(name: str, cut: int | None = None, **columns: Any) -> Callable[[Path], None]:
    """Write a Parquet file, whole or only its first ``cut`` bytes."""

    def write(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), path)
        if cut is not None:
            path.write_bytes(path.read_bytes()[:cut])

    return write


def both(*writers: Callable[[Path], None]) -> Callable[[Path], None]:
    """Write several files."""

    def write(folder: Path) -> None:
        for writer in writers:
            writer(folder)

    return write


def points(*bad: str) -> Callable[[Path], None]:
    """Write good points with bad ones among them."""
    return lines("points.csv", HEADER, *GOOD[:10], *bad, *GOOD[10:])


def labels(*bad: str, header: str = LABEL_HEADER) -> Callable[[Path], None]:
    """Write good labels with bad ones after them."""
    return lines("labels.csv", header, *LABELS, *bad)


def _many(separator: str = ",", order: tuple[int, ...] = (0, 1, 2, 3)) -> list[str]:
    split = [row.split(",") for row in [HEADER, *GOOD]]
    return [separator.join(row[i] for i in order) for row in split]


_STAMPS = pa.array([1704100000 + i for i in range(20)])
_PLACES = {"lon": [12.5] * 20, "lat": [41.9] * 20}
_PACKED = gzip.compress(("\n".join([HEADER, *GOOD * 3_000]) + "\n").encode(), mtime=0)
_DAMAGED = bytearray(_PACKED)
_DAMAGED[len(_PACKED) * 3 // 4] ^= 0xFF
_SMALL = gzip.compress("\n".join([HEADER, *GOOD]).encode(), mtime=0)
_PARQUET = {"path": "{folder}/points.parquet"}

E = errors
FILES = [
    Case("no such path", lines("other.csv", HEADER, *GOOD), error=E.InputError, says="does not exist"),
    Case(
        "a glob without a match",
        lines("other.txt", HEADER),
        {"path": "{folder}/*.tsv"},
        error=E.InputError,
        says="does not exist",
    ),
    Case("an empty file", raw("points.csv", b""), error=E.InputError, says="0 bytes"),
    Case("blank lines only", lines("points.csv", "", "", ""), error=E.EmptyTableError, says="no rows"),
    Case("a header only", lines("points.csv", HEADER), error=E.EmptyTableError, says="a header and no rows"),
    Case(
        "a folder of headers only",
        both(lines("in/a.csv", HEADER), lines("in/b.csv", HEADER)),
        {"path": "{folder}/in"},
        error=E.EmptyTableError,
        says="no rows",
    ),
    Case(
        "an empty folder",
        lambda folder: (folder / "in").mkdir(),
        {"path": "{folder}/in"},
        error=E.InputError,
        says="holds no file",
    ),
    Case(
        "a zip archive",
        raw("points.zip", b"PK\3\4"),
        {"path": "{folder}/points.zip"},
        error=E.InputError,
        says=".zip",
    ),
    Case("not text", raw("points.csv", b"uid,time\0\1\2\3" * 9), error=E.InputError, says="no UTF-8 text"),
    Case(
        "UTF-16",
        raw("points.csv", "\n".join([HEADER, *GOOD]).encode("utf-16")),
        error=E.InputError,
        says="UTF-8",
    ),
    Case(
        "Latin-1",
        raw("points.csv", "\n".join([HEADER, "Jos\xe9,2024-01-01,1,2"]).encode("latin-1")),
        error=E.InputError,
        says="UTF-8",
    ),
    Case(
        "gzip in name only",
        raw("points.csv.gz", "\n".join([HEADER, *GOOD]).encode()),
        {"path": "{folder}/points.csv.gz"},
        error=E.InputError,
        says="broken archive",
    ),
    Case(
        "a gzip that ends early",
        raw("points.csv.gz", _SMALL[: len(_SMALL) * 2 // 3]),
        {"path": "{folder}/points.csv.gz"},
        error=E.InputError,
        says="points.csv.gz is a broken archive",
    ),
    Case(
        "a gzip damaged far behind its first rows",
        raw("points.csv.gz", bytes(_DAMAGED)),
        {"path": "{folder}/points.csv.gz"},
        error=E.InputError,
        says="points.csv.gz is a broken archive",
        late=True,
    ),
    Case(
        "text called Parquet",
        lines("points.parquet", HEADER, *GOOD),
        _PARQUET,
        error=E.InputError,
        says="no whole Parquet",
    ),
    Case(
        "a truncated Parquet file",
        parquet("points.parquet", cut=500, uid=list(range(20)), time=_STAMPS, **_PLACES),
        {**_PARQUET, "time_unit": "s"},
        error=E.InputError,
        says="no whole Parquet",
    ),
    Case(
        "one truncated Parquet file among good ones",
        both(
            parquet("in/a.parquet", uid=list(range(20)), time=_STAMPS, **_PLACES),
            parquet("in/b.parquet", cut=500, uid=list(range(20)), time=_STAMPS, **_PLACES),
        ),
        {"path": "{folder}/in", "time_unit": "s"},
        error=E.InputError,
        says="b.parquet",
    ),
    Case(
        "Parquet files of two schemas",
        both(
            parquet("in/a.parquet", uid=list(range(20)), time=_STAMPS, **_PLACES),
            parquet("in/b.parquet", uid=[str(i) for i in range(20)], time=_STAMPS, **_PLACES),
        ),
        {"path": "{folder}/in", "time_unit": "s"},
        error=E.InputError,
        says="'uid' is string",
    ),
    Case(
        "Parquet without rows",
        parquet("points.parquet", uid=pa.array([], pa.int64()), time=pa.array([], pa.int64())),
        _PARQUET,
        error=E.InputError,
        says="no rows",
    ),
    Case(
        "Parquet declared as text",
        parquet("points.parquet", uid=list(range(20)), time=_STAMPS, **_PLACES),
        {**_PARQUET, "format": "csv"},
        error=E.InputError,
        says="is a Parquet file",
    ),
    Case(
        "text declared as the simulator's table",
        points(),
        {"format": "pol"},
        error=E.InputError,
        says="Patterns-of-Life",
    ),
    Case(
        "Parquet declared as GeoParquet",
        parquet("points.parquet", uid=list(range(20)), time=_STAMPS, **_PLACES),
        {**_PARQUET, "format": "geoparquet"},
        error=E.InputError,
        says="not GeoParquet",
    ),
    Case(
        "two headers in one folder",
        both(lines("in/a.csv", HEADER, *GOOD), lines("in/b.csv", *_many(order=(0, 1, 3, 2)))),
        {"path": "{folder}/in"},
        error=E.InputError,
        says="another header",
    ),
]
COLUMNS = [
    Case(
        "no column for the time",
        lines("points.csv", *_many(order=(0, 2, 3))),
        error=E.MissingColumnsError,
        says="no column for time",
    ),
    Case(
        "a column that is not there",
        points(),
        {"columns": {"time": "when"}},
        error=E.MissingColumnsError,
        says="there are 'uid', 'time', 'lon', 'lat'",
    ),
    Case(
        "a column with a slip",
        points(),
        {"columns": {"x": "lom"}},
        error=E.MissingColumnsError,
        says="mean 'lon'",
    ),
    Case(
        "columns that differ by case",
        lines("points.csv", "uid,UID,time,lon,lat", *(f"a,{row}" for row in GOOD)),
        error=E.MissingColumnsError,
        says="differ only by case",
    ),
    Case(
        "two columns of one name",
        lines("points.csv", "uid,uid,time,lon,lat", *(f"a,{row}" for row in GOOD)),
        error=E.MissingColumnsError,
        says="2 columns are called 'uid'",
    ),
    Case(
        "two columns that could be meant",
        lines("points.csv", "user_id,device_id,time,lon,lat", *(f"a,{row}" for row in GOOD)),
        error=E.MissingColumnsError,
        says="could be 'user_id', 'device_id'",
    ),
    Case(
        "a latitude without a longitude",
        lines("points.csv", "uid,time,east,lat", *GOOD),
        error=E.MissingColumnsError,
        says="no column for x",
    ),
    Case(
        "one column for two things",
        points(),
        {"columns": {"x": "lat_lon", "y": "lat_lon"}},
        error=E.MissingColumnsError,
        says="no column 'lat_lon'",
    ),
    Case(
        "no accuracy where a limit is set",
        points(),
        {"max_accuracy_m": 50},
        error=E.MissingColumnsError,
        says="accuracy_m",
    ),
    Case("no header", lines("points.csv", *GOOD), error=E.InputError, says="looks like data"),
    Case(
        "no header, and more words than numbers",
        lines("points.csv", *(f"{row},walk,phone,city" for row in GOOD)),
        error=E.InputError,
        says="looks like data",
    ),
    Case(
        "the wrong separator",
        lines("points.csv", *_many(";")),
        {"separator": ","},
        error=E.InputError,
        says="';' gives 4",
    ),
    Case(
        "no separator at all", lines("points.csv", "uid", "a", "b"), error=E.InputError, says="no separator"
    ),
    Case(
        "unquoted decimal commas",
        lines("points.csv", *_many(";")[:1], *(row.replace(".", ",") for row in _many(";")[1:])),
        error=E.InputError,
        says="decimal commas",
    ),
]
VALUES = [
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
ROWS = [
    Case(
        "bad points",
        points(
            ",2024-01-01T10:00:00Z,12.5,41.9",
            '"  ",2024-01-01T10:00:00Z,12.5,41.9',
            "a,,12.5,41.9",
            "a,yesterday,12.5,41.9",
            "a,2024-02-30T10:00:00Z,12.5,41.9",
            "a,1970-01-01T00:00:00Z,12.5,41.9",
            "a,2024-01-01T10:00:00Z,,41.9",
            "a,2024-01-01T10:00:00Z,NaN,41.9",
            "a,2024-01-01T10:00:00Z,12.3x,41.9",
            "a,2024-01-01T10:00:00Z,12.5,91",
            "a,2024-01-01T10:00:00Z,inf,41.9",
            "a,2024-01-01T10:00:00Z,0,0.0",
            "a,2024-01-01T10:00:00Z,12.5",
            "a,2024-01-01T10:00:00Z,12,5,41.9",
        ),
        rejects={
            "null_id": 2,
            "null_time": 1,
            "bad_time": 2,
            "time_out_of_range": 1,
            "null_coordinate": 1,
            "nan_coordinate": 1,
            "bad_coordinate": 1,
            "coordinate_out_of_range": 2,
            "null_island": 1,
            "ragged_row": 2,
        },
    ),
    Case(
        "bad accuracy",
        lines(
            "points.csv",
            HEADER + ",accuracy",
            *(
                f"{row},{limit}"
                for row, limit in zip(GOOD, ["51", "", "NaN", "-1", *["50"] * 16], strict=True)
            ),
        ),
        {"max_accuracy_m": 50},
        rejects={"accuracy_over_limit": 1, "bad_accuracy": 3},
    ),
    Case(
        "ids above 64 bits and not in shortest form",
        lines(
            "points.csv",
            HEADER,
            *(
                f"{uid},2024-01-01T10:00:00Z,12.5,41.9"
                for uid in ("7", "007", "9007199254740993", "9223372036854775808", "1e3", "8", "-9")
            ),
        ),
        {"uid_type": "int"},
        rejects={"bad_id": 3},
    ),
    Case(
        "stops that end before they start",
        lines(
            "points.csv",
            "uid,arrive,leave,lon,lat",
            "a,2024-01-01 10:00,2024-01-01 11:00,12.5,41.9",
            "a,2024-01-01 12:00,2024-01-01 11:59,12.5,41.9",
            "a,2024-01-01 12:00,2024-01-01 12:00,12.5,41.9",
            "b,2024-01-01 12:00,,12.5,41.9",
        ),
        {"kind": "stops"},
        rejects={"leave_before_arrive": 1, "null_time": 1},
    ),
    Case(
        "broken well-known texts",
        lines(
            "points.csv",
            "uid;time;geometry",
            *(
                f"a;2024-01-01T10:00:00Z;{shape}"
                for shape in (
                    "POINT (12.5 41.9)",
                    "POINT EMPTY",
                    "",
                    "LINESTRING (1 2, 3 4)",
                    "POINT (1)",
                    "POINT (12.6 41.8)",
                    "point(12.6 41.8)",
                )
            ),
        ),
        rejects={"null_coordinate": 2, "bad_coordinate": 2},
    ),
    Case(
        "null values in Parquet",
        parquet(
            "points.parquet",
            uid=[1, None, *range(18)],
            time=pa.array([None, *[1704100000] * 19]),
            lon=[12.5, 12.5, None, float("nan"), *[12.5] * 16],
            lat=[41.9] * 20,
        ),
        {**_PARQUET, "time_unit": "s"},
        rejects={"null_time": 1, "null_id": 1, "null_coordinate": 1, "nan_coordinate": 1},
    ),
]
LABEL_CASES = [
    Case("an empty label file", raw("labels.csv", b""), table="labels", error=E.InputError, says="0 bytes"),
    Case(
        "labels without an outcome",
        labels(header="uid,score"),
        table="labels",
        error=E.MissingColumnsError,
        says="outcome",
    ),
    Case(
        "labels in words without a positive one",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,yes"),
        table="labels",
        error=E.InputError,
        says="labels.positive",
    ),
    Case(
        "three classes and only the positive one named",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,maybe"),
        {"positive": "yes"},
        table="labels",
        error=E.ConfigurationError,
        says="labels.negative",
    ),
    Case(
        "a positive value that never occurs with its negative",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,yes"),
        {"positive": "ja", "negative": "nein"},
        table="labels",
        error=E.InputError,
        says="neither labels.positive nor negative",
    ),
    Case(
        "bad labels",
        labels("p9,NaN", "p8,2", "p7,0.5", "p6,", ",1", "p0,0", "p1,0", "p1,1", "p5,x"),
        table="labels",
        rejects={"bad_outcome": 4, "null_outcome": 1, "null_id": 1, "conflicting_label": 3},
    ),
    Case(
        "an unknown class",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,maybe", "d,Yes"),
        {"positive": "yes", "negative": "no"},
        table="labels",
        rejects={"bad_outcome": 2},
    ),
    Case(
        "bad truths and weights",
        lines(
            "labels.csv",
            "uid,outcome,truth,weight",
            "a,1,1,1",
            "b,1,,2",
            "c,0,0.5,1",
            "d,0,0,-1",
            "e,1,0,NaN",
            "f,1,1,x",
        ),
        table="labels",
        rejects={"bad_truth": 1, "bad_weight": 3},
    ),
]
CASES = [*FILES, *COLUMNS, *VALUES, *ROWS, *LABEL_CASES]
