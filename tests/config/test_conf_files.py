from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.base import Section
from movfair_spark.config.city import CityConfig
from movfair_spark.config.load import build, parse
from movfair_spark.config.resources import read
from movfair_spark.session.spark import RECOMMENDED, SEDONA


def load(name: str) -> AuditConfig:
    return build(AuditConfig, parse(read(name), name))


def test_the_base_file_holds_the_default_values():
    assert load("base.yaml") == AuditConfig()


def keys(model: type[Section]) -> Iterator[str]:
    """Names of a section's keys and of all sections in it; the city has a file of its own."""
    for name, field in model.model_fields.items():
        yield name
        waiting = [field.annotation]
        while waiting:
            each = waiting.pop()
            waiting += get_args(each)
            if isinstance(each, type) and issubclass(each, Section) and each is not CityConfig:
                yield from keys(each)


def test_the_base_file_names_every_key():
    written = set(re.findall(r"[a-z_]+(?=:)", read("base.yaml")))
    assert set(keys(AuditConfig)) - written == set()


def test_the_paper_file_holds_section_5_4():
    paper = load("paper.yaml")
    grid = paper.zonings.layers[0]
    assert (paper.stops.radius_m, paper.stops.min_minutes, paper.stops.compress_m) == (50, 10, 1)
    assert (grid.size_m, grid.shifts) == ([50, 75, 100, 200, 400, 600, 800, 1000], 5)
    assert (paper.cellsets.top_cells, paper.scan.alpha, paper.scan.n_simulations) == (8, 0.01, 999)


def test_spark_defaults_hold_what_the_local_session_sets():
    lines = [
        line.split(None, 1) for line in read("spark-defaults.conf").splitlines() if line and line[0] != "#"
    ]
    written = {key: value.strip() for key, value in lines}
    assert {**SEDONA, **RECOMMENDED}.items() <= written.items()


@pytest.mark.parametrize(
    "name", ["base.yaml", "paper.yaml", "city.yaml", "pol_atlanta.yaml", "garden_city.yaml"]
)
def test_every_configuration_file_is_valid(name):
    load(name)
