"""A lane: 16 words of 64 bits, one bit for each of 1,024 worlds, as one value.

In compiled code a lane is a vector that stays in registers; Numba's own loops over 16 words are not vectorised reliably.
In plain Python (``NUMBA_DISABLE_JIT=1``) it is a uint64 array of 16 words, so that the same source runs in both. Lanes
have ``&``, ``|``, ``^`` and ``~``. Arrays of lanes are flat uint64 arrays; lane i is ``array[16 * i : 16 * i + 16]``.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending, types
from numba.extending import models, overload, register_model

# The decorator adds the typing context to the call; its annotations do not say so.
intrinsic: Any = extending.intrinsic

#: Words of a lane.
WORDS = 16
#: Worlds of a lane.
WORLDS = 64 * WORDS


def load(array: np.ndarray, i: int) -> np.ndarray:
    """Read lane i of a flat uint64 array; no bounds check."""
    return array[WORDS * i : WORDS * i + WORDS].copy()


def store(array: np.ndarray, i: int, lane: np.ndarray) -> None:
    """Write lane i of a flat uint64 array; no bounds check."""
    array[WORDS * i : WORDS * i + WORDS] = lane


def zero() -> np.ndarray:
    """Make a lane of zeros."""
    return np.zeros(WORDS, dtype=np.uint64)


def some(lane: np.ndarray) -> bool:
    """Tell whether any bit is set."""
    return bool(lane.any())


class _Lane(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lane1024")


_LANE = _Lane()
_VECTOR = ir.VectorType(ir.IntType(64), WORDS)
_ALIGNMENT = 8


@register_model(_Lane)
class _LaneModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, _VECTOR)


def _pointer(context, builder, array_type, array, index):
    data = context.make_array(array_type)(context, builder, array).data
    first = builder.mul(index, index.type(WORDS))
    return builder.bitcast(builder.gep(data, [first]), _VECTOR.as_pointer())


@intrinsic
def _load(typingctx, array, i):
    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature.args[0], arguments[0], arguments[1])
        return builder.load(pointer, align=_ALIGNMENT)

    return _LANE(array, types.intp), generate


@intrinsic
def _store(typingctx, array, i, lane):
    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature.args[0], arguments[0], arguments[1])
        builder.store(arguments[2], pointer, align=_ALIGNMENT)
        return context.get_dummy_value()

    return types.void(array, types.intp, _LANE), generate


@intrinsic
def _zero(typingctx):
    return _LANE(), lambda context, builder, signature, arguments: ir.Constant(_VECTOR, None)


@intrinsic
def _some(typingctx, lane):
    def generate(context, builder, signature, arguments):
        bits = ir.IntType(64 * WORDS)
        return builder.icmp_unsigned("!=", builder.bitcast(arguments[0], bits), bits(0))

    return types.boolean(_LANE), generate


def _binary(method):
    @intrinsic
    def operation(typingctx, a, b):
        def generate(context, builder, signature, arguments):
            return getattr(builder, method)(*arguments)

        return _LANE(_LANE, _LANE), generate

    return operation


_and, _or, _xor = _binary("and_"), _binary("or_"), _binary("xor")


@intrinsic
def _not(typingctx, a):
    return _LANE(_LANE), lambda context, builder, signature, arguments: builder.not_(arguments[0])


@overload(load, inline="always")
def _compiled_load(array, i):
    return lambda array, i: _load(array, i)


@overload(store, inline="always")
def _compiled_store(array, i, lane):
    return lambda array, i, lane: _store(array, i, lane)


@overload(zero, inline="always")
def _compiled_zero():
    return lambda: _zero()


@overload(some, inline="always")
def _compiled_some(lane):
    return lambda lane: _some(lane)


@overload(operator.and_)
def _compiled_and(a, b):
    if isinstance(a, _Lane) and isinstance(b, _Lane):
        return lambda a, b: _and(a, b)


@overload(operator.or_)
def _compiled_or(a, b):
    if isinstance(a, _Lane) and isinstance(b, _Lane):
        return lambda a, b: _or(a, b)


@overload(operator.xor)
def _compiled_xor(a, b):
    if isinstance(a, _Lane) and isinstance(b, _Lane):
        return lambda a, b: _xor(a, b)


@overload(operator.invert)
def _compiled_not(a):
    if isinstance(a, _Lane):
        return lambda a: _not(a)
