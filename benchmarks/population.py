"""A synthetic population of the paper's size: 100,000 people with ten places each in a city of 4.7 x 4.8 km."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from movfair_spark.kernels.memberships import Memberships, pack

SIZES_M = (50, 75, 100, 200, 400, 600, 800, 1000)
SHIFTS = 5
TOP_CELLS = 8

_EXTENT_M = np.array([4700.0, 4800.0])
_HOMES, _WORKPLACES, _VENUES, _VISITED = 9000, 2500, 1200, 8


def places(n_people: int, seed: int = 3) -> np.ndarray:
    """Places of each person in order of importance, float64[n_people, 10, 2] in metres.

    A home, a workplace (popular ones have most people) and eight venues: three in four anywhere in the city by
    popularity, the others by popularity among the 25 nearest to home.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    homes, works, venues = (rng.random((n, 2)) * _EXTENT_M for n in (_HOMES, _WORKPLACES, _VENUES))
    popularity = rng.pareto(1.0, _VENUES) + 1
    home = rng.integers(0, _HOMES, n_people)
    size = rng.pareto(1.2, _WORKPLACES) + 1
    work = rng.choice(_WORKPLACES, n_people, p=size / size.sum())
    used, own = np.unique(home, return_inverse=True)
    distances = ((homes[used, None, :] - venues[None, :, :]) ** 2).sum(axis=2)
    near = np.argsort(distances, axis=1, kind="stable")[:, :25]
    shares = np.cumsum(popularity[near], axis=1)
    shares /= shares[:, -1:]
    found = [homes[home], works[work]]
    for k in range(_VISITED):
        if k % 4 == 3:
            chosen = (rng.random(n_people)[:, None] > shares[own]).sum(axis=1)
            venue = near[own, np.minimum(chosen, 24)]
        else:
            venue = rng.choice(_VENUES, n_people, p=popularity / popularity.sum())
        found.append(venues[venue])
    return np.stack(found, axis=1)


def zonings(
    xy: np.ndarray, sizes_m: tuple[int, ...] = SIZES_M, shifts: int = SHIFTS
) -> Iterator[Memberships]:
    """Cellsets of square grids: the first eight different cells of each person."""
    n = len(xy)
    for size in sizes_m:
        for shift in range(shifts):
            col, row = (
                np.floor((xy[:, :, k] + shift * size / shifts) / size).astype(np.int64) for k in (0, 1)
            )
            cell = (col << 32) + row + 2**31
            kept = np.ones(cell.shape, dtype=bool)
            for j in range(1, cell.shape[1]):
                kept[:, j] = ~(cell[:, :j] == cell[:, j : j + 1]).any(axis=1)
            kept &= np.cumsum(kept, axis=1) <= TOP_CELLS
            starts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
            yield pack(n, np.arange(n), starts, cell[kept])
