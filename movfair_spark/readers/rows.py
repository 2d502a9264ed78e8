"""A row of points, stops or check-ins: from the raw fields of a source to values and a reason."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from movfair_spark.config.input import InputConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.readers import coordinates, ids, numbers, study_area, times
from movfair_spark.readers.details import find_examples
from movfair_spark.readers.failures import reading
from movfair_spark.readers.rules import first_reason, offending, year_bounds
from movfair_spark.readers.source import RAGGED, Field, Source
from movfair_spark.tables.rejects import CODES

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TIME_ROLES = {"points": ("time",), "checkins": ("time",), "stops": ("arrive", "leave")}


@dataclass(frozen=True)
class FieldRows:
    """How the fields of one source become a row of the frame."""

    source: Source
    config: InputConfig
    fields: Mapping[str, Field]
    crs: CoordinateSystem
    uid_type: Literal["int", "string"]
    zone: str

    @property
    def times(self) -> tuple[str, ...]:
        """Roles that hold a time."""
        return TIME_ROLES[self.config.kind]

    @property
    def place(self) -> dict[str, Field]:
        """Fields that say where: x and y, or a geometry."""
        return {role: self.fields[role] for role in ("x", "y", "geometry") if role in self.fields}

    def marked(self, *, located: bool = False) -> DataFrame:
        """Scan the source: raw values (``_uid``, ...), values, and the reason of every row."""
        fields, config = self.fields, self.config
        raw = self.source.rows({role: field.name for role, field in fields.items()}, located=located)
        tidy = {
            f"_tidy_{role}": times.tidy(fields[role], f"_{role}", config.time_format) for role in self.times
        }
        raw = raw.select("*", *(value.alias(name) for name, value in tidy.items()))
        x, y = coordinates.values(self.place)
        values: dict[str, Column] = {"uid": self._uid(), "x": x, "y": y}
        for role in self.times:
            values[role] = times.micros(fields[role], f"_tidy_{role}", config.time_unit, self.zone)
        if "accuracy_m" in fields:
            values["accuracy_m"] = numbers.value(fields["accuracy_m"], "_accuracy_m")
        valued = raw.select("*", *(value.alias(name) for name, value in values.items()))
        return valued.select("*", first_reason(self._broken()).alias("reason"))

    def _uid(self) -> Column:
        if "uid" not in self.fields:
            return F.lit(self.config.one_person)
        return ids.value(self.fields["uid"], "_uid", self.uid_type)

    def _broken(self) -> dict[str, Column]:
        config, fields = self.config, self.fields
        first, after = year_bounds(config.min_year, config.max_year)
        x, y = F.col("x"), F.col("y")
        broken = {
            "ragged_row": F.col(RAGGED),
            "bad_id": F.col("uid").isNull(),
            "null_time": _any(times.is_missing(fields[role], f"_{role}") for role in self.times),
            "bad_time": _any(F.col(role).isNull() for role in self.times),
            "time_out_of_range": _any(~F.col(role).between(first, after - 1) for role in self.times),
            "null_coordinate": coordinates.missing(self.place),
            "bad_coordinate": x.isNull() | y.isNull(),
            "nan_coordinate": F.isnan(x) | F.isnan(y),
            "coordinate_out_of_range": ~coordinates.in_range(self.crs),
        }
        if "uid" in fields:
            broken["null_id"] = ids.is_missing(fields["uid"], "_uid")
        if config.kind == "stops":
            broken["leave_before_arrive"] = F.col("leave") < F.col("arrive")
        if self.crs.is_geographic and config.null_island == "reject":
            broken["null_island"] = (x == 0.0) & (y == 0.0)
        if "accuracy_m" in fields and config.max_accuracy_m is not None:
            accuracy = F.col("accuracy_m")
            broken["bad_accuracy"] = accuracy.isNull() | F.isnan(accuracy) | (accuracy < 0.0)
            broken["accuracy_over_limit"] = accuracy > config.max_accuracy_m
        return broken

    def within(self, marked: DataFrame, area: BaseGeometry | None) -> DataFrame:
        """Give points outside the study area their reason."""
        if area is None:
            return marked
        joined = study_area.mark_inside(marked, area)
        outside = (F.col("reason") == 0) & F.col(study_area.INSIDE).isNull()
        code = F.when(outside, CODES["outside_study_area"]).otherwise(F.col("reason")).cast("tinyint")
        return joined.withColumn("reason", code)

    def clean(self, marked: DataFrame) -> DataFrame:
        """Frame of :class:`Ingest`: values of good rows, nulls and a reason for bad ones."""
        good = F.col("reason") == 0
        time = {"points": {"ts": "time"}, "checkins": {"arrive": "time", "leave": "time"}}.get(
            self.config.kind, {"arrive": "arrive", "leave": "leave"}
        )
        named = {"uid": "uid", **time, "x": "x", "y": "y"}
        return marked.select(*(F.when(good, F.col(old)).alias(new) for new, old in named.items()), "reason")

    def details(self, area: BaseGeometry | None) -> DataFrame:
        """Second scan: an example of every reject."""
        with reading(self.source.base.sparkSession, list(self.source.files)):
            marked = self.within(self.marked(located=True), area)
            shown = {"bad_accuracy": "_accuracy_m", "accuracy_over_limit": "_accuracy_m", "bad_id": "_uid"}
            shown |= {name: f"_{self.times[0]}" for name in ("bad_time", "time_out_of_range")}
            values = {name: F.col(column) for name, column in shown.items() if column[1:] in self.fields}
            if self.config.kind == "stops":
                spell = F.concat_ws(" to ", *(F.col(f"_{role}").cast("string") for role in self.times))
                values |= {name: spell for name in ("bad_time", "time_out_of_range", "leave_before_arrive")}
            return find_examples(
                marked.withColumn("_example", offending(values)),
                source=self.config.kind,
                unit=self.source.unit,
                limits=self._limits(),
            )

    def _limits(self) -> dict[str, str]:
        return {
            "coordinate_out_of_range": f"not in {coordinates.limit_text(self.crs)} ({self.crs})",
            "nan_coordinate": "NaN",
            "null_coordinate": "empty",
            "bad_coordinate": "no number" if "geometry" not in self.fields else "no point",
            "null_island": "longitude 0, latitude 0",
            "outside_study_area": f"outside {self.config.study_area}",
        }


def _any(conditions: Iterable[Column]) -> Column:
    return reduce(operator.or_, conditions)
