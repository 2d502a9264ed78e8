"""Columns that are absent, stand twice, or hold another thing than their name says."""

from __future__ import annotations

from movfair_spark import errors as E
from tests.bad_input.case import GOOD, Case, lines, many, points

CASES = [
    Case(
        "no column for the time",
        lines("points.csv", *many(order=(0, 2, 3))),
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
        lines("points.csv", *many(";")),
        {"separator": ","},
        error=E.InputError,
        says="';' gives 4",
    ),
    Case(
        "no separator at all", lines("points.csv", "uid", "a", "b"), error=E.InputError, says="no separator"
    ),
    Case(
        "unquoted decimal commas",
        lines("points.csv", *many(";")[:1], *(row.replace(".", ",") for row in many(";")[1:])),
        error=E.InputError,
        says="decimal commas",
    ),
]
