"""Superimposed zonings (paper section 4.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from movfair_spark.config.base import Section
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import ConfigurationError

SIZES_M = (50.0, 75.0, 100.0, 200.0, 400.0, 600.0, 800.0, 1000.0)
CellSize = Annotated[float, Field(gt=0, le=1_000_000)]


class SquareZonings(Section):
    """Square grids: every size in every alignment (paper section 5.4).

    ``origin`` is a corner of a cell: (0, 0) keeps cells the same from one data set to the next, ``data`` is the
    lower left corner of the stops.
    """

    kind: Literal["square"] = "square"
    size_m: list[CellSize] = Field(default=list(SIZES_M), min_length=1)
    shifts: int = Field(default=5, ge=1, le=100)
    origin: Literal["data"] | tuple[float, float] = (0.0, 0.0)

    @field_validator("size_m")
    @classmethod
    def _no_size_twice(cls, value: list[float]) -> list[float]:
        """Refuse a size that occurs twice: its grids would be tested twice."""
        twice = sorted({size for size in value if value.count(size) > 1})
        if twice:
            raise ValueError(f"has the same size twice ({twice[0]:g})")
        return value


class PolygonZoning(Section):
    """One zoning from a polygon file (GeoJSON, GeoPackage, Shapefile or GeoParquet).

    Cells are ordered by ``id_column``, else by their position in the file; ``invalid`` says what becomes of
    self-intersecting ones.
    """

    kind: Literal["polygons"]
    path: str = Field(min_length=1)
    name: str | None = None
    id_column: str | None = None
    invalid: Literal["repair", "refuse"] = "repair"


class ZoningsConfig(Section):
    """All zonings of an audit, in the order in which they are numbered.

    ``crs`` is the metric system of the square grids: ``auto`` (UTM zone of the middle of the stops), ``input``, or
    an EPSG code. A cell with more than ``max_cell_share`` of the people with stops breaks the guideline of the
    paper's section 4.2.
    """

    crs: str = "auto"
    layers: list[Annotated[SquareZonings | PolygonZoning, Field(discriminator="kind")]] = Field(
        default=[SquareZonings()], min_length=1
    )
    max_cell_share: float = Field(default=0.5, gt=0, le=1)
    over_max_cell_share: Literal["warn", "drop", "fail"] = "warn"

    @field_validator("crs")
    @classmethod
    def _known_system(cls, value: str) -> str:
        if value in ("auto", "input"):
            return value
        try:
            return CoordinateSystem.parse(value).definition
        except ConfigurationError as error:
            raise ValueError(f"is neither auto nor input: {error.problem}") from None
