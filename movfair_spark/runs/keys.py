"""Keys: what a result depends on, as a SHA-256. Equal keys mean that a finished step can be used again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from movfair_spark.session.filesystem import FileInfo, FileSystem


def canonical(value: Any) -> str:
    """One spelling per value: JSON with sorted keys, no spaces and no NaN.

    Raises
    ------
    ValueError
        The value holds NaN or an infinity.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def digest(value: Any) -> str:
    """SHA-256 of a JSON value, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def step_key(
    step: str, version: int, parameters: Mapping[str, Any], inputs: Sequence[str | None]
) -> str | None:
    """Key of a step's result.

    Parameters
    ----------
    step : str
    version : int
        Raised whenever the step's rules change.
    parameters : mapping
        The step's own parameters and no others: a change elsewhere must not redo it.
    inputs : sequence of str or None
        Keys of its inputs, in a fixed order; None for an input that has none (a DataFrame).

    Returns
    -------
    str or None
        None when an input has no key: such a result is never used again.
    """
    if any(key is None for key in inputs):
        return None
    return digest([step, version, dict(parameters), list(inputs)])


@dataclass(frozen=True)
class Fingerprint:
    """What the manifest says about an input.

    ``key`` is None for a DataFrame. ``by`` tells what the key was made from.
    """

    source: str
    key: str | None
    by: str
    files: int = 0
    size: int = 0

    def as_json(self) -> dict[str, Any]:
        """Give the fingerprint the manifest's form."""
        return {
            "source": self.source,
            "key": self.key,
            "by": self.by,
            "files": self.files,
            "bytes": self.size,
        }


def fingerprint(files: FileSystem, paths: str | Iterable[str], *, content: bool = False) -> Fingerprint:
    """Fingerprint of a set of files.

    Parameters
    ----------
    files : FileSystem
    paths : str or iterable of str
        Files, folders and globs.
    content : bool
        Read every file (for stores whose modification times change by copying) instead of its size and time.

    Raises
    ------
    InputError
        A path names no file.
    """
    given = [paths] if isinstance(paths, str) else list(paths)
    found = sorted({info for path in given for info in files.files(path)})
    rows: list[list[Any]] = [_row(files, info, content) for info in found]
    return Fingerprint(
        source=", ".join(given),
        key=digest(rows),
        by="path, size and content" if content else "path, size and modification time",
        files=len(found),
        size=sum(info.size for info in found),
    )


def _row(files: FileSystem, info: FileInfo, content: bool) -> list[Any]:
    return [info.path, info.size, files.sha256(info.path) if content else info.modified]


def no_fingerprint(source: str) -> Fingerprint:
    """Make the fingerprint of a DataFrame: none, so nothing made from it is used again."""
    return Fingerprint(
        source=source, key=None, by="none: a DataFrame has no fingerprint, so no step is reused"
    )
