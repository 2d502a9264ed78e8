"""Files behind a path, a folder or a glob, and what their first and last bytes tell before any job runs."""

from __future__ import annotations

import bz2
import re
import zlib
from collections.abc import Sequence
from urllib.parse import unquote

from pyspark.sql import SparkSession

from movfair_spark.errors import InputError
from movfair_spark.session.filesystem import FileInfo, FileSystem

FIRST_BYTES = 1 << 20
"""Bytes of the first file that are looked at: about 4,000 rows of the simulator's widest table."""

HEADER_BYTES = 1 << 16
MOST_FILES_CHECKED = 256
"""Headers and footers of at most so many files, evenly spread, are checked beforehand; the rest when reached."""

_UNREADABLE = {
    ".zip": "unpack it, or pack it again with gzip",
    ".tar": "unpack it",
    ".tgz": "unpack it",
    ".7z": "unpack it",
    ".xz": "pack it again with gzip",
    ".zst": "pack it again with gzip",
    ".xlsx": "save it as CSV",
    ".xls": "save it as CSV",
}


def paths_of(path: str | list[str] | None, section: str) -> list[str]:
    """Paths of a configuration as a list.

    Raises
    ------
    InputError
        None is given.
    """
    if path is None:
        raise InputError(f"{section}.path is not set", f"name a file, a folder or a glob in {section}.path")
    return [path] if isinstance(path, str) else list(path)


def list_files(spark: SparkSession, paths: Sequence[str]) -> list[FileInfo]:
    """All files behind the paths, sorted, hidden ones left out as Spark does.

    Raises
    ------
    InputError
        Nothing matches, nothing but empty folders, only empty files, or an archive that Spark cannot read.
    """
    system = FileSystem(spark)
    files = sorted({file for path in paths for file in system.files(path)})
    shown = ", ".join(paths)
    if not files:
        raise InputError(f"{shown} holds no file", "check the path")
    for file in files:
        ending = next((end for end in _UNREADABLE if file.path.lower().endswith(end)), None)
        if ending:
            raise InputError(f"{name_of(file.path)}: Spark does not read {ending} files", _UNREADABLE[ending])
    if all(file.size == 0 for file in files):
        raise InputError(f"{shown} is empty (0 bytes in {len(files)} file(s))", "check how it was written")
    return files


def name_of(path: str) -> str:
    """Write a path as people do: local ones without their scheme."""
    return unquote(re.sub(r"^file:/+", "/", path))


def spread(files: Sequence[FileInfo]) -> list[FileInfo]:
    """At most :data:`MOST_FILES_CHECKED` of the files, evenly spread, the first and the last among them."""
    if len(files) <= MOST_FILES_CHECKED:
        return list(files)
    step = (len(files) - 1) / (MOST_FILES_CHECKED - 1)
    return [files[round(i * step)] for i in range(MOST_FILES_CHECKED)]


def first_lines(spark: SparkSession, file: FileInfo, size: int = FIRST_BYTES) -> list[str]:
    """Whole lines at the start of a text file, unpacked when its name ends in .gz, .bz2 or .deflate.

    Parameters
    ----------
    file : FileInfo
    size : int
        Bytes to read at most.

    Raises
    ------
    InputError
        A broken archive, or bytes that are no UTF-8 text.
    """
    raw = FileSystem(spark).read_bytes(file.path, 0, min(size, file.size))
    try:
        data = _unpacked(file.path.lower(), raw)
    except (zlib.error, OSError, ValueError) as error:
        raise InputError(
            f"{name_of(file.path)} is a broken archive ({error})", "copy or write the file again"
        ) from None
    if data[:4] == b"PAR1":
        raise InputError(f"{name_of(file.path)} is a Parquet file, not text", "set format: parquet")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4096]:
        raise InputError(f"{name_of(file.path)} is no UTF-8 text", "save it as UTF-8")
    whole = len(data) if file.size <= size and data == raw else max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
    try:
        text = (data[:whole] or data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name_of(file.path)} is no UTF-8 text (byte {error.start + 1})", "save it as UTF-8"
        ) from None
    return re.split(r"\r\n|\n|\r", text.rstrip("\r\n")) if text.strip("\r\n") else []


def _unpacked(name: str, raw: bytes) -> bytes:
    if name.endswith(".gz"):
        if raw[:2] != b"\x1f\x8b":
            raise ValueError("it does not start like a gzip file")
        return zlib.decompressobj(wbits=31).decompress(raw, FIRST_BYTES)
    if name.endswith(".bz2"):
        return bz2.BZ2Decompressor().decompress(raw, FIRST_BYTES)
    if name.endswith(".deflate"):
        return zlib.decompressobj().decompress(raw, FIRST_BYTES)
    return raw


def partition_names(paths: Sequence[str], files: Sequence[FileInfo]) -> list[str]:
    """Names of ``key=value`` folders below the given paths, in the order of the path.

    Spark turns them into columns and would guess their types ('012' becomes 12): readers declare them as strings.
    """
    found: dict[str, None] = {}
    roots = [_one_slash(path).rstrip("/") + "/" for path in paths]
    for file in files:
        path = _one_slash(file.path)
        below = next((path[len(root) :] for root in roots if path.startswith(root)), "")
        for part in below.split("/")[:-1]:
            key, equals, _ = part.partition("=")
            if equals and key:
                found[unquote(key)] = None
    return list(found)


def _one_slash(path: str) -> str:
    """Write local paths alike: Python says file:///, Hadoop says file:/."""
    return re.sub(r"^file:/+", "file:/", path)
