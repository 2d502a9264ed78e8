"""What the steps of one audit share, each thing made when a step first needs it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from movfair_spark.audits import null_store
from movfair_spark.audits.given import Given
from movfair_spark.audits.movement_keys import parameters
from movfair_spark.audits.space import Space
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.zonings import PolygonZoning
from movfair_spark.crs import CoordinateSystem
from movfair_spark.fanout.broadcast import slots
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.progress import Progress, silent
from movfair_spark.readers import Ingest, Labels, read_input, read_labels
from movfair_spark.runs.keys import fingerprint
from movfair_spark.session.filesystem import FileSystem
from movfair_spark.stages.cellset_parts import parts
from movfair_spark.stages.null import Nulls
from movfair_spark.stages.population import Population
from movfair_spark.stages.population_table import from_table
from movfair_spark.stages.prepare import Prepared, prepared
from movfair_spark.stages.zonings import build
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BYTES_PER_TASK = 128 * 1024 * 1024


@dataclass(kw_only=True)
class Workspace(Space):
    """One audit by movement pattern at work.

    Attributes
    ----------
    points, labels : Given
    scope : ExitStack
        Ends broadcasts and caches when the audit ends.
    progress : Progress
        Told how far long steps are.
    """

    config: AuditConfig
    points: Given
    labels: Given
    scope: ExitStack
    progress: Progress = silent

    @property
    def simulated(self) -> bool:
        """Whether points and labels come from the embedded city."""
        return self.config.city is not None and self.points.missing and self.labels.missing

    def take_fingerprints(self, files: FileSystem, *, content: bool) -> None:
        """Fingerprint points, labels, study area and polygons; the embedded city has none, its step's key stands for them."""
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
        """Key of a file set or of an earlier step; the city's step stands for points and labels that it made."""
        return super().key("city" if self.simulated and name in ("points", "labels") else name)

    def parameters(self, step: str) -> Mapping[str, Any]:
        """Give a step's own part of the configuration."""
        return parameters(step, self.config, self.time_zone)

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
        return read_labels(self.spark, section, self.labels.frame, self.config.scan)

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

    @property
    def cellsets(self) -> DataFrame:
        """Cellsets of the zonings that stay in the audit, in parts."""
        step = self.done["cellsets"]
        return parts(step.table("assigned"), step.facts["kept"])

    @property
    def holders(self) -> DataFrame:
        """Ids of the people with a cell in a zoning that stays in the audit."""
        step = self.done["cellsets"]
        return step.table("cellsets").where(F.col("zoning_id").isin(step.facts["covering"])).select("uid")

    @cached_property
    def population(self) -> Population:
        """The objects in the test, in uid order."""
        step = self.done["population"]
        return from_table(to_arrow(step.table("population")), step.facts, self.config.scan.kind)

    @cached_property
    def scan(self) -> Prepared:
        """Packed memberships, plan and broadcasts of the test."""
        return self.scope.enter_context(prepared(self.cellsets, self.population, self.config.scan))

    @cached_property
    def nulls(self) -> Nulls:
        """The null, or one per zoning."""
        return null_store.from_json(self.done["null"].text("nulls.json"))
