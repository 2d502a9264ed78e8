"""What Spark throws, told as a user's mistake where it is one.

Errors that a Python worker raises reach the driver as text inside a Java exception.
"""

from __future__ import annotations

import re

from movfair_spark import errors
from movfair_spark.errors import MovfairError, OutputError

_RAISED_BY_A_WORKER = re.compile(r"movfair_spark\.errors\.(\w+): (.+)")


def explain(error: BaseException) -> MovfairError | None:
    """Find the user's mistake in an exception.

    Parameters
    ----------
    error : BaseException

    Returns
    -------
    MovfairError or None
        None when it is no mistake that we know.
    """
    if isinstance(error, MovfairError):
        return error
    java = getattr(error, "java_exception", None)
    text = f"{error}\n{java.toString() if java is not None else ''}"
    raised = _RAISED_BY_A_WORKER.search(text)
    if raised:
        kind = getattr(errors, raised.group(1), None)
        if isinstance(kind, type) and issubclass(kind, MovfairError):
            return kind(raised.group(2).strip())
    if "No space left on device" in text:
        return OutputError(
            "the disk is full", "free some space, or choose another --output or spark.local.dir"
        )
    return None
