"""Single bad rows among good ones: set aside and counted."""

from __future__ import annotations

import pyarrow as pa

from tests.bad_input.case import GOOD, HEADER, Case, lines, parquet, points

_PARQUET = {"path": "{folder}/points.parquet"}

CASES = [
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
