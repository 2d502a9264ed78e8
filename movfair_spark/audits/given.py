"""What a caller gives as points or labels: paths, or a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

from movfair_spark.runs.keys import Fingerprint, fingerprint, no_fingerprint
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Paths: TypeAlias = "str | PathLike[str] | Sequence[str | PathLike[str]]"


@dataclass(frozen=True)
class Given:
    """An input: either paths or a DataFrame.

    Attributes
    ----------
    paths : str, list of str or None
    frame : DataFrame or None
    """

    paths: str | list[str] | None
    frame: DataFrame | None

    @classmethod
    def of(cls, value: Paths | DataFrame | None, configured: str | list[str] | None) -> Given:
        """Take the argument, or what the configuration names."""
        if value is None:
            return cls(configured, None)
        if isinstance(value, str | PathLike):
            return cls(str(value), None)
        if isinstance(value, list | tuple):
            return cls([str(path) for path in value], None)
        return cls(None, value)  # type: ignore[arg-type]

    @property
    def missing(self) -> bool:
        """Whether nothing was given."""
        return self.paths is None and self.frame is None

    def fingerprint(self, files: FileSystem, *, content: bool) -> Fingerprint:
        """Fingerprint for the manifest; its key is None for a DataFrame."""
        if self.paths is None:
            return no_fingerprint("a DataFrame")
        return fingerprint(files, self.paths, content=content)
