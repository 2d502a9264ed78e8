"""What Spark says when a file turns out to be broken in the middle of a job, as one error that names the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from movfair_spark.errors import InputError, MovfairError
from movfair_spark.readers.files import list_files, name_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ARCHIVE = (
    "EOFException",
    "ZipException",
    "incorrect data check",
    "not a gzip file",
    "incorrect header check",
    "invalid block type",
    "invalid stored block",
    "invalid distance",
    "bad block header",
    "unexpected end of stream",
)
_PARQUET = (
    "is not a Parquet file",
    "CANNOT_READ_FILE_FOOTER",
    "ParquetDecodingException",
    "FAILED_READ_FILE",
    "Could not read footer",
    "can not read class org.apache.parquet",
    "SchemaColumnConvertNotSupportedException",
    "PARQUET_COLUMN_DATA_TYPE_MISMATCH",
    "Expected to read",
)
_PACKED = (".gz", ".bz2", ".deflate")
_GONE = ("FileNotFoundException", "does not exist", "PATH_NOT_FOUND")


@contextmanager
def reading(spark: SparkSession, paths: str | Sequence[str] | None) -> Iterator[None]:
    """Turn Spark's errors about input files into :class:`InputError` that names the file.

    Wrap every action that scans an input in it: what a file hides behind its first rows shows only there.

    Parameters
    ----------
    spark : SparkSession
    paths : str, sequence of str or None
        The input's paths; used to find a broken archive, which Spark does not name.

    Raises
    ------
    InputError
        For a broken archive, a broken Parquet file, and a file that vanished. Other errors pass unchanged.
    """
    try:
        yield
    except MovfairError:
        raise
    except Exception as error:
        explained = explain(spark, error, [paths] if isinstance(paths, str) else list(paths or []))
        if explained is None:
            raise
        raise explained from None


def explain(spark: SparkSession, error: Exception, paths: Sequence[str]) -> InputError | None:
    """Error about an input file that an exception of Spark amounts to; None when it is about something else."""
    text = str(error)
    named = re.search(r"((?:file|hdfs|s3a?|gs|abfss?|dbfs|wasbs?):/[^\s'\",;)\]]+)", text)
    where = name_of(named.group(1)).rstrip(".:") if named else ", ".join(name_of(path) for path in paths)
    # Spark 4 names the file of FAILED_READ_FILE, but not what was wrong with it.
    packed = "FAILED_READ_FILE" in text and where.endswith(_PACKED)
    if not packed and any(sign in text for sign in _PARQUET):
        return InputError(
            f"{where} is no whole Parquet file, or has other column types than the first file",
            "copy or write the file again",
        )
    if packed or any(sign in text for sign in _ARCHIVE):
        broken = where if packed else _first_broken(spark, paths) or where
        return InputError(
            f"{broken} is a broken archive: it ends early or its content is damaged",
            "copy or write the file again",
        )
    if any(sign in text for sign in _GONE) and paths:
        return InputError(f"{where} does not exist, or vanished while it was read", "check the path")
    return None


def _first_broken(spark: SparkSession, paths: Sequence[str]) -> str | None:
    """Read packed files one by one until one fails: Spark does not say which it was."""
    for file in list_files(spark, paths) if paths else []:
        if file.path.endswith(_PACKED):
            try:
                spark.read.text(file.path).count()
            except Exception:  # whatever it is, this is the file
                return name_of(file.path)
    return None
