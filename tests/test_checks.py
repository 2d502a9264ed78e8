from __future__ import annotations

from tests.checks import addresses, aggregates, cpu_dependent, driver_only, main


def test_a_jvm_access_in_a_stage_is_found():
    assert [line for line, _ in driver_only("x = 1\ny = frame.sparkSession._jvm\n", "stages")] == [2]


def test_a_jvm_access_in_the_session_is_allowed():
    assert not list(driver_only("y = spark._jvm\n", "session"))


def test_a_join_hint_is_no_broadcast():
    assert not list(driver_only("y = F.broadcast(zones)\n", "stages"))


def test_numpy_logarithms_and_powers_in_kernels_are_found():
    found = cpu_dependent("a = np.log(x)\nb = x ** 2\nc = 2 ** 32\n", "kernels")
    assert sorted(line for line, _ in found) == [1, 2]


def test_an_aggregate_of_sedona_is_found():
    """apache/sedona #2565: on Spark 4 ST_Envelope_Aggr of 1.8.1 still ends the job at a missing geometry."""
    assert [line for line, _ in aggregates('a = 1\nb = "ST_Envelope_Aggr(g)"\n', "stages")] == [2]


def test_an_index_address_in_a_lock_file_is_found():
    assert [line for line, _ in addresses("numpy==2\n--index-url x\n")] == [2]


def test_the_package_keeps_its_rules(capsys):
    assert main() == 0, capsys.readouterr().out
