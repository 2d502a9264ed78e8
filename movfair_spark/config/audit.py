"""The whole configuration of an audit by movement pattern: one section per step."""

from __future__ import annotations

from typing import Self
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field, field_validator, model_validator

from movfair_spark.config.base import Section
from movfair_spark.config.cellsets import CellsetsConfig
from movfair_spark.config.city import CityConfig
from movfair_spark.config.input import InputConfig, LabelsConfig
from movfair_spark.config.report import ReportConfig
from movfair_spark.config.scan import ScanConfig
from movfair_spark.config.stops import StopsConfig
from movfair_spark.config.zonings import ZoningsConfig


class AuditConfig(Section):
    """Everything that ``movfair audit`` needs."""

    input: InputConfig = InputConfig()
    labels: LabelsConfig = LabelsConfig()
    time_zone: str | None = None
    stops: StopsConfig = StopsConfig()
    zonings: ZoningsConfig = ZoningsConfig()
    cellsets: CellsetsConfig = CellsetsConfig()
    scan: ScanConfig = ScanConfig()
    report: ReportConfig = ReportConfig()
    city: CityConfig | None = None
    strict: bool = False
    keep_points: bool = False
    partitions: int | None = Field(default=None, ge=1)

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None and value not in available_timezones():
            raise ValueError("is no name of the IANA time zone database (such as Europe/Rome)")
        return value

    @model_validator(mode="after")
    def _labels_fit_the_model(self) -> Self:
        labels, model = self.labels, self.scan.model
        if labels.positive is not None and model != "bernoulli":
            raise ValueError(f"labels.positive is for outcomes 0 and 1, scan.model is {model}")
        if labels.classes is not None and model != "multinomial":
            raise ValueError(f"labels.classes is for scan.model multinomial, not {model}")
        if labels.columns.weight is not None and model != "normal":
            raise ValueError(f"labels.columns.weight is for real outcomes, scan.model is {model}")
        if labels.columns.weight is not None and labels.columns.stratum is not None:
            raise ValueError("labels.columns.weight and stratum exclude each other: leave one out")
        return self

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of calendar days; UTC when none is set."""
        return ZoneInfo(self.time_zone or "UTC")
