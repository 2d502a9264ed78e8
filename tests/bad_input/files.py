"""Files that cannot be read, are damaged, or are not what they say."""

from __future__ import annotations

import gzip

import pyarrow as pa

from movfair_spark import errors as E
from tests.bad_input.case import GOOD, HEADER, Case, both, lines, many, parquet, points, raw

_STAMPS = pa.array([1704100000 + i for i in range(20)])
_PLACES = {"lon": [12.5] * 20, "lat": [41.9] * 20}
_PACKED = gzip.compress(("\n".join([HEADER, *GOOD * 3_000]) + "\n").encode(), mtime=0)
_DAMAGED = bytearray(_PACKED)
_DAMAGED[len(_PACKED) * 3 // 4] ^= 0xFF
_SMALL = gzip.compress("\n".join([HEADER, *GOOD]).encode(), mtime=0)
_PARQUET = {"path": "{folder}/points.parquet"}

CASES = [
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
        both(lines("in/a.csv", HEADER, *GOOD), lines("in/b.csv", *many(order=(0, 1, 3, 2)))),
        {"path": "{folder}/in"},
        error=E.InputError,
        says="another header",
    ),
]
