"""Points, stops and check-ins of people: from any input to one frame in which every row is fine or has a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pyspark.sql import DataFrame, SparkSession

from movfair_spark.config.input import InputConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import InputError
from movfair_spark.readers import columns, coordinates, ids, numbers, study_area, times
from movfair_spark.readers.failures import reading
from movfair_spark.readers.first_rows import FIRST_ROWS, check_first_rows
from movfair_spark.readers.opening import open_input
from movfair_spark.readers.rows import TIME_ROLES, FieldRows
from movfair_spark.readers.source import Field, Source


@dataclass(frozen=True)
class Ingest:
    """An input that was checked as far as its headers and first rows tell, and can be scanned.

    Parameters
    ----------
    frame : DataFrame
        ``uid`` (bigint or string), ``ts`` (bigint, microseconds since 1970-01-01 UTC), ``x``, ``y`` (double, in
        ``crs``), ``reason`` (tinyint: 0, or a code of ``tables.rejects.REASONS``). For stops and check-ins
        ``arrive`` and ``leave`` stand in place of ``ts``. Rows with a reason have nulls elsewhere: they are kept so
        that rows read, kept and rejected are counted in one pass.
    crs : CoordinateSystem
    uid_type : {'int', 'string'}
    kind : {'points', 'stops', 'checkins'}
    source : str
        Path or table, for messages.
    details : callable
        Second scan, to be run only when something was rejected: table ``rejects`` (source, reason, rows, example).
    """

    frame: DataFrame
    crs: CoordinateSystem
    uid_type: Literal["int", "string"]
    kind: str
    source: str
    details: Callable[[], DataFrame]


def read_input(
    spark: SparkSession, config: InputConfig, time_zone: str = "UTC", frame: DataFrame | None = None
) -> Ingest:
    """Read points, stops or check-ins (``config.kind``).

    Parameters
    ----------
    spark : SparkSession
        Its settings are neither changed nor relied on (time zone, ANSI mode, case).
    config : InputConfig
    time_zone : str
        IANA zone of times without an offset, unless ``config.naive_times`` names another.
    frame : DataFrame, optional
        Taken in place of ``config.path``; it goes through the same rules.

    Returns
    -------
    Ingest

    Raises
    ------
    InputError
        Whatever headers, footers and the first 1,000 rows can tell; see its subclasses.
    """
    with reading(spark, config.path if frame is None else None):
        return _ingest(spark, config, str(time_zone), frame)


def _ingest(spark: SparkSession, config: InputConfig, time_zone: str, frame: DataFrame | None) -> Ingest:
    source = open_input(spark, config, frame)
    rows = _plan(source, config, time_zone)
    sample = rows.marked().limit(FIRST_ROWS).collect()
    check_first_rows(sample, rows)
    area = study_area.read_area(spark, config.study_area, rows.crs) if config.study_area else None
    return Ingest(
        frame=rows.clean(rows.within(rows.marked(), area)),
        crs=rows.crs,
        uid_type=rows.uid_type,
        kind=config.kind,
        source=source.label,
        details=lambda: rows.details(area),
    )


def _plan(source: Source, config: InputConfig, time_zone: str) -> FieldRows:
    """Map the columns and check everything that their types and the configuration tell."""
    wanted, names = config.columns, source.columns
    roles: dict[str, str | None] = {}
    if config.one_person is None:
        roles["uid"] = columns.find("uid", wanted.uid, names, source.label)
    for role in TIME_ROLES[config.kind]:
        roles[role] = columns.find(role, getattr(wanted, role), names, source.label)
    roles |= _place(source, config, names)
    if config.max_accuracy_m is not None:
        roles["accuracy_m"] = columns.find("accuracy_m", wanted.accuracy_m, names, source.label)
    alone = (
        ""
        if roles.get("uid", "") is not None
        else ("name it in the configuration (columns.uid: NAME), or give everybody one id (one_person: NAME)")
    )
    columns.require(roles, names, source.label, alone)
    fields = {role: source.fields[name] for role, name in roles.items() if name is not None}
    _refuse_reuse(fields, source.label)
    uid_type = ids.resolve(fields["uid"], config.uid_type, source.label) if "uid" in fields else "string"
    for role in TIME_ROLES[config.kind]:
        times.check_declared(fields[role], config.time_unit, config.time_format, source.label)
    coordinates.check_types({r: fields[r] for r in ("x", "y", "geometry") if r in fields}, source.label)
    if "accuracy_m" in fields and not numbers.is_number_type(fields["accuracy_m"].type):
        raise InputError(
            f"{source.label}: accuracy '{fields['accuracy_m'].name}' is no number", "name another column"
        )
    crs = coordinates.resolve_crs(config.crs, source.crs, source.label)
    return FieldRows(source, config, fields, crs, uid_type, config.naive_times or time_zone)


def _place(source: Source, config: InputConfig, names: Sequence[str]) -> dict[str, str | None]:
    wanted = config.columns
    named = {role: getattr(wanted, role) for role in ("x", "y", "geometry")}
    if named["geometry"] is not None:
        return {"geometry": columns.find("geometry", named["geometry"], names, source.label)}
    if named["x"] is None and named["y"] is None and source.geometry is not None:
        return {"geometry": source.geometry}
    found = {role: columns.find(role, named[role], names, source.label) for role in ("x", "y")}
    geometry = None
    if found["x"] is None or found["y"] is None:
        geometry = columns.find("geometry", None, names, source.label)
    return coordinates.find_roles({**found, "geometry": geometry}, source.label)


def _refuse_reuse(fields: Mapping[str, Field], source: str) -> None:
    uses = Counter(field.name for field in fields.values())
    for name, count in uses.items():
        if count > 1:
            roles = [role for role, field in fields.items() if field.name == name]
            raise InputError(
                f"{source}: column '{name}' is taken for {' and '.join(roles)}", "name one column for each"
            )
