"""What the first rows of an input tell: was it declared wrongly? Then most of them fail in one and the same way."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import types as T

from movfair_spark.errors import EmptyTableError, IdTypeError, InputError, TimeUnitError
from movfair_spark.readers import coordinates, times
from movfair_spark.readers.rules import year_bounds
from movfair_spark.tables.rejects import CODES, REASONS

if TYPE_CHECKING:
    from movfair_spark.readers.rows import FieldRows

FIRST_ROWS = 1_000
"""So many rows are looked at before any long work."""


def check_first_rows(sample: Sequence[Any], rows: FieldRows) -> None:
    """Refuse an input whose first rows show that it was declared wrongly: most of them fail in one way."""
    source = rows.source.label
    if not sample:
        raise EmptyTableError(f"{source} has no rows", "check how it was written")
    reasons = Counter(REASONS.get(row["reason"], "") for row in sample)
    most = len(sample) / 2
    if reasons["ragged_row"] > most:
        raise InputError(
            f"{source}: {reasons['ragged_row']} of the first {len(sample)} rows have another number of fields "
            "than the header",
            "check separator, and quotes around fields that hold it",
        )
    _check_ids(sample, rows, most)
    _check_times(sample, rows)
    pairs = [
        (row["x"], row["y"])
        for row in sample
        if row["x"] is not None
        and row["y"] is not None
        and math.isfinite(row["x"])
        and math.isfinite(row["y"])
    ]
    coordinates.refuse_wrong_system([x for x, _ in pairs], [y for _, y in pairs], rows.crs, source)
    if reasons["bad_coordinate"] > most:
        commas = (
            "x" in rows.fields
            and isinstance(rows.fields["x"].type, T.StringType)
            and any("," in str(row["_x"]) for row in sample)
        )
        raise InputError(
            f"{source}: {reasons['bad_coordinate']} of the first {len(sample)} rows have coordinates that are no "
            + ("numbers (they hold decimal commas)" if commas else "numbers or points"),
            "write decimal points" if commas else "check columns.x and columns.y (or columns.geometry)",
        )
    for reason in ("null_id", "null_time", "null_coordinate", "nan_coordinate", "bad_accuracy"):
        if reasons[reason] == len(sample) and len(sample) > 1:
            raise InputError(
                f"{source}: all of the first {len(sample)} rows are rejected as {reason}", "check columns"
            )


def _check_ids(sample: Sequence[Any], rows: FieldRows, most: float) -> None:
    bad = [row["_uid"] for row in sample if row["reason"] == CODES["bad_id"]]
    if len(bad) > most:
        raise IdTypeError(
            f"{rows.source.label}: {len(bad)} of the first {len(sample)} ids are no whole numbers in their shortest "
            f"form (such as '{re.sub('[0-9]', '9', str(bad[0]))[:30]}', digits masked)",
            "set uid_type: string",
        )


def _check_times(sample: Sequence[Any], rows: FieldRows) -> None:
    config, role = rows.config, rows.times[0]
    first, after = year_bounds(config.min_year, config.max_year)
    there = [row for row in sample if row[f"_{role}"] not in (None, "")]
    unread = [row for row in there if row[role] is None]
    wrong = [row for row in there if row[role] is None or not first <= row[role] < after]
    if len(wrong) * 2 <= len(there):
        return
    value, name = wrong[0][f"_{role}"], rows.fields[role].name
    shown = (
        f"{rows.source.label}: {len(wrong)} of the first {len(there)} times in '{name}' (such as '{value}')"
    )
    unit = times.likely_unit(value, first, after)
    if config.time_unit is not None:
        hint = (
            f"set time_unit: {unit}" if unit else "remove time_unit if they are texts; else correct time_unit"
        )
        raise TimeUnitError(
            f"{shown}, read as {config.time_unit}, do not lie in {config.min_year}..{config.max_year}", hint
        )
    if unit is not None and isinstance(rows.fields[role].type, T.StringType):
        raise TimeUnitError(f"{shown} are numbers and time_unit is not set", f"set time_unit (likely {unit})")
    if unread:
        form = (
            f"time_format {config.time_format}"
            if config.time_format
            else "ISO 8601 (2024-01-31 23:59:59+01:00)"
        )
        raise TimeUnitError(
            f"{shown} are not in the form {form}", "set time_format, as in dd/MM/yyyy HH:mm:ss"
        )
    raise TimeUnitError(
        f"{shown} lie outside the years {config.min_year}..{config.max_year}",
        "correct the times, or set min_year and max_year",
    )
