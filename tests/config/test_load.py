from __future__ import annotations

import pytest

from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build, override, parse
from movfair_spark.errors import ConfigurationError


def message(content: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        build(AuditConfig, parse(content, "audit.yaml"))
    return str(caught.value)


def test_an_empty_file_gives_the_recommended_values():
    assert build(AuditConfig, parse("", "audit.yaml")).scan.n_simulations == 999


def test_an_unknown_key_names_the_nearest_one():
    assert message("scan: {alpa: 0.1}") == "unknown key 'scan.alpa'. Did you mean 'alpha'?"


def test_an_unknown_key_in_a_list_of_zonings_names_the_nearest_one():
    assert "Did you mean 'size_m'?" in message("zonings: {layers: [{kind: square, sizem: [50]}]}")


def test_an_impossible_value_names_key_value_and_limit():
    assert message("scan: {alpha: 2}") == "scan.alpha = 2: input should be less than 1."


def test_nan_is_refused():
    assert "finite" in message("labels: {min_matched_share: .nan}")


def test_a_key_that_stands_twice_is_refused():
    assert "'alpha' stands twice" in message("scan:\n  alpha: 0.1\n  alpha: 0.2\n")


def test_broken_yaml_names_file_and_line():
    assert message("scan: [1,\n").startswith("audit.yaml, line 2 is no YAML")


def test_a_list_at_the_top_is_refused():
    assert "holds a list" in message("- 1\n")


def test_a_set_pair_wins_over_the_file():
    content = override({"scan": {"alpha": 0.05, "seed": 4}}, ["scan.alpha=0.2"])
    assert content == {"scan": {"alpha": 0.2, "seed": 4}}


def test_a_set_pair_takes_yaml_lists():
    content = override({}, ["zonings.layers=[{kind: square, size_m: [100], shifts: 1}]"])
    assert build(AuditConfig, content).zonings.layers[0].size_m == [100.0]


def test_a_set_pair_leaves_its_input_alone():
    file = {"scan": {"alpha": 0.05}}
    override(file, ["scan.alpha=0.2"])
    assert file == {"scan": {"alpha": 0.05}}


@pytest.mark.parametrize("pair", ["scan.alpha", "=3"])
def test_a_set_pair_without_key_or_value_is_refused(pair):
    with pytest.raises(ConfigurationError, match="key=value"):
        override({}, [pair])


def test_a_set_pair_below_a_plain_value_is_refused():
    with pytest.raises(ConfigurationError, match="plain value"):
        override({"strict": True}, ["strict.more=1"])


def test_an_unknown_time_zone_is_refused():
    assert "IANA" in message("time_zone: Roma")


def test_the_key_null_is_a_key():
    assert build(AuditConfig, parse("scan: {null: per_zoning}", "audit.yaml")).scan.null == "per_zoning"


def test_a_list_as_key_is_refused():
    assert "plain text" in message("? [1, 2]\n: 3\n")


def test_a_fault_of_a_section_names_it_without_its_values():
    assert (
        message("input: {min_year: 2030, max_year: 2020}") == "input: min_year 2030 is above max_year 2020."
    )
