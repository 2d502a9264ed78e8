"""Attempts and records: ``steps/NAME/KEY/ATTEMPT/`` and, written last, ``steps/NAME/KEY/record.json``.

Each attempt has a folder of its own. A driver killed by SIGKILL leaves a JVM that lives on for seconds and deletes
what it was writing while it aborts: it can only reach the folder of its own attempt, which no record names.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from movfair_spark.session.filesystem import FileSystem

UNKEYED = "unkeyed"


class Records:
    """Records of one run folder.

    Parameters
    ----------
    files : FileSystem
    folder : str
        The run folder, qualified.
    """

    def __init__(self, files: FileSystem, folder: str) -> None:
        self._files = files
        self._steps = f"{folder}/steps"

    def new_attempt(self, step: str, key: str | None) -> str:
        """Path of a new attempt's folder; created, so that a watcher sees that the step has begun."""
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        place = self._place(step, key) if key else f"{self._steps}/{step}/{UNKEYED}-{uuid.uuid4().hex[:12]}"
        path = f"{place}/{stamp}-{uuid.uuid4().hex[:8]}"
        self._files.make_folder(path)
        return path

    def finish(self, attempt: str, record: Mapping[str, Any]) -> None:
        """Write the record that makes an attempt the step's result."""
        place, name = attempt.rsplit("/", 1)
        text = json.dumps({**record, "attempt": name}, indent=2, allow_nan=False, ensure_ascii=False)
        self._files.write(f"{place}/record.json", text + "\n")

    def find(self, step: str, key: str | None) -> tuple[str, dict[str, Any]] | None:
        """Find the finished attempt of a step.

        Returns
        -------
        tuple of str and dict, or None
            Folder of the attempt, and its record. A record that is cut short or names an attempt that is gone
            does not count.
        """
        if key is None:
            return None
        text = self._files.read_text(f"{self._place(step, key)}/record.json")
        if text is None:
            return None
        try:
            record = json.loads(text)
            attempt = f"{self._place(step, key)}/{record['attempt']}"
        except (ValueError, KeyError, TypeError):
            return None
        return (attempt, record) if self._files.exists(attempt) else None

    def prune(self, attempt: str) -> None:
        """Delete the attempts at the same step that no record names, and older results without a key."""
        place, name = attempt.rsplit("/", 1)
        step_folder, key = place.rsplit("/", 1)
        for other in self._files.names(place):
            if other not in (name, "record.json"):
                self._files.delete(f"{place}/{other}")
        if key.startswith(UNKEYED):
            for other in self._files.names(step_folder):
                if other.startswith(UNKEYED) and other != key:
                    self._files.delete(f"{step_folder}/{other}")

    def _place(self, step: str, key: str | None) -> str:
        return f"{self._steps}/{step}/{key}"
