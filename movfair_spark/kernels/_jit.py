"""One way to compile a kernel: cached on disk, without the GIL, never with fastmath.

``NUMBA_DISABLE_JIT=1`` runs the same functions as plain Python; tests hold both against each other. The cache
folder is Numba's own (``NUMBA_CACHE_DIR`` on executors with a read-only install).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def njit(function: F) -> F:
    """Compile a function in no-Python mode.

    Parameters
    ----------
    function : callable
        A function over arrays and scalars.

    Returns
    -------
    callable
        The compiled function; the function itself when ``NUMBA_DISABLE_JIT`` is set.
    """
    compiled: F = numba.njit(cache=True, nogil=True)(function)  # type: ignore[assignment]
    return compiled
