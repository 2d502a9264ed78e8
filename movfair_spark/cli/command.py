"""What every command does around its work: log file, session, signals, errors to one line and an exit code."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from movfair_spark.cli import sessions
from movfair_spark.cli.console import Console
from movfair_spark.cli.failures import explain
from movfair_spark.cli.interrupt import Interrupted, Interruptible
from movfair_spark.cli.logs import logged
from movfair_spark.cli.options import Common
from movfair_spark.cli.streams import redirected, separated
from movfair_spark.errors import ConfigurationError, MovfairError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DONE, UNEXPECTED, USAGE, EVIDENCE = 0, 1, 2, 3


@dataclass
class Work:
    """What a command's body gets."""

    spark: SparkSession
    console: Console


def run(common: Common, body: Callable[[Work], int]) -> int:
    """Run a command's body in a session.

    Parameters
    ----------
    common : Common
        The shared options.
    body : callable
        Takes a `Work`, prints the verdict, returns the exit code.

    Returns
    -------
    int
        0 done, 3 evidence (when asked), 2 a user's mistake, 1 anything else, 130 after Ctrl-C.
    """
    log: Path | None = None
    with Interruptible() as interruptible, ExitStack() as stack:
        try:
            log = stack.enter_context(_log(common))
            console = Console()
            stack.callback(console.close)
            stack.enter_context(logged(console, log))
            spark = stack.enter_context(
                sessions.opened(
                    interruptible, cores=common.cores, memory=common.memory, settings=common.spark
                )
            )
            code = body(Work(spark, console))
            # Stop the session before the streams come back, so that its last words go to the log.
            stack.close()
            return code
        except (Interrupted, KeyboardInterrupt):
            interruptible.number = interruptible.number or 2
            return _interrupted(stack, interruptible)
        except Exception as error:  # noqa: BLE001 - the border: everything becomes a line and a code
            if interruptible.number is not None:
                return _interrupted(stack, interruptible)
            with _kept_streams(stack):
                return report(error, log)


def report(error: Exception, log: Path | None) -> int:
    """Tell an error in one line on stderr; the stack trace of an unexpected one goes to the log file."""
    known = explain(error)
    if known is not None:
        where = f" Spark's log: {log}" if log is not None and log.stat().st_size else ""
        print(f"movfair: {known}{where}", file=sys.stderr, flush=True)
        return known.exit_code
    trace = "".join(traceback.format_exception(error))
    first = (
        f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}".rstrip(
            ": "
        )
    )
    if log is None:
        print(trace, file=sys.stderr)
        print(f"movfair: unexpected error: {first}", file=sys.stderr, flush=True)
    else:
        with log.open("a", encoding="utf-8") as file:
            file.write(trace)
        print(f"movfair: unexpected error: {first}. The stack trace is in {log}", file=sys.stderr, flush=True)
    return UNEXPECTED


def guarded(body: Callable[[], int]) -> int:
    """Run a command from its first check on; errors end as in `run`."""
    with separated(sessions.submitted()):
        try:
            return body()
        except MovfairError as error:
            return report(error, None)


def _interrupted(stack: ExitStack, interruptible: Interruptible) -> int:
    with _kept_streams(stack):
        print("movfair: interrupted; finished steps are used again next time", file=sys.stderr, flush=True)
    return interruptible.exit_code


@contextmanager
def _kept_streams(stack: ExitStack) -> Iterator[None]:
    """Close the session first (its words belong into the log), then speak on the real streams."""
    stack.close()
    yield


@contextmanager
def _log(common: Common) -> Iterator[Path | None]:
    if sessions.active() is not None or sessions.submitted():
        # Their JVM was started by somebody else, with streams of its own.
        if common.log_file is not None:
            raise ConfigurationError(
                "--log-file: the JVM runs already and its log cannot be moved",
                "set the variable MOVFAIR_LOG before spark-submit $(movfair spark-args)",
            )
        yield _submitted_log()
        return
    with redirected(common.log_file or _default_log(common.output)) as path:
        yield path


def _submitted_log() -> Path | None:
    path = Path(os.environ.get("MOVFAIR_LOG", "movfair-spark.log")).absolute()
    return path if sessions.submitted() and path.is_file() else None


def _default_log(output: str | None) -> Path:
    parts = urlsplit(output or "")
    if output and parts.scheme in ("", "file"):
        return Path(parts.path if parts.scheme else output).expanduser().absolute() / "movfair.log"
    handle, name = tempfile.mkstemp(prefix="movfair-", suffix=".log")
    os.close(handle)
    return Path(name)
