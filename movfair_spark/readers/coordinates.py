"""Coordinates of a row: columns x and y, or a geometry (WKT text, WKB, or Sedona's own type)."""

from __future__ import annotations

import math

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import CoordinatesError, MissingColumnsError
from movfair_spark.readers import numbers
from movfair_spark.readers.source import Field

EARTH_M = 40_075_017.0
"""Circumference of the Earth: no projected coordinate is farther from its origin."""

# A number, then blanks, then a number; a third one (height) is allowed and ignored. No backslash: see times.py.
_PART = "[-+0-9.eEnNaAiIfF]+"
_WKT = f"^ *(SRID=[0-9]+;)? *POINT *Z? *[(] *({_PART}) +({_PART})( +{_PART})? *[)] *$"


def check_types(fields: dict[str, Field], source: str) -> None:
    """Refuse columns that cannot hold coordinates.

    Parameters
    ----------
    fields : dict of str to Field
        ``{'geometry': ...}`` or ``{'x': ..., 'y': ...}``.

    Raises
    ------
    CoordinatesError
        A date, a boolean, a struct, ...
    """
    for role, field in fields.items():
        kind = field.type
        fits = (
            isinstance(kind, T.StringType | T.BinaryType) or kind.typeName() == "geometrytype"
            if role == "geometry"
            else numbers.is_number_type(kind)
        )
        if not fits:
            raise CoordinatesError(
                f"{source}: '{field.name}' is {kind.simpleString()} and cannot be {role}",
                "name the columns of the coordinates (columns.x, columns.y or columns.geometry)",
            )


def missing(fields: dict[str, Field]) -> Column:
    """Whether a coordinate is missing (null, blank, an empty point)."""
    if "geometry" not in fields:
        return numbers.is_missing(fields["x"], "_x") | numbers.is_missing(fields["y"], "_y")
    raw = F.col("_geometry")
    if isinstance(fields["geometry"].type, T.StringType):
        return raw.isNull() | F.upper(F.trim(raw)).isin("", "POINT EMPTY")
    return raw.isNull()


def values(fields: dict[str, Field]) -> tuple[Column, Column]:
    """Give x and y as doubles; null where they cannot be read."""
    if "geometry" not in fields:
        return numbers.value(fields["x"], "_x"), numbers.value(fields["y"], "_y")
    kind = fields["geometry"].type
    if isinstance(kind, T.StringType):
        text = F.upper(F.col("_geometry"))
        # 'nan' is the group's own text; no match gives '', which no cast takes.
        x, y = (F.regexp_extract(text, _WKT, group) for group in (2, 3))
        return _double(x), _double(y)
    geometry = "ST_GeomFromWKB(_geometry)" if isinstance(kind, T.BinaryType) else "_geometry"
    return F.expr(f"ST_X({geometry})"), F.expr(f"ST_Y({geometry})")


def _double(text: Column) -> Column:
    # nullif first: under ANSI a plain cast of '' is an error.
    number = F.when(text.rlike("^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(E[+-]?[0-9]+)?$|^NAN$"), text)
    return number.cast("double")


def in_range(crs: CoordinateSystem, x: str = "x", y: str = "y") -> Column:
    """Whether finite coordinates lie where the reference system can have them.

    Longitudes -180..180 and latitudes -90..90, both ends included; otherwise no farther from the origin than
    the Earth's circumference (``planar`` too: it is metres).
    """
    if crs.is_geographic:
        return F.col(x).between(-180.0, 180.0) & F.col(y).between(-90.0, 90.0)
    limit = EARTH_M / unit_m(crs)
    return F.col(x).between(-limit, limit) & F.col(y).between(-limit, limit)


def limit_text(crs: CoordinateSystem) -> str:
    """Put the limits of :func:`in_range` in words (an example of a reject names the limit, never the place)."""
    if crs.is_geographic:
        return "longitude -180..180, latitude -90..90"
    return f"x and y within {EARTH_M / unit_m(crs):.0f} of the origin"


def unit_m(crs: CoordinateSystem) -> float:
    """Metres per unit of a projected or planar system."""
    return 1.0 if crs.is_planar else float(crs.crs.axis_info[0].unit_conversion_factor)


