"""The whole configuration of an audit of points (the spatial fairness paper)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from movfair_spark.config.base import Section
from movfair_spark.config.input import ClassValue, ColumnName, Format, InputConfig, LabelsConfig, UidType
from movfair_spark.config.simulated import SimulatedConfig
from movfair_spark.config.zonings import PolygonZoning, SquareZonings


class PointColumns(Section):
    """Names of the columns; a name left out is found among the field's usual ones."""

    uid: ColumnName = None
    x: ColumnName = None
    y: ColumnName = None
    geometry: ColumnName = None
    outcome: ColumnName = None
    truth: ColumnName = None
    stratum: ColumnName = None
    weight: ColumnName = None


class PointsConfig(Section):
    """Points with outcomes, one row per person; any number of rows may share a place.

    ``columns.uid``, ``stratum`` and ``weight`` are taken only where they are named: with ids people are numbered in their
    order, as in ``movfair audit``; with strata the test is conditional on them; weights are those of real outcomes.
    ``classes`` are the outcomes of the multinomial model, all others are rejected; left out: those that occur.
    The other keys mean what they mean in ``input`` and ``labels`` there.
    """

    path: str | list[str] | None = None
    format: Format = "auto"
    columns: PointColumns = PointColumns()
    separator: str | None = Field(default=None, min_length=1, max_length=4)
    header: bool = True
    positive: ClassValue = None
    negative: ClassValue = None
    classes: list[str] | None = Field(default=None, min_length=2, max_length=12)
    crs: Annotated[str | None, BeforeValidator(lambda v: str(v) if isinstance(v, int) else v)] = None
    uid_type: UidType | None = None
    null_island: Literal["reject", "keep"] = "reject"

    @model_validator(mode="after")
    def _possible(self) -> Self:
        self.labels()
        return self

    def places(self) -> InputConfig:
        """Give the part that says where the file is."""
        return InputConfig(
            path=self.path, format=self.format, separator=self.separator, header=self.header, crs=self.crs
        )

    def labels(self) -> LabelsConfig:
        """Give the part that says what an outcome is."""
        return LabelsConfig(positive=self.positive, negative=self.negative)


class Grid(Section):
    """One partitioning of the points' bounding box into columns x rows of equal size."""

    kind: Literal["grid"]
    columns: int = Field(ge=1, le=100_000)
    rows: int = Field(ge=1, le=100_000)


class RandomGrids(Section):
    """Partitionings with a random number of columns and rows (the paper's section 4.2)."""

    kind: Literal["random"]
    count: int = Field(default=100, ge=1, le=10_000)
    least: int = Field(default=10, ge=1, le=10_000)
    most: int = Field(default=40, ge=1, le=10_000)
    seed: int = Field(default=1, ge=0, lt=2**63)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.least > self.most:
            raise ValueError(f"least {self.least} is above most {self.most}")
        return self


class Windows(Section):
    """Where windows stand: about ``centres`` k-means centres, about given ones, or about every location.

    ``crs`` is the system in which they are squares, circles or neighbours: ``input`` or an EPSG code. A k-means centre
    is moved to the nearest location.
    """

    centres: Annotated[int, Field(ge=1, le=100_000)] | Literal["locations"] | list[tuple[float, float]] = 100
    seed: int = Field(default=1, ge=0, lt=2**31)
    crs: str = "input"

    @field_validator("centres")
    @classmethod
    def _some(cls, value: object) -> object:
        if value == []:
            raise ValueError("must hold at least one centre")
        return value


class SizedWindows(Windows):
    """Windows of several sizes: ``sizes`` half sides or radii from ``least`` to ``most``, in units of ``crs``."""

    least: float = Field(gt=0)
    most: float = Field(gt=0)
    sizes: int = Field(default=20, ge=1, le=1_000)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.sizes > 1 and self.least >= self.most:
            raise ValueError(f"least {self.least:g} is not below most {self.most:g}")
        return self


class Squares(SizedWindows):
    """Closed squares of half side least..most."""

    kind: Literal["squares"]


class Circles(SizedWindows):
    """Closed circles of radius least..most."""

    kind: Literal["circles"]


class Nearest(Windows):
    """The nearest locations of each centre, one more at a time, up to a share of the people (SaTScan's circles)."""

    kind: Literal["nearest"]
    max_share: float = Field(default=0.5, gt=0, le=1)


Layer = Annotated[
    Grid | RandomGrids | SquareZonings | PolygonZoning | Squares | Circles | Nearest,
    Field(discriminator="kind"),
]


class SpatialScanConfig(SimulatedConfig):
    """What is tested, how often it is simulated, and what counts as evidence.

    ``draw``: ``permutation`` of the outcomes over people; ``counts`` per place, equal in distribution and the faster the more
    people share a place; ``auto`` permutes up to a million people, and always real outcomes.
    """

    draw: Literal["auto", "permutation", "counts"] = "auto"

    @model_validator(mode="after")
    def _real_outcomes_are_permuted(self) -> Self:
        if self.model == "normal" and self.draw == "counts":
            raise ValueError("draw: counts is for outcomes in classes; real outcomes are permuted")
        return self


class SpatialReportConfig(Section):
    """What a reader gets to see.

    ``overlap``: two regions overlap where their bounds share ``area``, or where they share ``people``. ``top``: most
    regions of a non-overlapping selection. ``meanvar_top``: regions of MeanVar drawn beside ours. ``view``: the part of the map
    that is drawn (min x, min y, max x, max y in coordinates of the input); all of it when left out.
    """

    min_report_objects: int = Field(default=5, ge=1)
    max_features: int = Field(default=1000, ge=1)
    overlap: Literal["area", "people"] = "area"
    top: int | None = Field(default=None, ge=1)
    meanvar_top: int = Field(default=50, ge=1)
    view: tuple[float, float, float, float] | None = None

    @field_validator("view")
    @classmethod
    def _has_area(cls, value: tuple[float, float, float, float] | None) -> object:
        if value is not None and not (value[0] < value[2] and value[1] < value[3]):
            raise ValueError("must be min x, min y, max x, max y")
        return value


class SpatialConfig(Section):
    """Everything that ``movfair spatial`` needs; ``crs`` is the metric system of square zonings (``auto``: UTM)."""

    input: PointsConfig = PointsConfig()
    regions: list[Layer] = Field(default=[Grid(kind="grid", columns=20, rows=20)], min_length=1)
    crs: str = "auto"
    scan: SpatialScanConfig = SpatialScanConfig()
    report: SpatialReportConfig = SpatialReportConfig()
    strict: bool = False

    @model_validator(mode="after")
    def _columns_are_used(self) -> Self:
        columns, model = self.input.columns, self.scan.model
        if columns.weight is not None and model != "normal":
            raise ValueError(f"input.columns.weight is for real outcomes, scan.model is {model}")
        if columns.weight is not None and columns.stratum is not None:
            raise ValueError("input.columns.weight and stratum do not go together: leave one out")
        if self.input.positive is not None and model != "bernoulli":
            raise ValueError(f"input.positive is for outcomes 0 and 1, scan.model is {model}")
        if self.input.classes is not None and model != "multinomial":
            raise ValueError(f"input.classes is for scan.model multinomial, not {model}")
        return self
