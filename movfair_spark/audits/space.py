"""What the steps of any audit share, and how a caller may have it run."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from movfair_spark.config.base import Section
from movfair_spark.runs import Finished
from movfair_spark.runs.keys import Fingerprint
from movfair_spark.runs.run import Observer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class RunOptions(TypedDict, total=False):
    """How an audit runs; every audit takes these by name.

    Attributes
    ----------
    output : path, optional
        Run folder: any path that Spark can write. Finished steps in it are used again. Without one the tables lie
        in a temporary folder that lives as long as this process.
    spark : SparkSession, optional
        By default that of a DataFrame, else the active one. Its settings are never changed.
    until, start : str, optional
        The last step to do; the first step to do again.
    by_content : bool
        Recognise input files by content instead of size and modification time.
    observer : Observer, optional
        Told when steps start and end; when it can be called as `fanout.progress.Progress`, also in between.
    """

    output: str | os.PathLike[str] | None
    spark: SparkSession | None
    until: str | None
    start: str | None
    by_content: bool
    observer: Observer | None


@dataclass(kw_only=True)
class Space(ABC):
    """One audit at work.

    Attributes
    ----------
    spark : SparkSession
    config : Section
        The whole configuration.
    fingerprints : dict
        Of all file sets that steps read, by name.
    done : dict
        Finished steps by name.
    ahead : tuple of str
        All steps of this run.
    """

    spark: SparkSession
    config: Section
    fingerprints: dict[str, Fingerprint] = field(default_factory=dict)
    done: dict[str, Finished] = field(default_factory=dict)
    ahead: tuple[str, ...] = ()

    def key(self, name: str) -> str | None:
        """Key of a file set or of an earlier step; '' for a file set that this audit does not have."""
        if name in self.fingerprints:
            return self.fingerprints[name].key
        return self.done[name].key if name in self.done else ""

    @abstractmethod
    def parameters(self, step: str) -> Mapping[str, Any]:
        """Give a step's own part of the configuration: a change redoes it and those after it, and no other."""
