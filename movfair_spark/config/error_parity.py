"""Configuration of the error parity audit: group fairness of regression models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from movfair_spark.config.base import Section
from movfair_spark.config.input import Format

Metric = Literal[
    "difference",
    "absolute",
    "squared",
    "signed_squared",
    "percentage",
    "symmetric_percentage",
    "prediction_only",
]


class ExpressionError(Section):
    """An error of one's own: a Spark SQL expression over the input's columns."""

    name: str = Field(min_length=1)
    expression: str = Field(min_length=1)


class MovementGroup(Section):
    """People inside and outside, from the tables of a movement audit.

    With ``polygons``: inside is who has a stop in one of the polygons (``stops`` is the audit's table of stops).
    With ``cells``: inside is whose cellset in zoning ``zoning_id`` holds all of the cells (``cellsets``).
    ``crs`` is the reference system of the stops (the audit's ``input.crs``).
    """

    uid: str
    stops: str | None = None
    polygons: str | None = None
    cellsets: str | None = None
    zoning_id: int | None = None
    cells: list[int] | None = Field(default=None, min_length=1)
    crs: str = "EPSG:4326"

    @model_validator(mode="after")
    def _one_way(self) -> MovementGroup:
        by_place = self.stops is not None and self.polygons is not None
        by_cells = self.cellsets is not None and self.zoning_id is not None and self.cells is not None
        if by_place == by_cells:
            raise ValueError("needs either stops and polygons, or cellsets, zoning_id and cells")
        return self


def _group(value: Any) -> Any:
    # 'sex' is a column, 'sex*race' the intersection of two.
    if isinstance(value, str):
        parts = [part.strip() for part in value.split("*")]
        return (
            {"column": parts[0]}
            if len(parts) == 1
            else {"name": value, "all_of": [{"column": p} for p in parts]}
        )
    return value


class GroupConfig(Section):
    """How rows fall into groups: a column, a column cut at edges, an intersection, or movement.

    Attributes
    ----------
    name : str, optional
        Name in tables; by default the columns'.
    column : str, optional
    edges : list of float, optional
        Cut a numeric column: groups below the first edge, [edge, next edge) between, from the last edge on.
    quantiles : int, optional
        Cut a numeric column at its quantiles into this many groups of about equal size.
    all_of : list of GroupConfig, optional
        The intersection of several of these.
    movement : MovementGroup, optional
    """

    name: str | None = None
    column: str | None = None
    edges: list[float] | None = Field(default=None, min_length=1)
    quantiles: int | None = Field(default=None, ge=2, le=100)
    all_of: list[Annotated[GroupConfig, BeforeValidator(_group)]] | None = Field(default=None, min_length=2)
    movement: MovementGroup | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> GroupConfig:
        if sum(kind is not None for kind in (self.column, self.all_of, self.movement)) != 1:
            raise ValueError("needs one of column, all_of and movement")
        if (self.edges is not None or self.quantiles is not None) and self.column is None:
            raise ValueError("edges and quantiles cut a column: name it")
        if self.edges is not None and self.quantiles is not None:
            raise ValueError("takes either edges or quantiles, not both")
        if self.edges is not None and any(a >= b for a, b in zip(self.edges, self.edges[1:], strict=False)):
            raise ValueError("edges must rise")
        return self

    @property
    def label(self) -> str:
        """Name of the sensitive column in tables."""
        if self.name is not None:
            return self.name
        if self.all_of is not None:
            return " * ".join(part.label for part in self.all_of)
        return self.column if self.column is not None else "movement"


class ErrorParityReport(Section):
    """What the report shows; the tables hold everything."""

    min_report_objects: int = Field(default=5, ge=1)
    cut_low: float | None = None
    cut_high: float | None = None
    bins: int = Field(default=60, ge=5, le=500)

    @model_validator(mode="after")
    def _order(self) -> ErrorParityReport:
        if self.cut_low is not None and self.cut_high is not None and self.cut_low >= self.cut_high:
            raise ValueError("cut_low must lie below cut_high")
        return self


class ErrorParityConfig(Section):
    """Everything that ``movfair error-parity`` needs.

    ``permutations`` belong to the Anderson-Darling test, ``pair_permutations`` to the post hoc tests. A series of
    more than ``max_exact_rows`` rows is tested on at most ``summary_values`` distinct values (see the
    documentation, Large data).
    """

    input: str | list[str] | None = None
    format: Format = "auto"
    separator: str | None = None
    header: bool = True
    prediction: str | list[str]
    truth: str | None = None
    groups: list[Annotated[GroupConfig, BeforeValidator(_group)]] = Field(min_length=1)
    errors: list[Metric | ExpressionError] = Field(default=["difference"], min_length=1)
    zero_truth: Literal["exclude", "refuse"] = "exclude"
    negative_truth: Literal["refuse", "allow"] = "refuse"
    min_group_size: int = Field(default=2, ge=1)
    max_groups: int = Field(default=50, ge=2, le=1000)
    alpha: float = Field(default=0.01, gt=0, lt=1)
    permutations: int = Field(default=9_999, ge=1, le=2**31)
    pair_permutations: int = Field(default=100_000, ge=1, le=2**31)
    bootstrap_draws: int = Field(default=2_000, ge=2, le=1_000_000)
    seed: int = Field(default=1, ge=0)
    max_exact_rows: int = Field(default=1_000_000, ge=1, le=2**31)
    summary_values: int = Field(default=4_096, ge=16, le=65_536)
    report: ErrorParityReport = ErrorParityReport()
    strict: bool = False

    @property
    def models(self) -> list[str]:
        """Prediction columns: one model each."""
        return [self.prediction] if isinstance(self.prediction, str) else list(self.prediction)

    @property
    def error_names(self) -> list[str]:
        """Names of the error metrics, in order."""
        return [error if isinstance(error, str) else error.name for error in self.errors]

    @field_validator("prediction")
    @classmethod
    def _some_model(cls, value: str | list[str]) -> str | list[str]:
        if not value:
            raise ValueError("must name at least one column")
        if isinstance(value, list) and len(set(value)) < len(value):
            raise ValueError("names a column twice")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> ErrorParityConfig:
        labels = [group.label for group in self.groups]
        for what, names in (("groups", labels), ("errors", self.error_names)):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{what} holds '{twice[0]}' twice: give one of them another name")
        if self.truth is None and any(
            isinstance(error, str) and error != "prediction_only" for error in self.errors
        ):
            raise ValueError("truth must name a column, unless errors is [prediction_only] or expressions")
        return self
