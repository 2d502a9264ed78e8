"""Separated text of any layout."""

from __future__ import annotations

import gzip

import pytest

from movfair_spark.config.input import InputConfig
from movfair_spark.errors import InputError
from movfair_spark.readers import read_input
from movfair_spark.readers.csv import sniff
from tests.readers.helpers import ingest, kept, reasons, write

HEADER = "uid,time,lon,lat"
ROWS = ["a,2024-01-01T10:00:00Z,12.5,41.9", "b,2024-01-01T10:05:00Z,12.6,41.8"]
EXPECTED = [("a", 1_704_103_200_000_000, 12.5, 41.9), ("b", 1_704_103_500_000_000, 12.6, 41.8)]


@pytest.mark.parametrize("separator", ["\t", ";", "|", " "])
def test_the_separator_is_found(separator):
    assert sniff([line.replace(",", separator) for line in [HEADER, *ROWS]], "points") == separator


def test_one_bad_row_does_not_hide_the_separator():
    assert sniff([HEADER, *ROWS, *ROWS, "a,b"], "points") == ","


def test_blanks_in_times_are_no_separator():
    assert sniff(["lat,lng,datetime,uid", "39.98,116.3,2008-10-23 05:53:05,001"], "points") == ","


@pytest.mark.parametrize(
    ("lines", "settings"),
    [
        ([line.replace(",", "||") for line in [HEADER, *ROWS]], {"separator": "||"}),
        ([f'"{line}"'.replace(",", '";"') for line in [HEADER, *ROWS]], {}),
        (["\ufeff" + HEADER, "", *ROWS, "   "], {}),
        ([HEADER, *(row + "," for row in ROWS)], {}),
        ([HEADER + ",note", *(row + ',"a, ""b"""' for row in ROWS)], {}),
        (ROWS, {"header": False, "columns": {"uid": 0, "time": 1, "x": 2, "y": 3}}),
        ([" uid , time, lon ,lat", *ROWS], {}),
    ],
    ids=[
        "two signs",
        "quotes",
        "mark and blank lines",
        "trailing separators",
        "quoted signs",
        "no header",
        "blanks",
    ],
)
def test_layouts(spark, tmp_path, lines, settings):
    assert kept(ingest(spark, write(tmp_path / "p.csv", *lines), **settings)) == EXPECTED


def test_line_ends_of_windows_and_a_last_line_without_one(spark, tmp_path):
    (tmp_path / "p.csv").write_bytes("\r\n".join([HEADER, *ROWS]).encode())
    assert kept(ingest(spark, tmp_path / "p.csv")) == EXPECTED


def test_packed_files(spark, tmp_path):
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress("\n".join([HEADER, *ROWS]).encode()))
    assert kept(ingest(spark, tmp_path / "p.csv.gz")) == EXPECTED


def test_a_folder_with_the_header_in_the_first_file_only(spark, tmp_path):
    write(tmp_path / "in" / "0.csv", HEADER, ROWS[0])
    write(tmp_path / "in" / "1.csv", ROWS[1])
    (tmp_path / "in" / "2.csv").write_bytes(b"")
    (tmp_path / "in" / "_SUCCESS").write_bytes(b"")
    assert kept(ingest(spark, tmp_path / "in")) == EXPECTED


def test_a_glob_and_a_list_of_paths(spark, tmp_path):
    first = write(tmp_path / "a" / "0.csv", HEADER, ROWS[0])
    write(tmp_path / "b" / "1.csv", HEADER, ROWS[1])
    assert kept(ingest(spark, tmp_path / "*" / "*.csv")) == EXPECTED
    listed = read_input(spark, InputConfig(path=[str(first), str(tmp_path / "b")]))
    assert kept(listed) == EXPECTED


def test_a_row_of_another_width_is_rejected_and_never_filled_up(spark, tmp_path):
    lines = [HEADER, *ROWS, "c,2024-01-01T10:00:00Z,12,5,41,9", "c,2024-01-01T10:00:00Z,12"]
    result = ingest(spark, write(tmp_path / "p.csv", *lines))
    assert (kept(result), reasons(result)) == (EXPECTED, ["ragged_row", "ragged_row"])


def test_another_header_in_a_later_file_is_refused(spark, tmp_path):
    """Spark would read the columns of the second file in the order of the first."""
    write(tmp_path / "in" / "0.csv", HEADER, ROWS[0])
    write(tmp_path / "in" / "1.csv", "uid,time,lat,lon", "b,2024-01-01T10:05:00Z,41.8,12.6")
    with pytest.raises(InputError, match="1.csv has another header"):
        ingest(spark, tmp_path / "in")
