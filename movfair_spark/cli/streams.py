"""Standard streams at process level: what the JVM and Python workers print goes to a log file.

The JVM inherits file descriptors 1 and 2, so Python's ``sys.stdout`` alone would not catch it. The command keeps
copies of the real ones for the verdict and the progress.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from movfair_spark.errors import OutputError


@contextmanager
def separated(submitted: bool) -> Iterator[None]:
    """Keep progress and errors out of stdout under ``spark-submit``.

    Its JVM starts Python with stderr merged into stdout; the JVM's own stderr is the one that the user sees.

    Parameters
    ----------
    submitted : bool
        Whether ``spark-submit`` started this process; otherwise nothing is done.
    """
    before = sys.stderr
    if submitted:
        try:
            # Appending, since the JVM writes to the same file when it is one.
            sys.stderr = open(f"/proc/{os.getppid()}/fd/2", "a", buffering=1, encoding="utf-8")  # noqa: SIM115
        except OSError:
            yield
            return
    try:
        yield
    finally:
        if sys.stderr is not before:
            sys.stderr.close()
            sys.stderr = before


@contextmanager
def redirected(log_file: Path) -> Iterator[Path]:
    """Send descriptors 1 and 2 to a file while ``sys.stdout`` and ``sys.stderr`` stay what they were.

    Yields
    ------
    Path
        The log file.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    try:
        log_file.parent.mkdir(parents=True, exist_ok=True)
        target = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise OutputError(
            f"the log file {log_file} cannot be written ({error.strerror})",
            "choose another --output or --log-file",
        ) from None
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    before = sys.stdout, sys.stderr
    # Line buffering: a verdict that stays in a buffer is lost when a second Ctrl-C ends the process.
    sys.stdout, sys.stderr = (os.fdopen(os.dup(fd), "w", buffering=1, encoding="utf-8") for fd in kept)
    os.dup2(target, 1)
    os.dup2(target, 2)
    os.close(target)
    try:
        yield log_file
    finally:
        opened = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = before
        for stream in opened:
            stream.close()
        for descriptor, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, descriptor)
            os.close(copy)
