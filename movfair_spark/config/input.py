"""Where points, stops, check-ins and labels come from, and what their columns mean (design section 2)."""

from __future__ import annotations

from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import BeforeValidator, Field, field_validator, model_validator

from movfair_spark.config.base import Section

Format = Literal["auto", "parquet", "geoparquet", "csv", "pol"]
TimeUnit = Literal["s", "ms", "us", "ns"]
UidType = Literal["int", "string"]


def _text(value: object) -> object:
    """Positions and numbers are written bare in YAML (``uid: 0``, ``positive: 1``) and mean their text."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _texts(value: object) -> object:
    if isinstance(value, bool):
        return [str(value).lower()]
    return [str(_text(item)) for item in value] if isinstance(value, list) else _text(value)


ColumnName = Annotated[str | None, BeforeValidator(_text)]
ClassValue = Annotated[str | list[str] | None, BeforeValidator(_texts)]


def _some_path(value: str | list[str] | None) -> str | list[str] | None:
    if value is not None and not value:
        raise ValueError("must name at least one file or folder")
    return value


class InputColumns(Section):
    """Names of the input's columns; a name left out is found among the field's usual ones.

    Without a header a column's name is its position, counted from 0.
    """

    uid: ColumnName = None
    time: ColumnName = None
    x: ColumnName = None
    y: ColumnName = None
    geometry: ColumnName = None
    accuracy_m: ColumnName = None
    arrive: ColumnName = None
    leave: ColumnName = None

    @model_validator(mode="after")
    def _place_once(self) -> InputColumns:
        if self.geometry is not None and (self.x is not None or self.y is not None):
            raise ValueError("name either geometry or x and y, not both")
        for axis, value, swapped in (
            ("x", self.x, ("lat", "latitude")),
            ("y", self.y, ("lon", "lng", "longitude")),
        ):
            if value is not None and value.lower() in swapped:
                raise ValueError(
                    f"{axis} = {value!r}: x is the longitude and y the latitude, these look swapped"
                )
        return self


class InputConfig(Section):
    """Trajectories, or stops, or check-ins of people.

    Attributes
    ----------
    path : str or list of str
        Files, folders or globs of any file system that Spark reads.
    kind : {'points', 'stops', 'checkins'}
        What a row is: a fix; a stop with arrival and departure; a visit of unknown length.
    format : {'auto', 'parquet', 'geoparquet', 'csv', 'pol'}
        ``auto`` looks into the first file. ``pol``: the Patterns-of-Life simulator's tables.
    separator : str
        Between the fields of a text file; found in its first lines when left out.
    time_format : str
        ``yyyy MM dd HH mm ss S X`` and the signs between them; ISO 8601 when left out.
    time_unit : {'s', 'ms', 'us', 'ns'}
        What a number in the time column counts since 1970-01-01 UTC. Never guessed.
    naive_times : str
        IANA zone of times without an offset; ``time_zone`` when left out.
    crs : str
        ``EPSG:n`` or ``planar``. Left out: what a GeoParquet file says, EPSG:26916 for ``pol``, else EPSG:4326.
    uid_type : {'int', 'string'}
        Type of the ids; the column's own when left out (text files: string).
    one_person : str
        The id of everybody, for an input without an id column.
    study_area : str
        Polygon file; points outside are rejected, points on the border are inside.
    null_island : {'reject', 'keep'}
        What becomes of longitude 0, latitude 0.
    """

    path: str | list[str] | None = None
    kind: Literal["points", "stops", "checkins"] = "points"
    format: Format = "auto"
    columns: InputColumns = InputColumns()
    separator: str | None = Field(default=None, min_length=1, max_length=4)
    header: bool = True
    time_format: str | None = None
    time_unit: TimeUnit | None = None
    naive_times: str | None = None
    crs: Annotated[str | None, BeforeValidator(_text)] = None
    uid_type: UidType | None = None
    one_person: str | None = Field(default=None, min_length=1)
    max_accuracy_m: float | None = Field(default=None, gt=0)
    study_area: str | None = None
    null_island: Literal["reject", "keep"] = "reject"
    same_time_radius_m: float = Field(default=50.0, ge=0)
    # No GPS fix is older; and 1970 would let seconds pass for milliseconds.
    min_year: int = Field(default=1980, ge=1900, le=2100)
    max_year: int = Field(default=2100, ge=1900, le=2200)

    _paths = field_validator("path")(_some_path)

    @field_validator("naive_times")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None and value not in available_timezones():
            raise ValueError("is no name of the IANA time zone database (such as Europe/Rome)")
        return value

    @model_validator(mode="after")
    def _possible(self) -> InputConfig:
        if self.min_year > self.max_year:
            raise ValueError(f"min_year {self.min_year} is above max_year {self.max_year}")
        if self.time_unit is not None and self.time_format is not None:
            raise ValueError("time_unit is for numbers and time_format for texts: give one of them")
        if self.one_person is not None and self.columns.uid is not None:
            raise ValueError("one_person is for an input without an id column, but columns.uid names one")
        return self


class LabelColumns(Section):
    """Names of the label table's columns."""

    uid: ColumnName = None
    outcome: ColumnName = None
    truth: ColumnName = None
    stratum: ColumnName = None
    weight: ColumnName = None


class LabelsConfig(Section):
    """The outcome that the model gave to each person.

    A named ``columns.stratum`` makes the test conditional on it, a named ``columns.weight`` weights real outcomes.

    Attributes
    ----------
    positive : str or list of str
        Values that mean the positive outcome. Left out: outcomes are 0 and 1, or false and true.
    negative : str or list of str
        Values that mean the negative outcome; all others are then rejected. Left out: the one value that is
        not positive.
    classes : list of str
        Outcomes of the multinomial model, all others are rejected; left out: those that occur.
    min_matched_share : float
        Least share of the labels that must find their person.
    """

    path: str | list[str] | None = None
    format: Format = "auto"
    columns: LabelColumns = LabelColumns()
    separator: str | None = Field(default=None, min_length=1, max_length=4)
    header: bool = True
    positive: ClassValue = None
    negative: ClassValue = None
    classes: Annotated[list[str] | None, BeforeValidator(_texts)] = Field(
        default=None, min_length=2, max_length=12
    )
    uid_type: UidType | None = None
    min_matched_share: float = Field(default=0.5, ge=0, le=1)

    _paths = field_validator("path")(_some_path)

    @model_validator(mode="after")
    def _possible(self) -> LabelsConfig:
        if self.negative is not None and self.positive is None:
            raise ValueError("negative is given without positive")
        both = set(self.positive_values) & set(self.negative_values)
        if both:
            raise ValueError(f"{sorted(both)[0]!r} is named both positive and negative")
        return self

    @property
    def positive_values(self) -> tuple[str, ...]:
        """The positive values as a tuple; empty for outcomes that are 0 and 1."""
        return _tuple(self.positive)

    @property
    def negative_values(self) -> tuple[str, ...]:
        """The negative values as a tuple; empty for 'all others'."""
        return _tuple(self.negative)


def _tuple(value: str | list[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)
