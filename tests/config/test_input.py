"""The sections ``input`` and ``labels`` of the configuration."""

from __future__ import annotations

import pytest

from movfair_spark.config.input import InputConfig, LabelsConfig
from movfair_spark.config.load import build
from movfair_spark.errors import ConfigurationError


def test_positions_and_values_may_be_written_as_numbers():
    assert InputConfig(columns={"uid": 0}).columns.uid == "0"
    assert LabelsConfig(positive=1, negative=[0]).positive_values == ("1",)
    assert InputConfig(crs=26916).crs == "26916"


@pytest.mark.parametrize(
    ("model", "content", "says"),
    [
        (InputConfig, {"path": []}, "at least one file"),
        (InputConfig, {"path": ""}, "at least one file"),
        (InputConfig, {"kind": "pings"}, "kind = 'pings'"),
        (InputConfig, {"time_unit": "minutes"}, "time_unit = 'minutes'"),
        (InputConfig, {"naive_times": "Rome"}, "IANA"),
        (InputConfig, {"max_accuracy_m": 0}, "greater than 0"),
        (InputConfig, {"max_accuracy_m": -5}, "greater than 0"),
        (InputConfig, {"min_year": 2050, "max_year": 2000}, "above max_year"),
        (InputConfig, {"time_unit": "s", "time_format": "yyyy"}, "one of them"),
        (InputConfig, {"one_person": "a", "columns": {"uid": "b"}}, "columns.uid names one"),
        (InputConfig, {"columns": {"x": "lat", "y": "lon"}}, "swapped"),
        (InputConfig, {"columns": {"geometry": "g", "x": "a"}}, "not both"),
        (InputConfig, {"columns": {"user": "a"}}, "unknown key 'columns.user'"),
        (InputConfig, {"separater": ";"}, "Did you mean 'separator'?"),
        (LabelsConfig, {"negative": "no"}, "without positive"),
        (LabelsConfig, {"positive": "a", "negative": ["a", "b"]}, "both positive and negative"),
        (LabelsConfig, {"min_matched_share": 1.5}, "less than or equal to 1"),
    ],
)
def test_impossible_values_are_refused(model, content, says):
    with pytest.raises(ConfigurationError) as raised:
        build(model, content)
    assert says in str(raised.value)
