"""Times of every form as microseconds since 1970-01-01 UTC, independent of the session's zone and ANSI mode.

Texts are ISO 8601 (``T``, blank or comma between date and time; a date alone is its midnight) or follow
``time_format``. An offset in the text counts; without one the time is a reading of the local clock of a zone:
of the hour that a clock shows twice it is the first, and in the hour that it skips it is moved on by the gap.
Everything finer than a microsecond is cut off, towards the past; a floating point number of seconds is rounded
to the nearest microsecond, since its digits beyond are not the logger's.
"""

from __future__ import annotations

import re
from typing import Literal

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.errors import ConfigurationError, TimeUnitError
from movfair_spark.readers.source import Field

TimeUnit = Literal["s", "ms", "us", "ns"]
PER_SECOND: dict[str, int] = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}

_INTEGRAL = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
# No backslash: a setting of the session decides what it means inside SQL text.
_CLOCK = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"
_OFFSET = "(Z|UTC|GMT|[+-][0-9]{2}(:?[0-9]{2})?)"
_ISO = f"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([T ,]{_CLOCK} ?{_OFFSET}?)?$"
_NO_SECONDS = f"^.{{16}} ?{_OFFSET}?$"
_NUMBER = "^[+-]?[0-9]+([.][0-9]*)?([E][+-]?[0-9]+)?$"


def check_declared(field: Field, unit: TimeUnit | None, time_format: str | None, source: str) -> None:
    """Refuse a declaration that does not fit the column's type.

    Raises
    ------
    TimeUnitError
        Numbers without a unit, a unit for something that is no number, or a type that is no time.
    ConfigurationError
        A ``time_format`` that names no date, or that holds an unknown letter.
    """
    kind = field.type
    if time_format is not None:
        _pattern(time_format)
    text = isinstance(kind, T.StringType)
    number = isinstance(kind, (*_INTEGRAL, T.DoubleType, T.FloatType, T.DecimalType)) and field.nanos is None
    stamp = isinstance(kind, T.TimestampType | T.TimestampNTZType | T.DateType) or field.nanos is not None
    if not (text or number or stamp):
        raise TimeUnitError(
            f"{source}: '{field.name}' is {kind.simpleString()}, no time", "name the time column"
        )
    if number and unit is None:
        raise TimeUnitError(
            f"{source}: the times in '{field.name}' are numbers and time_unit is not set",
            "set time_unit to s, ms, us or ns (since 1970-01-01 UTC)",
        )
    if stamp and unit is not None:
        raise TimeUnitError(
            f"{source}: time_unit is {unit}, but '{field.name}' holds timestamps", "remove time_unit"
        )


def is_missing(field: Field, name: str) -> Column:
    """Whether a time is missing: null, NaN, or blank text."""
    raw = F.col(name)
    if isinstance(field.type, T.StringType):
        return raw.isNull() | (F.trim(raw) == "")
    if isinstance(field.type, T.FloatType | T.DoubleType):
        return raw.isNull() | F.isnan(raw)
    return raw.isNull()


def tidy(field: Field, name: str, time_format: str | None) -> Column:
    """Text in the one form that :func:`micros` reads; other types as they are."""
    if not isinstance(field.type, T.StringType):
        return F.col(name)
    text = F.upper(F.trim(F.col(name)))
    if time_format is None:
        return text
    pattern, order = _pattern(time_format)
    return F.when(text.rlike(pattern), F.regexp_replace(text, pattern, order))


def micros(field: Field, name: str, unit: TimeUnit | None, zone: str) -> Column:
    """Microseconds since 1970-01-01 UTC, as bigint; null where a time cannot be read.

    Parameters
    ----------
    field : Field
        The column that ``name`` comes from.
    name : str
        Column that :func:`tidy` made.
    unit : {'s', 'ms', 'us', 'ns'} or None
        What a number counts.
    zone : str
        IANA zone of times without an offset.
    """
    kind = field.type
    if field.nanos is not None:
        cut = F.expr(f"({name} - pmod({name}, 1000L)) div 1000L")
        return cut if field.nanos == "utc" else _to_utc(cut, zone)
    if isinstance(kind, T.TimestampType):
        return F.expr(f"unix_micros({name})")
    if isinstance(kind, T.TimestampNTZType):
        seconds = f"((datediff(cast({name} as date), date'1970-01-01') * 24L + hour({name})) * 60L + minute({name})) * 60L"
        local = F.expr(f"{seconds} * 1000000L + cast(extract(SECONDS FROM {name}) * 1000000 as bigint)")
        return _to_utc(local, zone)
    if isinstance(kind, T.DateType):
        return _to_utc(F.expr(f"datediff({name}, date'1970-01-01') * 86400000000L"), zone)
    if isinstance(kind, T.StringType):
        return _of_number_text(name, unit) if unit else _of_text(name, zone)
    if isinstance(kind, T.DoubleType | T.FloatType):
        scaled = f"cast({name} as double) * {1e6 / PER_SECOND[unit or 's']!r}D"
        return F.expr(f"CASE WHEN abs({scaled}) < 9e18D THEN cast(floor({scaled} + 0.5D) as bigint) END")
    if isinstance(kind, T.DecimalType):
        return _of_decimal(name, unit or "s")
    return _of_long(name, unit or "s")


