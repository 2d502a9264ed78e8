"""Counter-based random draws: one 64-bit word per (key, counter), and no state in between.

The mixing function is the finaliser of SplitMix64 (Steele, Lea & Flood 2014). Only integer operations and one
multiplication by a power of two lie between a counter and a draw, so the bits are the same on every machine.

Unsigned overflow is intended here. With ``NUMBA_DISABLE_JIT=1`` NumPy warns about it, which :func:`wrapping`
switches off around the entry points.
"""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_BYTE, _S8 = np.uint64(0xFF), np.uint64(8)
_UNIT = 2.0**-53
# Variance of a sum of four independent uniforms over 0..255, in units of that step.
_BELL_SCALE = 1.0 / (4 * (256.0 * 256.0 - 1.0) / 12.0) ** 0.5


def wrapping() -> np.errstate:
    """Context in which unsigned overflow is silent, as it is in compiled code."""
    return np.errstate(over="ignore")


@njit
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@njit
def key(parent: np.uint64, number: int) -> np.uint64:
    """Key of a child (a person, a day, a purpose) of another key; children of one parent do not collide."""
    return _mix(_mix(parent) + _GOLDEN * np.uint64(number + 1))


@njit
def word(of: np.uint64, counter: int) -> np.uint64:
    """Return the 64 random bits at a counter of a key's stream."""
    return _mix(of + _GOLDEN * np.uint64(counter + 1))


@njit
def unit(of: np.uint64, counter: int) -> float:
    """Return a draw from [0, 1), a multiple of 2^-53."""
    return np.float64(word(of, counter) >> _S11) * _UNIT


def stream(seed: int, *numbers: int) -> np.uint64:
    """Key of a purpose: a child of a child ... of a seed. Called from Python, outside kernels."""
    of = np.uint64(seed)
    with wrapping():
        for number in numbers:
            of = np.uint64(key(of, number))  # compiled code hands back a Python integer
    return of


@njit
def bell(bits: np.uint64) -> float:
    """Return a bell-shaped draw of mean 0 and variance 1 from the low 32 bits: a sum of four uniforms.

    Bounded at 3.46 in absolute value, which keeps all fixes of one visit within the radius of a stop for the
    default noise (5 m per axis, 50 m).
    """
    total = (
        (bits & _BYTE)
        + ((bits >> _S8) & _BYTE)
        + ((bits >> np.uint64(16)) & _BYTE)
        + ((bits >> np.uint64(24)) & _BYTE)
    )
    return (np.float64(total) - 510.0) * _BELL_SCALE
