from __future__ import annotations

import numpy as np
import pytest
from shapely.geometry import Point, Polygon

from movfair_spark.config.city import CityConfig
from movfair_spark.errors import ConfigurationError
from movfair_spark.synth.city import build
from movfair_spark.synth.outcomes import draw
from movfair_spark.synth.pattern import Region, plant
from movfair_spark.synth.visits import count_stops


def city(**pattern: int) -> CityConfig:
    return CityConfig(people=1500, days=7, pattern={"people": 90, **pattern})


@pytest.mark.parametrize(
    ("regions", "stops_per_region", "hotspots"), [(1, 1, 1), (2, 1, 1), (2, 3, 1), (3, 1, 2)]
)
def test_the_people_of_a_hotspot_are_those_with_enough_stops_in_each_region(
    regions, stops_per_region, hotspots
):
    """Paper section 5.2: association by stops, held against shapely on the regions as they are written."""
    config = city(regions=regions, stops_per_region=stops_per_region, hotspots=hotspots)
    _, spots, stops = count_stops(build(config), range(config.people))
    found = plant(config)
    assert len(found) == hotspots
    for hotspot in found:
        # Whoever joined last stands on the border: take them in.
        areas = [Polygon(region.corners()).buffer(1e-6) for region in hotspot.regions]
        assert len(areas) == regions
        expected = [
            person
            for person in range(config.people)
            if all(
                sum(
                    n
                    for x, y, n in zip(*spots[person], stops[person], strict=True)
                    if area.contains(Point(x, y))
                )
                >= stops_per_region
                for area in areas
            )
        ]
        assert hotspot.people.tolist() == expected


def test_a_hotspot_has_the_number_of_people_asked_for():
    assert 0 <= len(plant(city(people=90))[0].people) - 90 <= 10
    assert 0 <= len(plant(city(people=200))[0].people) - 200 <= 10


def test_regions_are_convex_hexagons_that_no_grid_contains():
    for region in plant(city())[0].regions:
        polygon = Polygon(region.corners())
        assert polygon.is_valid
        assert polygon.convex_hull.area == pytest.approx(polygon.area)
        assert polygon.exterior.is_ccw
        sides = np.diff(np.array(polygon.exterior.coords), axis=0)
        assert (np.abs(sides) > 1e-3).all()  # none runs north or east


def test_an_edge_that_the_others_cut_off_adds_no_corner():
    normals = np.array([(1, 0), (0.6, 0.8), (0, 1), (-1, 0), (-0.6, -0.8), (0, -1)], dtype=float)
    square = Region((10.0, 20.0), normals, np.array([1.0, 9.0, 1.0, 1.0, 9.0, 1.0]))
    assert square.corners() == [(9, 19), (11, 19), (11, 21), (9, 21)]


def test_the_seed_of_the_pattern_changes_the_pattern_alone():
    one, other = city(seed=1), city(seed=2)
    assert plant(one)[0].people.tolist() == plant(one)[0].people.tolist()
    assert plant(one)[0].people.tolist() != plant(other)[0].people.tolist()
    for a, b in zip(count_stops(build(one), range(50)), count_stops(build(other), range(50)), strict=True):
        np.testing.assert_array_equal(a, b)


def test_more_people_than_the_city_has_are_refused():
    with pytest.raises(ConfigurationError, match="pattern.people = 1501 is more than the 1500 people"):
        plant(city(people=1501))


def test_a_pattern_that_nobody_can_have_is_refused():
    with pytest.raises(ConfigurationError, match="100 stops in each was found"):
        plant(CityConfig(people=60, days=1, pattern={"people": 50, "stops_per_region": 100}))


def test_outcomes_have_one_rate_inside_and_one_outside():
    config = CityConfig(people=20_000, outcomes={"rate": 0.6, "magnitude": 0.4})
    inside = np.arange(0, 20_000, 4)
    outcomes = draw(config, np.arange(20_000), inside)
    outside = np.setdiff1d(np.arange(20_000), inside)
    assert outcomes[inside].mean() == pytest.approx(0.2, abs=5 * (0.16 / 5000) ** 0.5)
    assert outcomes[outside].mean() == pytest.approx(0.6, abs=5 * (0.24 / 15000) ** 0.5)


def test_the_direction_may_be_high_and_the_city_fair():
    people = np.arange(20_000)
    high = CityConfig(outcomes={"rate": 0.3, "magnitude": 0.4, "direction": "high"})
    fair = CityConfig(outcomes={"rate": 0.3, "magnitude": 0.4, "fair": True})
    assert draw(high, people, people).mean() == pytest.approx(0.7, abs=0.02)
    assert draw(fair, people, people).mean() == pytest.approx(0.3, abs=0.02)
    np.testing.assert_array_equal(draw(fair, people, people), draw(fair, people, people[:0]))


def test_an_outcome_belongs_to_the_person_not_to_the_batch():
    config, nobody = CityConfig(), np.empty(0, dtype=np.int64)
    every = draw(config, np.arange(1000), nobody)
    np.testing.assert_array_equal(draw(config, np.arange(600, 700), nobody), every[600:700])


def test_label_sets_of_different_seeds_are_unrelated():
    people, nobody = np.arange(10_000), np.empty(0, dtype=np.int64)
    one, other = (draw(CityConfig(outcomes={"seed": seed}), people, nobody) for seed in (1, 2))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.05


def test_an_impossible_rate_inside_is_refused():
    with pytest.raises(ValueError, match="rate inside the pattern would be -0.2"):
        CityConfig(outcomes={"rate": 0.2, "magnitude": 0.4})