def _to_utc(local: Column, zone: str) -> Column:
    if zone in ("UTC", "Etc/UTC"):
        return local
    return F.unix_micros(F.to_utc_timestamp(F.timestamp_micros(local), zone))


def _of_long(name: str, unit: str) -> Column:
    per = PER_SECOND[unit]
    if per > 1_000_000:
        return F.expr(f"({name} - pmod({name}, 1000L)) div 1000L")
    return F.expr(f"try_multiply(cast({name} as bigint), {1_000_000 // per}L)")


def _of_decimal(name: str, unit: str) -> Column:
    per = PER_SECOND[unit]
    # decimal(38, 9) holds 29 digits before the point; the product stays within 38.
    exact = f"try_cast({name} as decimal(28, 9))"
    scaled = f"{exact} / 1000" if per > 1_000_000 else f"{exact} * {1_000_000 // per}"
    return F.expr(f"try_cast(floor({scaled}) as bigint)")


def _of_number_text(name: str, unit: str) -> Column:
    return F.when(F.col(name).rlike(_NUMBER), _of_decimal(name, unit))


def _of_text(name: str, zone: str) -> Column:
    whole = (
        f"CASE WHEN length({name}) = 10 THEN concat({name}, 'T00:00:00') "
        f"WHEN {name} RLIKE '{_NO_SECONDS}' THEN overlay(overlay({name} PLACING 'T' FROM 11 FOR 1) PLACING ':00' FROM 17 FOR 0) "
        f"ELSE overlay({name} PLACING 'T' FROM 11 FOR 1) END"
    )
    offset = f"substring({name}, 17) RLIKE '[ZUG+-]'"
    utc = F.expr(f"unix_micros(try_cast({whole} as timestamp))")
    local = F.expr(f"unix_micros(try_cast(concat({whole}, 'Z') as timestamp))")
    known = F.when(F.expr(offset), utc).otherwise(_to_utc(local, zone))
    return F.when(F.col(name).rlike(_ISO), known)


_LETTERS = {
    "yyyy": "[0-9]{4}",
    "MM": "[0-9]{2}",
    "dd": "[0-9]{2}",
    "HH": "[0-9]{2}",
    "mm": "[0-9]{2}",
    "ss": "[0-9]{2}",
}


def _pattern(time_format: str) -> tuple[str, str]:
    """Regular expression of a format, and the replacement that brings its groups into ISO order."""
    remedy = "use yyyy MM dd HH mm ss S (fraction) X (offset) and the signs between them, as in dd/MM/yyyy HH:mm:ss"
    parts = re.findall(r"yyyy|MM|dd|HH|mm|ss|S+|X+|'[^']*'|[A-Za-z]+|.", time_format)
    groups: dict[str, int] = {}
    pattern = ""
    for part in parts:
        key = part[0] if part[0] in "SX" else part
        if part in _LETTERS or key in ("S", "X"):
            if key in groups:
                raise ConfigurationError(f"time_format {time_format!r} holds {part} twice", remedy)
            groups[key] = len(groups) + 1
            pattern += (
                f"({_LETTERS.get(part, '[0-9]+' if key == 'S' else 'Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}')})"
            )
        elif part[0].isalpha() and part != "T":
            raise ConfigurationError(f"time_format {time_format!r}: {part!r} is unknown", remedy)
        else:
            text = part.strip("'") if len(part) > 1 else part
            pattern += "".join(f"[{sign}]" if sign not in "[]^\\" else "." for sign in text.upper())
    if not {"yyyy", "MM", "dd"} <= groups.keys() or (
        groups.keys() & {"mm", "ss", "S", "X"} and "HH" not in groups
    ):
        raise ConfigurationError(f"time_format {time_format!r} does not say the whole date and hour", remedy)
    order = "${yyyy}-${MM}-${dd}" + ("T${HH}:${mm}:${ss}" if "HH" in groups else "")
    order += ".${S}" if "S" in groups else ""
    order += "${X}" if "X" in groups else ""
    for key in ("yyyy", "MM", "dd", "HH", "mm", "ss", "S", "X"):
        order = order.replace(f"${{{key}}}", f"${groups[key]}" if key in groups else "00")
    return f"^{pattern}$", order


def likely_unit(value: object, first: int, after: int) -> TimeUnit | None:
    """Find the unit in which a number lies in the plausible years; None for anything but a number, or when none fits.

    Parameters
    ----------
    value : object
        A raw time.
    first, after : int
        Half-open range of plausible microseconds.
    """
    try:
        number = float(str(value))
    except ValueError:
        return None
    units: tuple[TimeUnit, ...] = ("s", "ms", "us", "ns")
    return next((unit for unit in units if first <= number * 1_000_000 / PER_SECOND[unit] < after), None)
