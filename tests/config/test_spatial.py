from __future__ import annotations

import pytest

from movfair_spark.config.load import build, parse
from movfair_spark.config.resources import read
from movfair_spark.config.spatial import Grid, SpatialConfig, Squares
from movfair_spark.errors import ConfigurationError


def test_the_file_of_recommended_values_is_valid():
    config = build(SpatialConfig, parse(read("spatial.yaml"), "spatial.yaml"))
    assert config.regions == [Grid(kind="grid", columns=20, rows=20)]


def test_every_kind_of_region_in_its_comments_is_valid():
    lines = [line.split("# - ", 1)[1] for line in read("spatial.yaml").splitlines() if "# - {kind" in line]
    config = build(
        SpatialConfig, parse("regions:\n" + "\n".join(f"  - {line}" for line in lines), "comments")
    )
    assert [layer.kind for layer in config.regions] == [
        "random",
        "square",
        "polygons",
        "squares",
        "circles",
        "nearest",
    ]
    assert isinstance(config.regions[3], Squares)


@pytest.mark.parametrize(
    ("region", "words"),
    [
        ({"kind": "squares", "least": 2, "most": 1}, "not below"),
        ({"kind": "random", "least": 9, "most": 3}, "above most"),
        ({"kind": "nearest", "centres": []}, "at least one"),
        ({"kind": "hexagons"}, "kind"),
    ],
)
def test_impossible_regions_are_refused(region, words):
    with pytest.raises(ConfigurationError, match=words):
        build(SpatialConfig, {"regions": [region]})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"scan": {"model": "normal", "draw": "counts"}}, "permuted"),
        ({"scan": {"model": "multinomial", "direction": "high"}}, "direction"),
        ({"scan": {"outcome": "residual"}}, "model: normal"),
        ({"input": {"columns": {"weight": "w"}}}, "real outcomes"),
        (
            {"input": {"columns": {"weight": "w", "stratum": "s"}}, "scan": {"model": "normal"}},
            "leave one out",
        ),
        ({"input": {"classes": ["a", "b"]}}, "multinomial"),
        ({"input": {"positive": "a"}, "scan": {"model": "multinomial"}}, "0 and 1"),
        ({"report": {"view": [3, 0, 1, 2]}}, "min x"),
    ],
)
def test_what_does_not_go_together_is_refused(content, words):
    with pytest.raises(ConfigurationError, match=words):
        build(SpatialConfig, content)
