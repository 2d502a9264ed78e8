"""Settings of the zonings: the paper's grids by default, impossible ones refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from movfair_spark.config.zonings import PolygonZoning, SquareZonings, ZoningsConfig


def test_default_is_the_papers_forty_grids():
    (layer,) = ZoningsConfig().layers
    assert isinstance(layer, SquareZonings)
    assert layer.size_m == [50, 75, 100, 200, 400, 600, 800, 1000] and layer.shifts == 5


@pytest.mark.parametrize(
    ("layer", "match"),
    [
        ({"kind": "square", "size_m": [0]}, "greater than 0"),
        ({"kind": "square", "size_m": [-50]}, "greater than 0"),
        ({"kind": "square", "size_m": []}, "at least 1"),
        ({"kind": "square", "size_m": [100, 50, 100]}, "same size twice"),
        ({"kind": "square", "shifts": 0}, "greater than or equal to 1"),
        ({"kind": "polygons", "path": ""}, "at least 1 character"),
        ({"kind": "hexagons"}, "hexagons"),
    ],
)
def test_impossible_layers_are_refused(layer, match):
    with pytest.raises(ValidationError, match=match):
        ZoningsConfig.model_validate({"layers": [layer]})


@pytest.mark.parametrize("crs", ["auto", "input", "EPSG:26916", "planar"])
def test_known_systems(crs):
    assert ZoningsConfig(crs=crs).crs == crs


def test_unknown_system_is_refused():
    with pytest.raises(ValidationError, match="names no coordinate reference system"):
        ZoningsConfig(crs="EPSG:999999")


@pytest.mark.parametrize("share", [0, 1.5, -0.1])
def test_share_is_a_share(share):
    with pytest.raises(ValidationError):
        ZoningsConfig(max_cell_share=share)


def test_polygon_layer():
    layer = ZoningsConfig.model_validate({"layers": [{"kind": "polygons", "path": "tracts.gpkg"}]}).layers[0]
    assert isinstance(layer, PolygonZoning) and layer.invalid == "repair"
