"""How a pass is split into tasks, without Spark."""

from __future__ import annotations

from types import SimpleNamespace

from movfair_spark.stages.blocks import Supports
from movfair_spark.stages.counting import Worlds, _units


def scan_of(work: dict[int, int], *, classes: int = 1, parts: int = 2) -> SimpleNamespace:
    sizes = [
        SimpleNamespace(zoning_id=z, memberships=m)
        for z, m in sorted(work.items(), key=lambda item: -item[1])
    ]
    return SimpleNamespace(sizes=sizes, plan=SimpleNamespace(classes=classes, parts=parts, lane=1024))


def test_the_heaviest_zonings_are_spread_first():
    units = _units(
        scan_of({0: 10, 1: 7, 2: 6, 3: 1}), dict.fromkeys(range(4), Supports(1)), Worlds(0, 99, True)
    )
    assert sorted(sorted(z for z, _ in unit.parts) for unit in units) == [[0, 3], [1, 2]]
    assert {unit.worlds for unit in units} == {Worlds(0, 99, True)}


def test_each_lane_of_1024_worlds_meets_every_block_once():
    units = _units(scan_of({5: 4, 6: 4}, classes=3), {5: Supports(1), 6: Supports(1)}, Worlds(1023, 4000))
    met = [(unit.worlds, part) for unit in units for part in unit.parts]
    assert len(met) == len(set(met)) == 3 * 6
    assert sorted({unit.worlds for unit in units}) == [
        Worlds(1023, 2047), Worlds(2047, 3071), Worlds(3071, 4000),
    ]  # fmt: skip


def test_the_observed_outcomes_are_counted_once():
    for last in (1022, 1023, 1024, 1025, 2048):
        units = _units(scan_of({0: 1}, parts=1), {0: Supports(1)}, Worlds(0, last, True))
        assert sum(unit.worlds.observed for unit in units) == 1
        assert sorted(b for unit in units for b in unit.worlds.range) == list(range(last))
        assert all(len(unit.worlds.range) + unit.worlds.observed <= 1024 for unit in units)


def test_zonings_outside_the_round_are_left_out():
    units = _units(scan_of({0: 3, 1: 2}), {1: Supports(4, 9)}, Worlds(0, 10))
    assert [part for unit in units for part in unit.parts] == [(1, 0)]
