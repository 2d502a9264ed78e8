"""The hook by which long steps tell how far they are; the console and notebooks each bring their own."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called on the driver, a few times per step, never from an executor."""

    def __call__(self, step: str, done: int, total: int, note: str = "") -> None:
        """Tell that ``done`` of ``total`` units of ``step`` are finished; ``note`` is a short remark."""


def silent(step: str, done: int, total: int, note: str = "") -> None:
    """Tell nobody."""
