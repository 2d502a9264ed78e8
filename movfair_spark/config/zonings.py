"""Superimposed zonings (paper section 4.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from movfair_spark.config.base import Section

SIZES_M = (50.0, 75.0, 100.0, 200.0, 400.0, 600.0, 800.0, 1000.0)
CellSize = Annotated[float, Field(gt=0, le=1_000_000)]


class SquareZonings(Section):
    """Square grids: every size in every alignment."""

    kind: Literal["square"] = "square"
    size_m: list[CellSize] = Field(default=list(SIZES_M), min_length=1)
    shifts: int = Field(default=5, ge=1, le=100)
    origin: Literal["data"] | tuple[float, float] = (0.0, 0.0)


class PolygonZoning(Section):
    """One zoning from a polygon file."""

    kind: Literal["polygons"]
    path: str
    name: str | None = None
    id_column: str | None = None
    invalid: Literal["repair", "refuse"] = "repair"


class ZoningsConfig(Section):
    """All zonings of an audit, in the order in which they are numbered."""

    crs: str = "auto"
    layers: list[Annotated[SquareZonings | PolygonZoning, Field(discriminator="kind")]] = Field(
        default=[SquareZonings()], min_length=1
    )
    max_cell_share: float = Field(default=0.5, gt=0, le=1)
    over_max_cell_share: Literal["warn", "drop", "fail"] = "warn"
