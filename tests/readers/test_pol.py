"""Tables of the Patterns-of-Life simulator."""

from __future__ import annotations

import pytest

from movfair_spark.errors import InputError
from tests.readers.helpers import examples, ingest, kept, reasons, write

HEADER = "step\tsimulationTime\tlocation\tagentId\tneighborhoodId\tage\tcurrentMode\t"


def row(
    agent,
    time="2019-07-01T00:00:00.000",
    place="POINT (743588.0540441733 3738088.020985135)",
    rest="0\t21.1\tAtHome\t",
):
    return f"0\t{time}\t{place}\t{agent}\t{rest}"


def test_the_simulators_own_row(spark, shared_data):
    """The control point of the notes: lon -84.370163, lat 33.754902."""
    result = ingest(spark, shared_data / "pol_atlanta" / "AgentStateTable-1.sample.tsv")
    [(uid, ts, x, y)] = kept(result)
    lon, lat = result.crs.to_lonlat([x], [y])
    assert (uid, ts, str(result.crs)) == ("0", 1_561_939_200_000_000, "EPSG:26916")
    assert (round(float(lon[0]), 6), round(float(lat[0]), 6)) == (-84.370163, 33.754902)


def test_only_the_first_file_has_the_header_and_no_record_is_lost(spark, tmp_path):
    """The reference notebook reads every file with a header and loses one record of each later file."""
    write(tmp_path / "in" / "AgentStateTable-1.tsv", HEADER, row(1), row(2))
    write(tmp_path / "in" / "AgentStateTable-2.tsv", row(3), row(4))
    write(tmp_path / "in" / "AgentStateTable.tsv", row(5))
    assert [r[0] for r in kept(ingest(spark, tmp_path / "in"))] == ["1", "2", "3", "4", "5"]


def test_rows_are_read_by_position(spark, tmp_path):
    """Null nested objects print as one 'null', so rows are ragged; NA and None are no missing ids."""
    lines = [
        HEADER,
        row(1, rest="null\t"),
        row(2, rest="0\t" * 30),
        row("NA"),
        row("None"),
        row(3, place="null"),
        row("null"),
        "5\t2019-07-01T00:00:00.000",
        row(4, place="POINT EMPTY"),
    ]
    result = ingest(spark, write(tmp_path / "AgentStateTable.tsv", *lines))
    assert [r[0] for r in kept(result)] == ["1", "2", "NA", "None"]
    assert reasons(result) == ["null_coordinate", "null_coordinate", "null_id", "ragged_row"]
    assert examples(result)["ragged_row"][1].endswith("AgentStateTable.tsv line 8")


def test_times_are_local_times_of_the_simulated_city(spark, tmp_path):
    path = write(tmp_path / "AgentStateTable.tsv", HEADER, row(1))
    assert kept(ingest(spark, path, "America/New_York", uid_type="int"))[0][:2] == (1, 1_561_953_600_000_000)


def test_a_file_without_a_header_needs_the_format(spark, tmp_path):
    path = write(tmp_path / "AgentStateTable-2.tsv", row(1))
    assert len(kept(ingest(spark, path, format="pol"))) == 1


def test_check_ins(spark, shared_data):
    """mobility.md section 4: 1,000 people, 38,097 check-ins, all in the box of Atlanta."""
    result = ingest(
        spark, shared_data / "pol_atlanta" / "Checkin.tsv.gz", "America/New_York", kind="checkins"
    )
    found = kept(result)
    assert result.frame.columns == ["uid", "arrive", "leave", "x", "y", "reason"]
    assert (len(found), len({r[0] for r in found}), str(result.crs)) == (38_097, 1_000, "EPSG:26916")
    assert all(r[1] == r[2] for r in found)
    lon, lat = result.crs.to_lonlat([r[3] for r in found], [r[4] for r in found])
    assert (round(lon.min(), 3), round(lon.max(), 3)) == (-84.411, -84.365)
    assert (round(lat.min(), 3), round(lat.max(), 3)) == (33.729, 33.762)


def test_another_table_is_refused(spark, tmp_path):
    with pytest.raises(InputError, match="Patterns-of-Life"):
        ingest(spark, write(tmp_path / "x.tsv", "a\tb", "1\t2"), format="pol")
