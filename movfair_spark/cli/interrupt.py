"""Ctrl-C and SIGTERM: running jobs are cancelled, the lock is given back, the exit code tells the signal.

pyspark's own handler calls the JVM from inside the signal handler, on the connection that the interrupted call still
holds. Ours cancels the jobs from a thread of its own (with a connection of its own), so that the interrupted call gets
its answer, and raises.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(BaseException):
    """A signal asked the command to end."""


class Interruptible:
    """Context in which SIGINT and SIGTERM raise `Interrupted`; a second signal ends the process at once.

    Attributes
    ----------
    number : int or None
        The signal that came. An interrupted call may end in another exception than `Interrupted`, so ask this.
    cancel : callable or None
        Cancels what runs elsewhere.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.cancel: Callable[[], object] | None = None
        self._before: list[tuple[int, object]] = []

    @property
    def exit_code(self) -> int:
        """128 plus the signal's number: 130 for Ctrl-C."""
        return 128 + (self.number or 0)

    def arm(self) -> None:
        """Install the handlers; again after a SparkContext was made, which installs its own."""
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                signal.signal(number, self._handle)

    def __enter__(self) -> Interruptible:
        if threading.current_thread() is threading.main_thread():
            self._before = [(number, signal.getsignal(number)) for number in SIGNALS]
        self.arm()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before:
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self.number is not None:
            os._exit(128 + number)
        self.number = number
        if self.cancel is not None:
            threading.Thread(target=self._quietly, args=(self.cancel,), daemon=True).start()
        raise Interrupted

    @staticmethod
    def _quietly(action: Callable[[], object]) -> None:
        with suppress(Exception):
            action()


def in_own_thread(action: Callable[[], object], seconds: float = 15.0) -> None:
    """Run a clean-up call in a thread of its own and wait for it, but not for ever."""

    def guarded() -> None:
        with suppress(Exception):
            action()

    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    thread.join(seconds)
