"""``run.lock``: one live driver per run folder.

The holder writes a heartbeat. A lock whose holder is dead on this machine, or whose heartbeat stands still for
``patience`` seconds of *our* clock (clocks of two machines need not agree), is stale and taken over.
"""

from __future__ import annotations

import json
import os
import platform
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from movfair_spark.errors import OutputError, RunLockedError
from movfair_spark.session.filesystem import FileSystem

INTERVAL_S = 4.0
PATIENCE_S = 20.0
SETTLE_S = 0.1
RELEASE_S = 15.0


def _machine() -> str:
    """Names the space in which our process id is unique: the booted kernel and its process namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return f"{platform.node()} {uuid.getnode()}"


def _started(pid: int) -> str | None:
    """Start time of a living process in kernel ticks; None when it is dead, '' when unknown."""
    try:
        # The second field (the command) may hold spaces and brackets: split behind its last bracket.
        fields = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return None
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return None
        except OSError:
            return ""
        return ""
    except OSError:
        return ""
    return None if fields[0] in "ZX" else fields[19]


class RunLock:
    """Lock of a run folder; a context manager.

    Parameters
    ----------
    files : FileSystem
    folder : str
        The run folder, qualified.
    interval_s, patience_s : float
        Seconds between heartbeats, and without one until the lock counts as stale.
    """

    def __init__(
        self,
        files: FileSystem,
        folder: str,
        *,
        interval_s: float = INTERVAL_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._files = files
        self._folder = folder
        self._path = f"{folder}/run.lock"
        self._interval = interval_s
        self._patience = patience_s
        self._owner = uuid.uuid4().hex
        self._beat = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lost = False

    def acquire(self) -> None:
        """Take the lock.

        Raises
        ------
        RunLockedError
            Another live driver holds it.
        OutputError
            The folder cannot be written.
        """
        if not self._files.create(self._path, self._content()):
            self._wait_until_stale()
            self._files.write(self._path, self._content())
        # Where creation is not exclusive, the last writer wins and both read the same name.
        time.sleep(SETTLE_S)
        holder = self._read()
        if holder.get("owner") != self._owner:
            raise self._refusal(holder)
        self._thread = threading.Thread(target=self._keep, name="run-lock", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Make sure that the lock is still ours, before something is recorded or published.

        Raises
        ------
        RunLockedError
            It was taken over while this process slept.
        """
        if self._lost or self._read().get("owner") != self._owner:
            self._lost = True
            raise RunLockedError(
                f"the lock of {self._folder} was taken over by another driver while this one stood still",
                "start the same command again when the other has ended: finished steps are used again",
            )

    def release(self) -> None:
        """Give the lock back; nothing happens when it is not ours any more.

        The heartbeat's thread does it: after Ctrl-C this thread's connection to the JVM may still wait for the
        answer of the call that was interrupted.
        """
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=RELEASE_S)
            self._thread = None

    def __enter__(self) -> RunLock:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _keep(self) -> None:
        while not self._stop.wait(self._interval):
            try:
                if self._read().get("owner") != self._owner:
                    self._lost = True
                    return
                self._beat += 1
                self._files.write(self._path, self._content())
            except Exception:  # noqa: BLE001, S112 - a store that is away for a moment; check() decides
                continue
        with suppress(Exception):
            if self._read().get("owner") == self._owner:
                self._files.delete(self._path)

    def _content(self) -> str:
        me = os.getpid()
        return json.dumps(
            {
                "owner": self._owner,
                "host": platform.node(),
                "machine": _machine(),
                "pid": me,
                "started": _started(me),
                "beat": self._beat,
                "patience_s": self._patience,
            }
        )

    def _read(self) -> dict[str, Any]:
        try:
            content = json.loads(self._files.read_text(self._path) or "{}")
        except ValueError:
            return {}
        return content if isinstance(content, dict) else {}

    def _wait_until_stale(self) -> None:
        seen = self._read()
        if _holder_is_dead(seen):
            return
        deadline = time.monotonic() + float(seen.get("patience_s", self._patience))
        while time.monotonic() < deadline:
            time.sleep(min(0.25, self._interval))
            now = self._read()
            if not now:
                if not self._files.exists(self._path):
                    return
                continue
            if (now.get("owner"), now.get("beat")) != (seen.get("owner"), seen.get("beat")):
                raise self._refusal(now)

    def _refusal(self, holder: dict[str, Any]) -> OutputError:
        return RunLockedError(
            f"another driver (process {holder.get('pid', '?')} on {holder.get('host', '?')}) works in {self._folder}",
            "wait until it ends, or choose another --output",
        )


def _holder_is_dead(holder: dict[str, Any]) -> bool:
    if holder.get("machine") != _machine() or not isinstance(holder.get("pid"), int):
        return False
    started = _started(holder["pid"])
    return started is None or bool(started and holder.get("started") and started != holder["started"])
