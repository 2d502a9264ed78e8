"""Where the package's own log goes: warnings to the console, everything to the log file."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from movfair_spark.cli.console import Console


class _ToConsole(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__(logging.WARNING)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self._console.line(f"notice: {record.getMessage()}")


@contextmanager
def logged(console: Console, file: Path | None) -> Iterator[None]:
    """Send the package's log to the console (warnings) and to a file (from INFO on) inside the block."""
    logger = logging.getLogger("movfair_spark")
    handlers: list[logging.Handler] = [_ToConsole(console)]
    if file is not None:
        handlers.append(logging.FileHandler(file, encoding="utf-8"))
        handlers[-1].setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    level = logger.level
    logger.setLevel(logging.INFO)
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        logger.setLevel(level)
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
