"""Polygon files as zonings: order, repair, overlaps and refusals; local files need no Spark."""

from __future__ import annotations

import geopandas as gpd
import pytest
import shapely

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import InputError, MissingColumnsError
from movfair_spark.readers.polygons import read_polygons

BOWTIE = shapely.Polygon([(0, 0), (8, 6), (8, 0), (0, 2)])
PLANAR = CoordinateSystem.parse("planar")


def file_of(tmp_path, shapes, *, name="cells.gpkg", crs="EPSG:32616", **columns):
    path = tmp_path / name
    frame = gpd.GeoDataFrame(columns, geometry=list(shapes), crs=crs)
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_file(path)
    return str(path)


def squares(n):
    return [shapely.box(k, 0, k + 1, 1) for k in range(n)]


def read(path, **options):
    return read_polygons(None, path, **options)


@pytest.mark.parametrize("name", ["cells.gpkg", "cells.geojson", "cells.shp", "cells.parquet"])
def test_forms(tmp_path, name):
    cells, crs = read(file_of(tmp_path, squares(3), name=name, code=["a", "b", "c"]), id_column="code")
    assert cells.names == ("a", "b", "c")
    assert crs.definition == "EPSG:32616"
    assert [shapely.from_wkb(wkb).bounds[0] for wkb in cells.wkb] == pytest.approx([0, 1, 2])


def test_order_by_position_without_an_id_column(tmp_path):
    cells, _ = read(file_of(tmp_path, reversed(squares(3)), code=["c", "b", "a"]))
    assert cells.names == ("0", "1", "2")
    assert [shapely.from_wkb(wkb).bounds[0] for wkb in cells.wkb] == [2, 1, 0]


@pytest.mark.parametrize(
    ("ids", "expected"), [([10, 9, 2], ("2", "9", "10")), (["10", "9", "2"], ("10", "2", "9"))]
)
def test_order_by_id_numbers_as_numbers_texts_as_texts(tmp_path, ids, expected):
    cells, _ = read(file_of(tmp_path, squares(3), code=ids), id_column="code")
    assert cells.names == expected


def test_bowtie_keeps_both_lobes(tmp_path):
    """shapely #462, locationtech/jts #629: a zero buffer loses the left triangle (area 18 instead of 20)."""
    cells, _ = read(file_of(tmp_path, [BOWTIE]))
    shape = shapely.from_wkb(cells.wkb[0])
    assert cells.repaired == 1
    assert shape.area == pytest.approx(20.0)
    inside = [shape.intersects(shapely.Point(*at)) for at in [(0.5, 1), (6, 2), (4, 5)]]
    assert inside == [True, True, False]


def test_bowtie_refused_on_request(tmp_path):
    with pytest.raises(InputError, match="1 invalid polygons, the first at position 1: Self-intersection"):
        read(file_of(tmp_path, [shapely.box(20, 0, 21, 1), BOWTIE]), invalid="refuse")


def test_overlaps_are_counted_shared_edges_are_none(tmp_path):
    shapes = [*squares(3), shapely.box(0.5, 0, 1.5, 1)]
    assert read(file_of(tmp_path, shapes))[0].overlaps == 2
    assert read(file_of(tmp_path, squares(3)))[0].overlaps == 0


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_file_without_a_system_is_planar_or_refused(tmp_path):
    path = file_of(tmp_path, squares(1), crs=None)
    assert read(path, default_crs=PLANAR)[1] == PLANAR
    with pytest.raises(InputError, match="names no coordinate reference system"):
        read(path)


def test_what_is_no_polygon_is_refused(tmp_path):
    with pytest.raises(InputError, match="a LineString at position 1"):
        read(file_of(tmp_path, [*squares(1), shapely.LineString([(0, 0), (1, 1)])], name="mixed.geojson"))
    with pytest.raises(InputError, match="does not exist"):
        read(str(tmp_path / "absent.gpkg"))
    (tmp_path / "text.geojson").write_text("hello")
    with pytest.raises(InputError, match="cannot be read as polygons"):
        read(str(tmp_path / "text.geojson"))
    (tmp_path / "none.geojson").write_text('{"type": "FeatureCollection", "features": []}')
    with pytest.raises(InputError, match="no polygons|no geometry"):
        read(str(tmp_path / "none.geojson"))


def test_id_column_must_exist_and_be_unique(tmp_path):
    path = file_of(tmp_path, squares(2), code=["a", "a"])
    with pytest.raises(MissingColumnsError, match="no column 'tract'"):
        read(path, id_column="tract")
    with pytest.raises(MissingColumnsError, match="empty or repeated"):
        read(path, id_column="code")
