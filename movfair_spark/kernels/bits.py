"""Bit operations that Numba has no name for."""

from __future__ import annotations

from typing import Any

from numba import extending, types
from numba.extending import overload

# The decorator adds the typing context to the call; its annotations do not say so.
intrinsic: Any = extending.intrinsic


def trailing_zeros(value: int) -> int:
    """Position of the lowest set bit of an int64 or uint64 that is not 0 (one machine instruction when compiled)."""
    value = int(value)
    return (value & -value).bit_length() - 1


@intrinsic
def _trailing_zeros(typingctx, value):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(value), generate


@overload(trailing_zeros, inline="always")
def _compiled_trailing_zeros(value):
    return lambda value: _trailing_zeros(value)
