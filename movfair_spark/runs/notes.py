"""Notes: intermediate results of a long step, kept under keys of their own, so that a killed step goes on."""

from __future__ import annotations

from collections.abc import Callable

from movfair_spark.runs.records import Records
from movfair_spark.session.filesystem import FileSystem


class Notes:
    """Texts by name and key in ``steps/NAME/KEY/ATTEMPT/note.json``.

    Parameters
    ----------
    files : FileSystem
    records : Records
    check : callable
        Raises when this driver must not write any more.
    """

    def __init__(self, files: FileSystem, records: Records, check: Callable[[], None]) -> None:
        self._files = files
        self._records = records
        self._check = check

    def get(self, name: str, key: str | None) -> str | None:
        """Read a note; None when there is none, or no key."""
        found = self._records.find(name, key)
        return None if found is None else self._files.read_text(f"{found[0]}/note.json")

    def put(self, name: str, key: str | None, text: str) -> None:
        """Write a note in place of the one before; nothing happens without a key."""
        if key is None:
            return
        self._check()
        attempt = self._records.new_attempt(name, key)
        self._files.write(f"{attempt}/note.json", text)
        self._records.finish(attempt, {"step": name, "key": key})
        self._records.prune(attempt)
