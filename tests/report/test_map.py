"""map.png: a picture in which places that more evidence covers are darker."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np
import pytest
import shapely

from movfair_spark.report.map import evidence_map
from tests.report.evidence import PLANAR, row, shown

BOX = (0.0, 0.0, 2000.0, 2000.0)


def pixels(png: bytes) -> np.ndarray:
    return matplotlib.image.imread(io.BytesIO(png), format="png")[..., :3]


def draw(*rows, **options) -> np.ndarray:
    return pixels(evidence_map(shown(*rows, crs=PLANAR), BOX, title="Title", **options))


def at(image: np.ndarray, x: float, y: float) -> np.ndarray:
    """Colour at a place: the black rectangle of the box tells where the map lies in the picture."""
    black = (image < 0.02).all(axis=2)
    columns = np.flatnonzero(black.sum(axis=0) > 0.5 * image.shape[0])
    lines = np.flatnonzero(black.sum(axis=1) > 0.5 * image.shape[1])
    left, right, upper, lower = columns[0], columns[-1], lines[0], lines[-1]
    return image[
        int(lower + (upper - lower) * y / (BOX[3] - BOX[1])),
        int(left + (right - left) * x / (BOX[2] - BOX[0])),
    ]


def test_covered_twice_is_darker_than_once_and_uncovered_is_white():
    image = draw(row(1, [(2, 2)], crs=PLANAR), row(2, [(2, 2), (3, 2)], crs=PLANAR))
    twice, once, never = at(image, 450, 550), at(image, 750, 550), at(image, 1500, 1500)
    assert twice.sum() < once.sum() < never.sum()
    assert never == pytest.approx([1.0, 1.0, 1.0])


def test_directions_have_their_own_colours():
    image = draw(row(1, [(2, 2)], crs=PLANAR), row(2, [(7, 7)], crs=PLANAR, direction="high"))
    low, high = at(image, 450, 550), at(image, 1450, 1550)
    assert low[0] > low[2] and high[2] > high[0]


def test_rows_without_a_direction_are_drawn_too():
    image = draw(row(1, [(2, 2)], crs=PLANAR, direction="mixed"))
    assert at(image, 450, 550).mean() < 0.9


def test_city_is_pale():
    image = draw(row(1, [(2, 2)], crs=PLANAR), background=[shapely.box(1000, 1000, 1400, 1400)])
    assert 0.8 < at(image, 1200, 1200).mean() < 0.95


def test_no_evidence_and_a_flat_box_still_give_a_picture():
    assert draw().shape[2] == 3
    assert pixels(evidence_map(shown(crs=PLANAR), (5.0, 5.0, 5.0, 5.0), title="One place")).size


def test_same_input_same_bytes():
    rows = shown(row(1, [(2, 2)], crs=PLANAR), crs=PLANAR)
    assert evidence_map(rows, BOX, title="T") == evidence_map(rows, BOX, title="T")
