"""The rules that look at one row alone, as expressions on the read: every row gets a reason, 0 when it is fine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from pyspark.sql import Column
from pyspark.sql import functions as F

from movfair_spark.tables.rejects import CODES, ROW_ORDER

EXAMPLE_LENGTH = 60


def first_reason(broken: Mapping[str, Column]) -> Column:
    """Code of the first rule that a row breaks, in the order of ``tables.rejects.ROW_ORDER``; 0 for none.

    Parameters
    ----------
    broken : mapping of str to Column
        Reason -> whether the row breaks that rule; null counts as no.
    """
    ordered = [name for name in ROW_ORDER if name in broken]
    unknown = broken.keys() - set(ordered)
    if unknown:
        raise ValueError(f"no place in ROW_ORDER: {sorted(unknown)}")
    chain = reduce(lambda done, name: done.when(broken[name], CODES[name]), ordered, F)
    return chain.otherwise(0).cast("tinyint")


def offending(values: Mapping[str, Column]) -> Column:
    """Value to show for a reject, by reason; null where none may be shown (places) or there is none.

    Parameters
    ----------
    values : mapping of str to Column
        Reason -> its value; cut at :data:`EXAMPLE_LENGTH` characters.
    """
    if not values:
        return F.lit(None).cast("string")
    reason = F.col("reason")
    chain = reduce(
        lambda done, name: done.when(
            reason == CODES[name], F.substring(values[name].cast("string"), 1, EXAMPLE_LENGTH)
        ),
        values,
        F,
    )
    return chain.otherwise(F.lit(None).cast("string"))


def year_bounds(min_year: int, max_year: int) -> tuple[int, int]:
    """First microsecond of ``min_year`` and first one after ``max_year`` (proleptic Gregorian, UTC)."""
    return _micros_of_year(min_year), _micros_of_year(max_year + 1)


def _micros_of_year(year: int) -> int:
    from datetime import date

    return (date(year, 1, 1).toordinal() - date(1970, 1, 1).toordinal()) * 86_400_000_000
