"""Errors of very many rows on a few thousand values: relative bins about a centre.

A bin is named by the sign, the binary exponent and the first bits of the mantissa of an error's distance from the
centre, as in HDR histograms: an error moves by at most a fixed share of its distance from the centre, in the tails
as in the middle. The bins depend on the pooled errors only, not on who is in which group, so a permutation test on
the binned errors is as exact as one on the errors: what is approximate is the statistic, by the stated share.
"""

from __future__ import annotations

import math

import numpy as np

#: Bits of the mantissa that name a bin, before bins are merged.
BITS = 10
#: Distances below 2^-OCTAVES of the largest one count as none.
OCTAVES = 30
#: Place inside a bin, in this many steps: integer sums of it do not depend on their order.
STEPS = 1 << 20


def bins_of(values: np.ndarray, center: float, top: int) -> tuple[np.ndarray, np.ndarray]:
    """Bin of each value and the place in it.

    Parameters
    ----------
    values : float64[n]
    center : float
    top : int
        Binary exponent of the largest distance (``math.frexp``).

    Returns
    -------
    bins : int64[n]
        0 at the centre, positive above, negative below; ascending with the value.
    places : int64[n]
        Steps of 1 / `STEPS` of the bin's width, from its end nearer to the centre.
    """
    gaps = values - center
    mantissa, exponent = np.frexp(np.abs(gaps))
    octave = np.where(gaps == 0.0, -1, exponent.astype(np.int64) - (top - OCTAVES))
    inside = (mantissa - 0.5) * float(2 << BITS)
    step = np.floor(inside).astype(np.int64)
    bins = np.where(octave < 0, 0, (np.maximum(octave, 0) << BITS) + step + 1)
    places = np.where(octave < 0, 0, np.floor((inside - step) * STEPS)).astype(np.int64)
    return np.where(gaps < 0.0, -bins, bins), places


def value_of(bins: np.ndarray, places: np.ndarray, center: float, top: int) -> np.ndarray:
    """Values at a (mean) place inside bins; ``places`` may be fractions of a step."""
    name = np.abs(bins) - 1
    octave, step = name >> BITS, name & ((1 << BITS) - 1)
    mantissa = 0.5 + (step + places / STEPS) / float(2 << BITS)
    distance = np.ldexp(mantissa, (octave + (top - OCTAVES)).astype(np.int32))
    return np.where(bins == 0, center, center + np.sign(bins) * distance)


def merged(bins: np.ndarray, limit: int) -> tuple[np.ndarray, int]:
    """Merge neighbouring bins until at most ``limit`` are left.

    Returns
    -------
    names : int64[n]
        Merged bin of each bin, ascending with it.
    bits : int
        Bits of the mantissa that are left: a value moved by at most 2^-bits of its distance from the centre.
    """
    for drop in range(BITS + 1):
        names = np.sign(bins) * ((np.abs(bins) - 1 >> drop) + 1)
        names = np.where(bins == 0, 0, names)
        if np.unique(names).size <= limit or drop == BITS:
            return names, BITS - drop
    raise AssertionError


def exponent_of(low: float, high: float, center: float) -> int:
    """Binary exponent of the largest distance of values in [low, high] from the centre."""
    return math.frexp(max(abs(low - center), abs(high - center)))[1]
