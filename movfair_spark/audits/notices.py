"""Warnings of the steps, kept for the manifest."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Collector(logging.Handler):
    def __init__(self, into: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._into = into

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message."""
        self._into.append(record.getMessage())


@contextmanager
def collected() -> Iterator[list[str]]:
    """Collect the package's warnings of a block, in order."""
    found: list[str] = []
    handler = _Collector(found)
    logger = logging.getLogger("movfair_spark")
    logger.addHandler(handler)
    try:
        yield found
    finally:
        logger.removeHandler(handler)
