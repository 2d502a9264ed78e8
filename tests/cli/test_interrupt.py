"""Signals: the first raises and cancels, the handlers come back afterwards."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from movfair_spark.cli.interrupt import Interrupted, Interruptible, in_own_thread


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_cancels_and_raises(number: int, code: int) -> None:
    cancelled = threading.Event()
    with Interruptible() as interruptible:
        interruptible.cancel = cancelled.set
        with pytest.raises(Interrupted):
            os.kill(os.getpid(), number)
        assert cancelled.wait(5)
    assert interruptible.exit_code == code


def test_the_handlers_before_come_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interruptible():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before


def test_clean_up_that_fails_or_hangs_is_left_behind() -> None:
    in_own_thread(lambda: 1 / 0)
    in_own_thread(threading.Event().wait, seconds=0.05)
