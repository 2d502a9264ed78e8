"""Hadoop's FileSystem as a handful of Python calls: any path that Spark can write is a run folder.

Only the driver calls it, and only for small files, names and listings: data goes through Spark's writers.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from movfair_spark.errors import InputError, OutputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, order=True)
class FileInfo:
    """One file: its qualified path, its size in bytes and its modification time in milliseconds."""

    path: str
    size: int
    modified: int


@contextmanager
def _as_output_error(action: str, path: str) -> Iterator[None]:
    from py4j.protocol import Py4JJavaError

    try:
        yield
    except Py4JJavaError as error:
        reason = str(error.java_exception.toString()).splitlines()[0]
        raise OutputError(
            f"cannot {action} {path} ({reason})", "choose another --output, or give yourself write access"
        ) from None


class FileSystem:
    """Files of the session's Hadoop configuration.

    Parameters
    ----------
    spark : SparkSession
        A classic session (one with a JVM).
    """

    def __init__(self, spark: SparkSession) -> None:
        jvm: Any = spark._jvm
        self._jvm = jvm
        self._conf: Any = spark._jsc.hadoopConfiguration()  # type: ignore[attr-defined]
        self._checksummed: Any = jvm.java.lang.Class.forName("org.apache.hadoop.fs.LocalFileSystem")

    def qualify(self, path: str | Path) -> str:
        """Absolute path with its scheme; a path without one belongs to the default file system."""
        text = str(path)
        default = self._jvm.org.apache.hadoop.fs.FileSystem.getDefaultUri(self._conf)
        if "://" not in text and not text.startswith("file:") and default.getScheme() == "file":
            # The JVM keeps the working directory it was started in; Python's is the user's.
            text = Path(text).expanduser().absolute().as_uri()
            return unquote(text)
        found = self._path(text)
        return str(found.getFileSystem(self._conf).makeQualified(found).toString())

    def local_path(self, path: str) -> Path | None:
        """Give the path as a local one, or None when it lies elsewhere."""
        parts = urlsplit(self.qualify(path))
        return Path(parts.path) if parts.scheme == "file" else None

    def exists(self, path: str) -> bool:
        """Whether a file or a folder is there."""
        found = self._path(path)
        with _as_output_error("look at", path):
            return bool(self._fs(found).exists(found))

    def names(self, folder: str) -> list[str]:
        """Names directly inside a folder, sorted; none when it is absent."""
        found = self._path(folder)
        fs = self._fs(found)
        if not fs.exists(found):
            return []
        return sorted(str(status.getPath().getName()) for status in fs.listStatus(found))

    def make_folder(self, path: str) -> None:
        """Create a folder and its parents."""
        found = self._path(path)
        with _as_output_error("create", path):
            done = self._fs(found).mkdirs(found)
        if not done:
            raise OutputError(
                f"cannot create {path}", "choose another --output, or give yourself write access"
            )

    def read_text(self, path: str) -> str | None:
        """Whole text of a small file, or None when it is absent."""
        found = self._path(path)
        fs = self._fs(found)
        if not fs.exists(found):
            return None
        stream = fs.open(found)
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream)).decode("utf-8")
        finally:
            stream.close()

    def create(self, path: str, text: str) -> bool:
        """Write a file that must not exist yet.

        Returns
        -------
        bool
            False when somebody else's file is there already.
        """
        found = self._path(path)
        fs = self._fs(found)
        if fs.exists(found):
            return False
        from py4j.protocol import Py4JJavaError

        try:
            self._write(fs, found, text.encode(), overwrite=False)
        except Py4JJavaError as error:
            if "AlreadyExists" in str(error.java_exception.toString()):
                return False
            reason = str(error.java_exception.toString()).splitlines()[0]
            raise OutputError(
                f"cannot write {path} ({reason})", "choose another --output, or give yourself write access"
            ) from None
        return True

    def write(self, path: str, content: str | bytes) -> None:
        """Write a small file whole: a reader sees the old content or the new, never a part.

        Local and HDFS: written beside, then renamed over. Object stores put a file whole anyway.
        """
        found = self._path(path)
        fs = self._fs(found)
        data = content.encode() if isinstance(content, str) else content
        with _as_output_error("write", path):
            draft = self._path(f"{path}.{uuid.uuid4().hex[:8]}.draft")
            if found.toUri().getScheme() in ("file", None):
                self._write(fs, draft, data, overwrite=True)
                done = fs.rename(draft, found)  # raw local rename is POSIX rename: it replaces
            else:
                done = self._replace_remote(fs, draft, found, data)
        if not done:
            raise OutputError(
                f"cannot write {path}", "choose another --output, or give yourself write access"
            )

    def upload(self, source: Path, path: str) -> None:
        """Copy a local file of the driver, over one that is there."""
        found = self._path(path)
        with _as_output_error("write", path):
            self._fs(found).copyFromLocalFile(False, True, self._path(source.absolute().as_uri()), found)

    def delete(self, path: str) -> None:
        """Delete a file, or a folder with all that it holds; nothing happens when it is absent."""
        found = self._path(path)
        with _as_output_error("delete", path):
            self._fs(found).delete(found, True)

    def rename(self, source: str, target: str) -> None:
        """Move a file or a folder; the target must not exist.

        Raises
        ------
        OutputError
            The file system refused.
        """
        old, new = self._path(source), self._path(target)
        fs = self._fs(old)
        with _as_output_error("move", source):
            done = not fs.exists(new) and fs.rename(old, new)
        if not done:
            raise OutputError(
                f"cannot move {source} to {target}", "check that nobody else works in the folder"
            )

    def copy(self, source: str, target: str) -> None:
        """Copy a file or a folder through the driver's JVM."""
        old, new = self._path(source), self._path(target)
        with _as_output_error("copy", source):
            self._jvm.org.apache.hadoop.fs.FileUtil.copy(
                self._fs(old), old, self._fs(new), new, False, self._conf
            )

    def files(self, pattern: str) -> list[FileInfo]:
        """Files that a path, a folder or a glob names, sorted by path; hidden names are skipped as Spark does.

        Raises
        ------
        InputError
            Nothing matches, or the path cannot be read.
        """
        from py4j.protocol import Py4JJavaError

        found = self._path(self.qualify(pattern))
        fs = found.getFileSystem(self._conf)
        try:
            matches = list(fs.globStatus(found) or [])
            listed = [info for status in matches for info in self._walk(fs, status)]
        except Py4JJavaError as error:
            reason = str(error.java_exception.toString()).splitlines()[0]
            raise InputError(
                f"{pattern} cannot be read ({reason})", "check the path and the access rights"
            ) from None
        if not matches:
            raise InputError(
                f"{pattern} does not exist", "check the path; a glob must match at least one file"
            )
        return sorted(listed)

    def read_bytes(self, path: str, start: int, length: int) -> bytes:
        """Part of a file: ``length`` bytes from ``start``, fewer where it ends.

        Raises
        ------
        InputError
            The file cannot be read.
        """
        from py4j.protocol import Py4JJavaError

        found = self._path(path)
        try:
            stream = found.getFileSystem(self._conf).open(found)
            try:
                stream.seek(start)
                part = self._jvm.org.apache.commons.io.input.BoundedInputStream(stream, length)
                return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(part))
            finally:
                stream.close()
        except Py4JJavaError as error:
            reason = str(error.java_exception.toString()).splitlines()[0]
            raise InputError(
                f"{path} cannot be read ({reason})", "check the path and the access rights"
            ) from None

    def sha256(self, path: str) -> str:
        """SHA-256 of a file's content, computed in the JVM."""
        found = self._path(path)
        stream = found.getFileSystem(self._conf).open(found)
        try:
            return str(self._jvm.org.apache.commons.codec.digest.DigestUtils.sha256Hex(stream))
        finally:
            stream.close()

    def _walk(self, fs: Any, status: Any) -> Iterator[FileInfo]:
        if status.isFile():
            path = str(status.getPath().toString())
            yield FileInfo(path, int(status.getLen()), int(status.getModificationTime()))
            return
        for child in fs.listStatus(status.getPath()):
            # A partition folder may start with '_' when it holds '=' (Spark's own rule).
            name = str(child.getPath().getName())
            if not name.startswith(".") and (not name.startswith("_") or "=" in name):
                yield from self._walk(fs, child)

    def _path(self, path: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(path)

    def _fs(self, path: Any) -> Any:
        fs = path.getFileSystem(self._conf)
        # The checksummed local one fails on a file whose .crc a killed writer left behind. (Hive registers a class
        # of its own for file:, so ask for the ancestor.)
        return fs.getRawFileSystem() if self._checksummed.isInstance(fs) else fs

    def _write(self, fs: Any, path: Any, data: bytes, *, overwrite: bool) -> None:
        stream = fs.create(path, overwrite)
        try:
            stream.write(bytearray(data))
        finally:
            stream.close()

    def _replace_remote(self, fs: Any, draft: Any, path: Any, data: bytes) -> bool:
        from py4j.protocol import Py4JJavaError

        hadoop = self._jvm.org.apache.hadoop.fs
        try:
            context = hadoop.FileContext.getFileContext(path.toUri(), self._conf)
        except Py4JJavaError:
            self._write(fs, path, data, overwrite=True)
            return True
        self._write(fs, draft, data, overwrite=True)
        rename = hadoop.Options.Rename
        options = self._jvm.java.lang.reflect.Array.newInstance(rename.OVERWRITE.getClass(), 1)
        self._jvm.java.lang.reflect.Array.set(options, 0, rename.OVERWRITE)
        context.rename(draft, path, options)
        return True
