"""What the steps of the audit of points share, each thing made when a step first needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from movfair_spark.audits.given import Given
from movfair_spark.audits.space import Space as Shared
from movfair_spark.config.spatial import Circles, Nearest, SpatialConfig, Squares
from movfair_spark.config.zonings import PolygonZoning, SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.stages import spatial_points as points
from movfair_spark.stages.spatial_atoms import Atoms, Tally, positions, read_table
from movfair_spark.stages.spatial_evidence import Findings
from movfair_spark.stages.spatial_layer import Cells, Layer
from movfair_spark.stages.spatial_layers import build_layers
from movfair_spark.stages.spatial_windows import Standing, stand, zoning_of
from movfair_spark.stages.zonings import build as build_zonings
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(kw_only=True)
class Space(Shared):
    """One audit of points at work."""

    config: SpatialConfig
    given: Given

    def parameters(self, step: str) -> Mapping[str, Any]:
        """Give a step's own part of the configuration."""
        every = self.config.model_dump(mode="json")
        of_evidence = {"alpha"}
        match step:
            case "points":
                # Which places are counted together depends on the regions.
                places = {k: v for k, v in every["input"].items() if k != "path"}
                told = {name: every["scan"][name] for name in ("model", "notion", "outcome")}
                return {"input": places, "regions": every["regions"], **told}
            case "regions":
                return {"regions": every["regions"], "crs": every["crs"]}
            case "null":
                return {k: v for k, v in every["scan"].items() if k not in of_evidence}
            case "evidence":
                return {"scan": every["scan"], "report": every["report"]}
        return every["report"]

    @property
    def crs(self) -> CoordinateSystem:
        """System of the points."""
        return CoordinateSystem.parse(self.done["points"].facts["crs"])

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Bounding box of the tested points."""
        return points.box_of(self.done["points"].facts["counts"])

    @property
    def one_by_one(self) -> bool:
        """Whether people are read one by one: real outcomes, and outcomes that are permuted over people with ids."""
        return self.config.scan.model == "normal" or self.done["points"].facts["ids"]

    @cached_property
    def _read(self) -> tuple[Atoms, Tally]:
        step, name = self.done["points"], "people" if self.one_by_one else "tally"
        return read_table(step.table(name), step.rows[name])

    @property
    def atoms(self) -> Atoms:
        """Places with their people."""
        return self._read[0]

    @property
    def tally(self) -> Tally:
        """The people's outcomes."""
        return self._read[1]

    @property
    def places(self) -> DataFrame:
        """Locations with their people."""
        from pyspark.sql import functions as F

        step = self.done["points"]
        if self.one_by_one:
            return step.table("people").groupBy("x", "y").agg(F.count("*").alias("n"))
        return step.table("tally").groupBy("x", "y").agg(F.sum("n").alias("n"))

    @cached_property
    def zonings(self) -> list[Zoning]:
        """Square zonings and polygon files."""
        sections = [s for s in self.config.regions if isinstance(s, SquareZonings | PolygonZoning)]
        if not sections:
            return []
        laid = ZoningsConfig(crs=self.config.crs, layers=sections)
        return build_zonings(laid, self.places, self.crs)

    @cached_property
    def layers(self) -> list[Layer]:
        """All layers of regions."""
        step = self.done["regions"]
        joined = step.table("located_cells") if "located_cells" in step.rows else None
        return self.lay(self.standing(step.facts["centres"]), joined)

    def standing(self, centres: Mapping[str, list[list[float]]]) -> dict[int, Standing]:
        """Where the windows of each window layer stand, by its position; k-means centres by the same position."""
        found = {int(position): np.array(each) for position, each in centres.items()}
        return {
            at: stand(section, self.atoms, self.crs, found.get(at))
            for at, section in enumerate(self.config.regions)
            if isinstance(section, Squares | Circles | Nearest)
        }

    def to_join(self, standing: Mapping[int, Standing]) -> tuple[list[Zoning], list[Zoning]]:
        """Polygon files, and windows as zonings: what Sedona joins the places with."""
        windows = [zoning_of(at, each) for at, each in standing.items()]
        polygons = [zoning for zoning in self.zonings if zoning.polygons is not None]
        return polygons, [zoning for zoning in windows if zoning is not None]

    def lay(self, standing: Mapping[int, Standing], located_cells: DataFrame | None) -> list[Layer]:
        """Lay all regions over the places."""
        held: dict[int, Cells] = {}
        if located_cells is not None:
            table = to_arrow(located_cells)
            zoning_ids, cells = table["zoning_id"].to_numpy(), table["cell"].to_numpy()
            at = positions(table["x"].to_numpy(), table["y"].to_numpy(), self.atoms)
            for zoning in sum(self.to_join(standing), []):
                mine = zoning_ids == zoning.zoning_id
                held[zoning.zoning_id] = (at[mine], cells[mine])
        return build_layers(self.config, self.atoms, self.box, self.crs, self.zonings, held, standing)

    @cached_property
    def findings(self) -> Findings:
        """All regions with their statistics."""
        return Findings(self.layers, self.atoms, self.tally, self.config)

    @property
    def null(self) -> np.ndarray:
        """The simulated maxima, by world."""
        table = to_arrow(self.done["null"].table("null_distribution")).sort_by("simulation")
        return table["max_statistic"].to_numpy()
