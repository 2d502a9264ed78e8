"""What the steps of one audit share, each thing made when a step first needs it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from movfair_spark.audits import null_store
from movfair_spark.audits.given import Given
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.zonings import PolygonZoning
from movfair_spark.crs import CoordinateSystem
from movfair_spark.fanout.broadcast import slots
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.progress import Progress, silent
from movfair_spark.readers import Ingest, Labels, read_input, read_labels
from movfair_spark.runs import Finished
from movfair_spark.runs.keys import Fingerprint, fingerprint
from movfair_spark.session.filesystem import FileSystem
from movfair_spark.stages.null import Nulls
from movfair_spark.stages.population import Counts, Population
from movfair_spark.stages.prepare import Prepared, prepared
from movfair_spark.stages.zonings import build
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BYTES_PER_TASK = 128 * 1024 * 1024


@dataclass
class Workspace:
    """One audit at work.

    Attributes
    ----------
    spark : SparkSession
    config : AuditConfig
    points, labels : Given
    scope : ExitStack
        Ends broadcasts and caches when the audit ends.
    progress : Progress
        Told how far long steps are.
    fingerprints : dict
        Of all file sets that steps read, by name: points, labels, study_area, polygons.
    done : dict
        Finished steps by name.
    ahead : tuple of str
        All steps of this run.
    """

    spark: SparkSession
    config: AuditConfig
    points: Given
    labels: Given
    scope: ExitStack
    progress: Progress = silent
    fingerprints: dict[str, Fingerprint] = field(default_factory=dict)
    done: dict[str, Finished] = field(default_factory=dict)
    ahead: tuple[str, ...] = ()

    @property
    def simulated(self) -> bool:
        """Whether points and labels come from the embedded city."""
        return self.config.city is not None and self.points.missing and self.labels.missing

    def take_fingerprints(self, files: FileSystem, *, content: bool) -> None:
        """Fingerprint all file sets; the embedded city has none, its step's key stands for them."""
        if not self.simulated:
            self.fingerprints["points"] = self.points.fingerprint(files, content=content)
            self.fingerprints["labels"] = self.labels.fingerprint(files, content=content)
        others = {
            "study_area": [self.config.input.study_area] if self.config.input.study_area else [],
            "polygons": [z.path for z in self.config.zonings.layers if isinstance(z, PolygonZoning)],
        }
        for name, paths in others.items():
            if paths:
                self.fingerprints[name] = fingerprint(files, paths, content=content)

    def key(self, name: str) -> str | None:
        """Key of an earlier step or of a file set; '' for a file set that this audit does not have."""
        if self.simulated and name in ("points", "labels"):
            return self.done["city"].key
        if name in self.fingerprints:
            return self.fingerprints[name].key
        return self.done[name].key if name in self.done else ""

    @property
    def partitions(self) -> int:
        """Tasks of a pass over people: enough that the largest does not hold up the rest, and none too large to sort."""
        size = self.fingerprints["points"].size if "points" in self.fingerprints else 0
        return self.config.partitions or max(4 * slots(self.spark), -(-size // BYTES_PER_TASK))

    @property
    def time_zone(self) -> str:
        """Name of the zone of calendar days."""
        return self.config.time_zone or "UTC"

    @cached_property
    def ingest(self) -> Ingest:
        """The people's input, opened."""
        section = self.config.input.model_copy(update={"path": self._paths("points", self.points)})
        return read_input(self.spark, section, self.time_zone, self.points.frame)

    @cached_property
    def label_rows(self) -> Labels:
        """The labels, opened."""
        section = self.config.labels.model_copy(update={"path": self._paths("labels", self.labels)})
        return read_labels(self.spark, section, self.labels.frame)

    def _paths(self, name: str, given: Given) -> str | list[str] | None:
        return self.done["city"].path(name) if self.simulated else given.paths

    @cached_property
    def crs(self) -> CoordinateSystem:
        """System of the stops."""
        return CoordinateSystem.parse(self.done["stops"].facts["crs"])

    @cached_property
    def zonings(self) -> list[Zoning]:
        """All zonings that were configured."""
        return build(self.config.zonings, self.done["stops"].table("stops"), self.crs)

    @property
    def kept_zonings(self) -> list[Zoning]:
        """Zonings that stay in the audit."""
        kept = set(self.done["cellsets"].facts["kept"])
        return [zoning for zoning in self.zonings if zoning.zoning_id in kept]

    @cached_property
    def population(self) -> Population:
        """The objects in the test, in uid order."""
        step = self.done["population"]
        table = to_arrow(step.table("population")).sort_by("number").combine_chunks()
        uids = table["uid"].combine_chunks()
        labels = table["label"].to_numpy().astype(np.uint8)
        return Population(uids, labels, Counts(**step.facts["counts"]))

    @cached_property
    def scan(self) -> Prepared:
        """Packed memberships, plan and broadcasts of the test."""
        cellsets = self.done["cellsets"].table("cellsets")
        return self.scope.enter_context(prepared(cellsets, self.population, self.config.scan))

    @cached_property
    def nulls(self) -> Nulls:
        """The null, or one per zoning."""
        return null_store.from_json(self.done["null"].text("nulls.json"))