def resolve_crs(declared: str | None, of_file: CoordinateSystem | None, source: str) -> CoordinateSystem:
    """Find the reference system of an input: the configuration's, else the file's, else EPSG:4326.

    Raises
    ------
    CoordinatesError
        The file says another one than the configuration.
    """
    if declared is None:
        return of_file or CoordinateSystem.parse("EPSG:4326")
    crs = CoordinateSystem.parse(declared)
    if of_file is not None and not _same(crs, of_file):
        raise CoordinatesError(
            f"{source} says that its coordinates are {of_file}, the configuration says {crs}",
            "remove crs from the configuration, or correct the file",
        )
    return crs


def _same(one: CoordinateSystem, other: CoordinateSystem) -> bool:
    lonlat = {"EPSG:4326", "OGC:CRS84"}
    if {one.definition, other.definition} <= lonlat or one == other:
        return True
    if one.is_planar or other.is_planar:
        return False
    return one.crs.equals(other.crs, ignore_axis_order=True)


def refuse_wrong_system(xs: list[float], ys: list[float], crs: CoordinateSystem, source: str) -> None:
    """Compare the first coordinates of an input with its declared reference system.

    Parameters
    ----------
    xs, ys : list of float
        Finite coordinates of the first rows.

    Raises
    ------
    CoordinatesError
        Most are out of range (swapped axes, longitudes 0..360, metres declared as degrees), or all are so
        small that they must be degrees declared as metres, or most have no place on Earth.
    """
    if not xs:
        return
    pairs = list(zip(xs, ys, strict=True))
    most = len(pairs) / 2
    if crs.is_geographic:
        bad = sum(abs(x) > 180 or abs(y) > 90 for x, y in pairs)
        if bad <= most:
            return
        found = (
            f"{source}: {bad} of the first {len(pairs)} coordinates lie outside {limit_text(crs)} of {crs}"
        )
        if sum(abs(x) <= 90 and 90 < abs(y) <= 180 for x, y in pairs) > most:
            raise CoordinatesError(f"{found}; swapped they would fit", "swap x (longitude) and y (latitude)")
        if sum(180 < x <= 360 and abs(y) <= 90 for x, y in pairs) > most:
            raise CoordinatesError(
                f"{found}; longitudes run to 360", "subtract 360 from longitudes above 180"
            )
        raise CoordinatesError(
            f"{found}; they look like metres", "set crs to the coordinates' own system (EPSG:n, or planar)"
        )
    if crs.is_planar:
        return
    if all(abs(x) <= 180 and abs(y) <= 90 for x, y in pairs):
        raise CoordinatesError(
            f"{source}: the first {len(pairs)} coordinates all lie within 180 x 90 units of the origin of {crs}; "
            "they look like degrees",
            "set crs: EPSG:4326",
        )
    lon, lat = crs.to_lonlat(xs, ys)
    lost = sum(not (math.isfinite(a) and math.isfinite(b)) for a, b in zip(lon, lat, strict=True))
    if lost > most:
        raise CoordinatesError(
            f"{source}: {lost} of the first {len(pairs)} coordinates have no place on Earth in {crs}",
            "check crs, and the order of the columns x and y",
        )


def find_roles(names: dict[str, str | None], source: str) -> dict[str, str | None]:
    """Choose between a geometry and x with y.

    Parameters
    ----------
    names : dict of str to str or None
        Roles ``geometry``, ``x``, ``y`` -> column found.

    Returns
    -------
    dict
        ``{'geometry': name}``, or ``{'x': name, 'y': name}`` (which win where both are there).

    Raises
    ------
    MissingColumnsError
        Only one of x and y was found.
    """
    if names["x"] is not None and names["y"] is not None:
        return {"x": names["x"], "y": names["y"]}
    if names["geometry"] is not None:
        return {"geometry": names["geometry"]}
    lone = next((role for role in ("x", "y") if names[role] is not None), None)
    if lone:
        other = "y" if lone == "x" else "x"
        raise MissingColumnsError(
            f"{source} has '{names[lone]}' for {lone} but no column for {other} by any usual name",
            f"name it in the configuration (columns.{other}: NAME)",
        )
    return {"x": None, "y": None}
