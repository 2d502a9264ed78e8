"""Points with outcomes: from any input to one frame in which every row is fine or has a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from movfair_spark.config.spatial import SpatialConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import EmptyTableError, InputError
from movfair_spark.models.multinomial import MAX_CLASSES
from movfair_spark.readers import columns, coordinates, ids
from movfair_spark.readers.details import find_examples
from movfair_spark.readers.failures import reading
from movfair_spark.readers.first_rows import FIRST_ROWS
from movfair_spark.readers.opening import open_input
from movfair_spark.readers.point_outcomes import COLUMNS, Outcomes
from movfair_spark.readers.rules import first_reason, offending
from movfair_spark.readers.source import RAGGED, Field, Source
from movfair_spark.tables.rejects import REASONS


@dataclass(frozen=True)
class OutcomePoints:
    """An input that was checked as far as its header and first rows tell.

    Attributes
    ----------
    frame : DataFrame
        ``uid`` (only where the input has ids), ``x``, ``y``, `point_outcomes.COLUMNS`, ``reason`` (tinyint, 0 = fine; all
        other rows have nulls elsewhere).
    crs : CoordinateSystem
    source : str
    details : callable
        Second scan, only when something was rejected: table ``rejects``.
    """

    frame: DataFrame
    crs: CoordinateSystem
    source: str
    details: Callable[[], DataFrame]

    @property
    def has_ids(self) -> bool:
        """Whether people have ids."""
        return "uid" in self.frame.columns


def read_outcome_points(
    spark: SparkSession, config: SpatialConfig, frame: DataFrame | None = None
) -> OutcomePoints:
    """Read points with outcomes from files of any form, or from a DataFrame.

    Parameters
    ----------
    spark : SparkSession
    config : SpatialConfig
        A row without a truth, stratum or weight that its test needs is rejected.
    frame : DataFrame, optional
        Taken in place of ``config.input.path``.

    Returns
    -------
    OutcomePoints

    Raises
    ------
    InputError
        Whatever headers and the first 1,000 rows can tell; see its subclasses.
    """
    with reading(spark, config.input.path if frame is None else None):
        rows = _plan(open_input(spark, config.input.places(), frame), config)
        _check(rows)
    names = [name for name in ("uid", "x", "y", *COLUMNS) if name != "uid" or "uid" in rows.fields]
    good = F.col("reason") == 0
    clean = rows.marked().select(*(F.when(good, F.col(name)).alias(name) for name in names), "reason")
    return OutcomePoints(clean, rows.crs, rows.source.label, rows.details)


@dataclass(frozen=True)
class _Rows:
    source: Source
    outcomes: Outcomes
    fields: Mapping[str, Field]
    crs: CoordinateSystem
    uid_type: Literal["int", "string"]

    @property
    def place(self) -> dict[str, Field]:
        return {role: self.fields[role] for role in ("x", "y", "geometry") if role in self.fields}

    def marked(self, *, located: bool = False) -> DataFrame:
        fields = self.fields
        raw = self.source.rows({role: field.name for role, field in fields.items()}, located=located)
        x, y = coordinates.values(self.place)
        values = {"x": x, "y": y, **self.outcomes.values(fields)}
        if "uid" in fields:
            values["uid"] = ids.value(fields["uid"], "_uid", self.uid_type)
        valued = raw.select("*", *(value.alias(name) for name, value in values.items()))
        return valued.select("*", first_reason(self._broken()).alias("reason"))

    def _broken(self) -> dict[str, Column]:
        fields, x, y = self.fields, F.col("x"), F.col("y")
        broken = {
            "ragged_row": F.col(RAGGED),
            "null_coordinate": coordinates.missing(self.place),
            "bad_coordinate": x.isNull() | y.isNull(),
            "nan_coordinate": F.isnan(x) | F.isnan(y),
            "coordinate_out_of_range": ~coordinates.in_range(self.crs),
            **self.outcomes.broken(fields),
        }
        if "uid" in fields:
            broken["null_id"] = ids.is_missing(fields["uid"], "_uid")
            broken["bad_id"] = F.col("uid").isNull()
        if self.crs.is_geographic and self.outcomes.config.input.null_island == "reject":
            broken["null_island"] = (x == 0.0) & (y == 0.0)
        return broken

    def details(self) -> DataFrame:
        """Second scan: an example of every reject."""
        with reading(self.source.base.sparkSession, list(self.source.files)):
            shown = {"bad_id": "uid", "bad_outcome": "outcome", "bad_truth": "truth", "bad_weight": "weight"}
            values = {reason: F.col(f"_{role}") for reason, role in shown.items() if role in self.fields}
            limits = {
                "coordinate_out_of_range": f"not in {coordinates.limit_text(self.crs)} ({self.crs})",
                "nan_coordinate": "NaN",
                "null_coordinate": "empty",
                "bad_coordinate": "no number" if "geometry" not in self.fields else "no point",
                "null_island": "longitude 0, latitude 0",
            }
            located = self.marked(located=True).withColumn("_example", offending(values))
            return find_examples(located, source="points", unit=self.source.unit, limits=limits)


def _plan(source: Source, whole: SpatialConfig) -> _Rows:
    config, outcomes = whole.input, Outcomes(whole, source.label)
    wanted, names = config.columns, source.columns
    found = {role: columns.find(role, getattr(wanted, role), names, source.label) for role in ("x", "y")}
    geometry = source.geometry if wanted.geometry is None else wanted.geometry
    if geometry is None and (found["x"] is None or found["y"] is None):
        geometry = columns.find("geometry", None, names, source.label)
    if wanted.geometry is not None:
        found = {"x": None, "y": None}
        geometry = columns.find("geometry", wanted.geometry, names, source.label)
    roles = coordinates.find_roles({**found, "geometry": geometry}, source.label)
    for role in outcomes.roles:
        roles[role] = columns.find(role, getattr(wanted, role), names, source.label)
    columns.require(roles, names, source.label)
    # People without ids are as good: an id is taken only where it is named.
    if wanted.uid is not None:
        roles["uid"] = columns.find("uid", wanted.uid, names, source.label)
    fields = {role: source.fields[name] for role, name in roles.items() if name is not None}
    coordinates.check_types({r: fields[r] for r in ("x", "y", "geometry") if r in fields}, source.label)
    uid_type = ids.resolve(fields["uid"], config.uid_type, source.label) if "uid" in fields else "string"
    crs = coordinates.resolve_crs(config.crs, source.crs, source.label)
    return _Rows(source, outcomes, fields, crs, uid_type)


def _check(rows: _Rows) -> None:
    sample = rows.marked().limit(FIRST_ROWS).collect()
    source = rows.source.label
    if not sample:
        raise EmptyTableError(f"{source} has no rows", "check how it was written")
    there = [row for row in sample if row["x"] is not None and row["y"] is not None]
    finite = [row for row in there if abs(row["x"]) < float("inf") and abs(row["y"]) < float("inf")]
    coordinates.refuse_wrong_system([r["x"] for r in finite], [r["y"] for r in finite], rows.crs, source)
    reasons = [REASONS.get(row["reason"]) for row in sample]
    for reason in sorted({name for name in reasons if name}):
        if reasons.count(reason) * 2 > len(sample):
            remedy = "check input.columns"
            if reason == "bad_outcome":
                remedy = {
                    "bernoulli": "set input.positive to the value that means the positive outcome",
                    "multinomial": "correct input.classes",
                }.get(rows.outcomes.model, "name a column of numbers (input.columns.outcome)")
            raise InputError(
                f"{source}: {reasons.count(reason)} of the first {len(sample)} rows are rejected as {reason}",
                remedy,
            )
    codes = {row["code"] for row in sample if row["reason"] == 0 and row["code"] is not None}
    if len(codes) > MAX_CLASSES:
        raise InputError(
            f"{source}: {len(codes)} classes among the first {len(sample)} outcomes, allowed are {MAX_CLASSES}",
            "merge rare classes, or set scan.model: normal for real outcomes",
        )
