"""Circular windows as SaTScan makes them, as sets of observations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from movfair_spark.kernels.eclat import Batch

Coordinates = Mapping[str, tuple[float, float]]


def read_coordinates(path) -> dict[str, tuple[float, float]]:
    rows = (line.split() for line in path.read_text().splitlines() if line.strip())
    return {name: (float(x), float(y)) for name, x, y in rows}


def circles(coordinates: Coordinates) -> Iterator[list[str]]:
    """Locations about every location by distance; at equal distance in file order."""
    names = list(coordinates)
    xy = np.array([coordinates[name] for name in names])
    for centre in xy:
        yield [names[i] for i in np.argsort(((xy - centre) ** 2).sum(axis=1), kind="stable")]


def members(
    coordinates: Coordinates,
    observations: Sequence[Sequence[str]],
    *,
    every: bool = False,
    largest_share: float = 0.5,
) -> list[tuple[int, ...]]:
    """Distinct windows as numbers of observations.

    An observation with several locations is in a window that holds any of them (``every``: all of them). A circle
    stops growing when it holds more than the largest share of the observations.
    """
    at: dict[str, list[int]] = {}
    for i, places in enumerate(observations):
        for place in set(places):
            at.setdefault(place, []).append(i)
    found: set[tuple[int, ...]] = set()
    for circle in circles(coordinates):
        missing = [len(set(places)) if every else 1 for places in observations]
        who: set[int] = set()
        for place in circle:
            for i in at.get(place, ()):
                missing[i] -= 1
                if missing[i] <= 0:
                    who.add(i)
            if len(who) > largest_share * len(observations):
                break
            if who:
                found.add(tuple(sorted(who)))
    return sorted(found)


def batch(windows: Sequence[tuple[int, ...]]) -> Batch:
    """Windows as candidates of a walk, so that the counters can take them."""
    starts = np.concatenate([[0], np.cumsum([len(who) for who in windows])]).astype(np.int64)
    flat = np.array([i for who in windows for i in who], dtype=np.int32)
    number = np.arange(len(windows) + 1, dtype=np.int64)
    return Batch(starts, flat, number, number[:-1], np.ones(len(windows), dtype=np.int64))


def read_bernoulli(folder, name: str) -> tuple[list[str], np.ndarray]:
    """One location and one label per observation from a .cas and a .ctl file."""
    places: list[str] = []
    labels: list[int] = []
    for suffix, label in ((".cas", 1), (".ctl", 0)):
        for line in (folder / f"{name}{suffix}").read_text().splitlines():
            if line.strip():
                place, count = line.split()[:2]
                places += [place] * int(count)
                labels += [label] * int(count)
    return places, np.array(labels, dtype=np.uint8)


def read_multilocation(folder) -> tuple[dict[str, list[str]], dict[str, tuple[float, float]]]:
    """Locations of each person, and coordinates."""
    places: dict[str, list[str]] = {}
    for line in (folder / "mv.mlo").read_text().splitlines():
        if line.strip():
            person, place = line.split()
            places.setdefault(person, []).append(place)
    return places, read_coordinates(folder / "mv.geo")


def expected(path) -> tuple[float, float, int]:
    """Statistic, p-value and number of cases of the first cluster of a SaTScan result."""
    fields: dict[str, str] = {}
    for line in path.read_text().split("2.Location IDs")[0].splitlines():
        name, _, value = line.partition(": ")
        fields.setdefault(name.strip().rstrip("."), value.strip())
    return (
        float(fields["Log likelihood ratio"]),
        float(fields["P-value"]),
        int(fields.get("Number of Replications", "0")),
    )
