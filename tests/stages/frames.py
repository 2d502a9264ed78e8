"""Small tables of the scan as DataFrames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def cellsets_frame(spark, cellsets: Mapping[int, Mapping[Any, Sequence[int]]], uid_type: str = "bigint"):
    rows = [
        (z, uid, list(cells), [1] * len(cells)) for z, of in cellsets.items() for uid, cells in of.items()
    ]
    return spark.createDataFrame(rows, f"zoning_id int, uid {uid_type}, cells array<bigint>, days array<int>")


def labels_frame(spark, labels: Mapping[Any, float] | Sequence[tuple], uid_type: str = "bigint"):
    rows = list(labels.items()) if isinstance(labels, Mapping) else list(labels)
    wide = [(uid, None if y is None else float(y), *rest) for uid, y, *rest in rows]
    truth = ", truth double" if wide and len(wide[0]) == 3 else ""
    return spark.createDataFrame(wide, f"uid {uid_type}, outcome double{truth}")
