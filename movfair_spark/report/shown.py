"""Evidence rows that a report may show: large enough groups, the best by rank, and how many were left out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import shapely
from pyspark.sql import functions as F

from movfair_spark.config.report import ReportConfig
from movfair_spark.crs import CoordinateSystem

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class EvidenceRow:
    """One evidence row as a report shows it; no ids of people.

    Attributes
    ----------
    rank, zoning_id, cells, n_cellsets, n, statistic, p_value, direction
        As in the table ``evidence``.
    detail : mapping
        What the model declared: observed, expected, rate_in, rate_out for Bernoulli.
    geometry : shapely geometry
        The dissolved cells, in the system of :class:`Shown`.
    non_overlapping : bool
        Whether it shares no person with a marked row of a better rank.
    """

    rank: int
    zoning_id: int
    cells: tuple[int, ...]
    n_cellsets: int | None
    n: int
    statistic: float
    p_value: float
    direction: str
    detail: Mapping[str, Any]
    geometry: shapely.Geometry
    non_overlapping: bool = True


@dataclass(frozen=True)
class Shown:
    """Rows to show, best first, and what was left out.

    Attributes
    ----------
    rows : tuple of EvidenceRow
    crs : CoordinateSystem
        System of the geometries.
    total : int
        Evidence rows of the audit.
    small : int
        Left out because the group, or everybody outside it, has fewer people than ``min_report_objects``.
    beyond : int
        Left out because more than ``max_features`` rows could be shown.
    min_report_objects, max_features : int
        The limits.
    """

    rows: tuple[EvidenceRow, ...]
    crs: CoordinateSystem
    total: int
    small: int
    beyond: int
    min_report_objects: int
    max_features: int

    def apart(self, by: str = "objects") -> list[int]:
        """Positions of rows that do not overlap, best first.

        Parameters
        ----------
        by : 'objects' or 'area'
            No person in common, as the table marks it, or no area in common.
        """
        if by == "objects":
            return [position for position, row in enumerate(self.rows) if row.non_overlapping]
        chosen: list[int] = []
        for position, row in enumerate(self.rows):
            taken = [self.rows[k].geometry for k in chosen]
            if not any(row.geometry.intersection(other).area > 0 for other in taken):
                chosen.append(position)
        return chosen

    def left_out(self) -> dict[str, int]:
        """Give the counts for a report's own record of what it does not show."""
        return {
            "evidence_rows": self.total,
            "shown": len(self.rows),
            "left_out_small_groups": self.small,
            "left_out_beyond_max_features": self.beyond,
            "min_report_objects": self.min_report_objects,
            "max_features": self.max_features,
        }


def shown(evidence: DataFrame, crs: CoordinateSystem, tested: int, config: ReportConfig) -> Shown:
    """Choose the rows to show.

    Parameters
    ----------
    evidence : DataFrame
        Table ``evidence`` with its geometry in ``crs``.
    crs : CoordinateSystem
    tested : int
        N, people in the test. A group of N − 1 would show the one person outside: it is as small as a group of 1.
    config : ReportConfig
    """
    limit = config.min_report_objects
    large = (F.col("n") >= limit) & (F.lit(tested) - F.col("n") >= limit)
    counts = evidence.agg(F.count("*"), F.count(F.when(large, 1))).first()
    total, fit = (int(counts[0]), int(counts[1])) if counts is not None else (0, 0)
    columns = [f.name for f in fields(EvidenceRow) if f.name != "geometry"]
    rows = (
        evidence.where(large)
        .orderBy("rank")
        .limit(config.max_features)
        .select(*columns, F.expr("ST_AsBinary(geometry)").alias("wkb"))
        .collect()
    )
    return Shown(
        rows=tuple(_row(row.asDict(recursive=True)) for row in rows),
        crs=crs,
        total=total,
        small=total - fit,
        beyond=fit - len(rows),
        min_report_objects=limit,
        max_features=config.max_features,
    )


def json_number(value: Any) -> Any:
    """Give a value that strict JSON can hold: null for NaN, and an infinite number as its name; lists too."""
    if isinstance(value, Mapping):
        return {name: json_number(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_number(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("infinity" if value > 0 else "-infinity")
    return value


def _row(values: dict[str, Any]) -> EvidenceRow:
    return EvidenceRow(
        rank=int(values["rank"]),
        zoning_id=int(values["zoning_id"]),
        cells=tuple(int(cell) for cell in values["cells"]),
        n_cellsets=values["n_cellsets"],
        n=int(values["n"]),
        statistic=float(values["statistic"]),
        p_value=float(values["p_value"]),
        direction=str(values["direction"]),
        detail=values["detail"] or {},
        geometry=shapely.from_wkb(bytes(values["wkb"])),
        non_overlapping=bool(values["non_overlapping"]),
    )
