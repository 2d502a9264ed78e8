"""From the table of values to one series per model, metric and sensitive column, on the driver.

What comes to the driver is bounded by the configuration: distinct errors of at most ``max_exact_rows`` rows per
series, or bins of larger ones; groups up to a stated number. It does not grow with the rows of the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from movfair_spark.config.error_parity import ErrorParityConfig
from movfair_spark.errors import InputError, LimitError
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.kernels.parity import summary
from movfair_spark.kernels.parity.series import Series, series_of
from movfair_spark.stages.error_groups import GroupColumn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: More groups than this are not even counted one by one.
MOST_GROUPS = 10_000


@dataclass(frozen=True, eq=False)
class FamilyData:
    """One model's errors by one metric in the groups of one sensitive column.

    ``series`` has one more group than ``groups``: the rows of all groups that were left out for their size.
    """

    model: int
    metric: int
    sensitive: int
    groups: tuple[str, ...]
    sizes: tuple[int, ...]
    left_out: tuple[tuple[str, int], ...]
    series: Series


def families(
    values: DataFrame, groups: Sequence[GroupColumn], config: ErrorParityConfig
) -> Iterator[FamilyData]:
    """Collect all series, one sensitive column after the other.

    Parameters
    ----------
    values : DataFrame
        Table of values without rows that have a problem.
    groups : sequence of GroupColumn
    config : ErrorParityConfig

    Raises
    ------
    LimitError
        A column has too many groups.
    InputError
        Fewer than two groups of the minimum size.
    """
    for s, group in enumerate(groups):
        mine = values.where(F.col(f"g{s}").isNotNull()).withColumnRenamed(f"g{s}", "g")
        many = mine.select("g").distinct().limit(MOST_GROUPS + 1).count()
        if many > MOST_GROUPS:
            raise LimitError(
                f"'{group.label}' has more than {MOST_GROUPS:,} groups",
                "name a column with few values, or cut it: {column: NAME, quantiles: 4}",
            )
        sizes: dict[tuple[int, int], dict[str, int]] = {}
        for row in mine.groupBy("model", "metric", "g").agg(F.sum("rows").alias("rows")).collect():
            sizes.setdefault((row["model"], row["metric"]), {})[row["g"]] = row["rows"]
        names = config.error_names
        wanted = [(m, e) for m in range(len(config.models)) for e in range(len(names))]
        chosen = {}
        for key in wanted:
            what = f"{config.models[key[0]]}, {names[key[1]]}"
            chosen[key] = _chosen(sizes.get(key, {}), group, config, what)
        binned = _too_many_values(
            mine, [key for key in wanted if sum(sizes[key].values()) > config.max_exact_rows], config
        )
        exact = _collect(mine, [key for key in wanted if key not in binned])
        for key in wanted:
            included, left_out = chosen[key]
            many_rows = sum(sizes[key].values()) > config.max_exact_rows
            series = (
                _binned(mine, key, included, config.summary_values)
                if key in binned
                else _exact(exact[key], included, by_counts=many_rows)
            )
            yield FamilyData(
                *key,
                s,
                included,
                tuple(sizes[key][name] for name in included),
                tuple(left_out.items()),
                series,
            )


def _chosen(
    sizes: dict[str, int], group: GroupColumn, config: ErrorParityConfig, what: str
) -> tuple[tuple[str, ...], dict[str, int]]:
    ordered = sorted(sizes, key=_sort_key(group))
    included = tuple(name for name in ordered if sizes[name] >= config.min_group_size)
    left_out = {name: sizes[name] for name in ordered if sizes[name] < config.min_group_size}
    if len(included) > config.max_groups:
        raise LimitError(
            f"'{group.label}' has {len(included):,} groups, over max_groups = {config.max_groups}",
            "join groups, cut the column at edges, or raise max_groups and pair_permutations",
        )
    if len(included) < 2:
        few = f"{len(included)} group{'' if len(included) == 1 else 's'} of at least {config.min_group_size} rows"
        small = f"; {len(left_out)} smaller ones are left out" if left_out else ""
        raise InputError(
            f"'{group.label}' has {few} with an error ({what}){small}",
            "error parity compares at least two groups: name another column, or lower min_group_size",
        )
    return included, left_out


def _sort_key(group: GroupColumn):  # type: ignore[no-untyped-def]
    place = {name: i for i, name in enumerate(group.order)}

    def key(name: str) -> tuple[int, float, bytes]:
        if name in place:
            return 0, place[name], b""
        try:
            return 1, float(name), name.encode()
        except ValueError:
            return 2, 0.0, name.encode()

    return key


def _of(frame: DataFrame, keys: Sequence[tuple[int, int]]) -> DataFrame:
    condition = F.lit(False)
    for model, metric in keys:
        condition = condition | ((F.col("model") == model) & (F.col("metric") == metric))
    return frame.where(condition)


def _too_many_values(
    frame: DataFrame, large: Sequence[tuple[int, int]], config: ErrorParityConfig
) -> set[tuple[int, int]]:
    if not large:
        return set()
    counted = (
        _of(frame, large).select("model", "metric", "value").distinct().groupBy("model", "metric").count()
    )
    return {
        (row["model"], row["metric"]) for row in counted.collect() if row["count"] > config.summary_values
    }


def _collect(frame: DataFrame, keys: Sequence[tuple[int, int]]) -> dict[tuple[int, int], pa.Table]:
    if not keys:
        return {}
    table = to_arrow(
        _of(frame, keys).groupBy("model", "metric", "exact", "value", "g").agg(F.sum("rows").alias("rows"))
    )
    model, metric = (table.column(name).to_numpy() for name in ("model", "metric"))
    return {key: table.filter(pa.array((model == key[0]) & (metric == key[1]))) for key in keys}


def _codes(names: pa.ChunkedArray, included: Sequence[str]) -> np.ndarray:
    # Position among the included groups; those left out share the number after the last one.
    coded = names.combine_chunks().dictionary_encode()
    place = {name: i for i, name in enumerate(included)}
    lookup = np.array(
        [place.get(name, len(included)) for name in coded.dictionary.to_pylist()], dtype=np.int64
    )
    return lookup[coded.indices.to_numpy()]


def _exact(table: pa.Table, included: Sequence[str], *, by_counts: bool) -> Series:
    whole = table.column("exact").null_count == 0
    values = table.column("exact" if whole else "value").to_numpy()
    groups, rows = _codes(table.column("g"), included), table.column("rows").to_numpy()
    return series_of(values, groups, rows, len(included) + 1, by_counts=by_counts)


def _binned(frame: DataFrame, key: tuple[int, int], included: Sequence[str], limit: int) -> Series:
    mine = _of(frame, [key]).select("value", "g", "rows")
    ends = mine.agg(F.min("value").alias("low"), F.max("value").alias("high")).first()
    assert ends is not None
    low, high = float(ends["low"]), float(ends["high"])
    # The mean to 2^-30 of the range, from sums of integers: no order of addition changes it.
    part = F.floor((F.col("value") - F.lit(low)) / F.lit(high - low) * F.lit(float(1 << 30))).cast("bigint")
    total = mine.agg(F.sum(part * F.col("rows")).alias("parts"), F.sum("rows").alias("rows")).first()
    assert total is not None
    center = low + (high - low) * (total["parts"] / total["rows"] / (1 << 30))
    top = summary.exponent_of(low, high, center)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            bins, places = summary.bins_of(batch.column("value").to_numpy(zero_copy_only=False), center, top)
            rows = batch.column("rows").to_numpy(zero_copy_only=False)
            yield pa.RecordBatch.from_arrays(
                [pa.array(bins), pa.array(places * rows), batch.column("g"), batch.column("rows")],
                names=["bin", "places", "g", "rows"],
            )

    binned = mine.mapInArrow(work, "bin bigint, places bigint, g string, rows bigint")
    table = to_arrow(
        binned.groupBy("bin", "g").agg(F.sum("places").alias("places"), F.sum("rows").alias("rows"))
    )
    return series_of_bins(table, included, center, top, limit)


def series_of_bins(table: pa.Table, included: Sequence[str], center: float, top: int, limit: int) -> Series:
    """Build a series from bins: each bin stands for the mean of its errors.

    Parameters
    ----------
    table : pyarrow.Table
        bin, places (sum over rows), g, rows.
    included : sequence of str
        Groups, in order.
    center : float
    top : int
        See `kernels.parity.summary`.
    limit : int
        At most so many distinct values.
    """
    bins, places, rows = (table.column(name).to_numpy() for name in ("bin", "places", "rows"))
    fine, where = np.unique(bins, return_inverse=True)
    place_sum, row_sum = np.zeros(fine.size, dtype=np.int64), np.zeros(fine.size, dtype=np.int64)
    np.add.at(place_sum, where, places)
    np.add.at(row_sum, where, rows)
    values = summary.value_of(fine, place_sum / row_sum, center, top)
    names, bits = summary.merged(fine, limit)
    coarse, level = np.unique(names, return_inverse=True)
    weighted = np.zeros(coarse.size)
    weight = np.zeros(coarse.size, dtype=np.int64)
    np.add.at(weighted, level, (values - center) * row_sum)
    np.add.at(weight, level, row_sum)
    means = center + weighted / weight
    return series_of(
        means[level[where]],
        _codes(table.column("g"), included),
        rows,
        len(included) + 1,
        by_counts=True,
        rounding=2.0**-bits,
    )
