"""Where points, stops, check-ins and labels come from, and what their columns mean (design section 2)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from movfair_spark.config.base import Section

Format = Literal["auto", "parquet", "geoparquet", "csv", "pol"]
TimeUnit = Literal["s", "ms", "us", "ns"]
UidType = Literal["int", "string"]


class InputColumns(Section):
    """Names of the input's columns; a name left out is found among the field's usual ones."""

    uid: str | None = None
    time: str | None = None
    x: str | None = None
    y: str | None = None
    geometry: str | None = None
    accuracy_m: str | None = None
    arrive: str | None = None
    leave: str | None = None


class InputConfig(Section):
    """Trajectories, or stops, or check-ins of people."""

    path: str | list[str] | None = None
    kind: Literal["points", "stops", "checkins"] = "points"
    format: Format = "auto"
    columns: InputColumns = InputColumns()
    separator: str | None = None
    header: bool = True
    time_format: str | None = None
    time_unit: TimeUnit | None = None
    naive_times: str | None = None
    crs: str = "EPSG:4326"
    uid_type: UidType | None = None
    max_accuracy_m: float | None = Field(default=None, gt=0)
    study_area: str | None = None
    same_time_radius_m: float = Field(default=50.0, ge=0)
    min_year: int = Field(default=1970, ge=1900, le=2100)
    max_year: int = Field(default=2100, ge=1900, le=2200)

    @field_validator("path")
    @classmethod
    def _some_path(cls, value: str | list[str] | None) -> str | list[str] | None:
        if value is not None and not value:
            raise ValueError("must name at least one file or folder")
        return value


class LabelColumns(Section):
    """Names of the label table's columns."""

    uid: str | None = None
    outcome: str | None = None
    truth: str | None = None
    stratum: str | None = None
    weight: str | None = None


class LabelsConfig(Section):
    """The outcome that the model gave to each person."""

    path: str | list[str] | None = None
    format: Format = "auto"
    columns: LabelColumns = LabelColumns()
    separator: str | None = None
    header: bool = True
    positive: str | None = None
    uid_type: UidType | None = None
    min_matched_share: float = Field(default=0.5, ge=0, le=1)
