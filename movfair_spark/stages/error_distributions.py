"""The paper's Figure 1 as a table: how the errors of each group are spread, and what a cut axis leaves out."""

from __future__ import annotations

import numpy as np

from movfair_spark.config.error_parity import ErrorParityReport
from movfair_spark.kernels.parity.family import Family
from movfair_spark.tables.error_parity import Row

#: Share of the pooled errors beyond each automatic cut.
TAIL = 0.005


def distribution_rows(family: Family, config: ErrorParityReport) -> list[Row]:
    """Bins of equal width over the axis, per group, and the errors beyond its ends.

    The axis goes from ``cut_low`` to ``cut_high``; by default from the pooled 0.5 % to the 99.5 % quantile where the
    tails beyond are longer than half of that range, and else over all errors. The last bin holds its upper end.
    """
    values = family.series.values.astype(np.float64)
    low, high = _axis(values, family.series.multiplicities, config)
    if not high > low:
        low, high = low - 0.5, high + 0.5
    edges = [low + (high - low) * i / config.bins for i in range(config.bins)] + [high]
    key = {"model": family.model, "metric": family.metric, "sensitive": family.sensitive}
    rows: list[Row] = []
    for number, group in enumerate(family.groups):
        mine, table = family.series.table((number,))
        mine, counts = mine.astype(np.float64), table[:, 0]
        total = int(counts.sum())
        inside = (mine >= low) & (mine <= high)
        place = np.minimum(np.searchsorted(edges, mine[inside], side="right") - 1, config.bins - 1)
        per_bin = np.zeros(config.bins, dtype=np.int64)
        np.add.at(per_bin, place, counts[inside])
        for i in range(config.bins):
            rows.append(_row(key, group, "inside", edges[i], edges[i + 1], int(per_bin[i]), total, None))
        for part, outside in (("below", mine < low), ("above", mine > high)):
            n = int(counts[outside].sum())
            weighted = sum(
                v * c for v, c in zip(mine[outside].tolist(), counts[outside].tolist(), strict=True)
            )
            start, end = (None, low) if part == "below" else (high, None)
            rows.append(_row(key, group, part, start, end, n, total, weighted / n if n else None))
    return rows


def _axis(values: np.ndarray, counts: np.ndarray, config: ErrorParityReport) -> tuple[float, float]:
    ends = np.cumsum(counts)
    quantiles = [float(values[np.searchsorted(ends, share * ends[-1])]) for share in (TAIL, 1.0 - TAIL)]
    low, high = float(values[0]), float(values[-1])
    width = quantiles[1] - quantiles[0]
    automatic = (
        quantiles[0] if quantiles[0] - low > 0.5 * width > 0.0 else low,
        quantiles[1] if high - quantiles[1] > 0.5 * width > 0.0 else high,
    )
    low = automatic[0] if config.cut_low is None else config.cut_low
    high = automatic[1] if config.cut_high is None else config.cut_high
    return low, high


def _row(
    key: Row,
    group: str,
    part: str,
    low: float | None,
    high: float | None,
    rows: int,
    total: int,
    mean: float | None,
) -> Row:
    return {
        **key,
        "group": group,
        "part": part,
        "low": low,
        "high": high,
        "rows": rows,
        "share": rows / total,
        "mean": mean,
    }
