"""scikit-mobility 1.3.1's inputs and outputs as arrays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from movfair_spark.kernels.fixes import Fixes, Stops
from movfair_spark.kernels.stream import ordered


def micros(times: Any) -> np.ndarray:
    """Microseconds since the epoch of naive texts, taken as UTC."""
    return pd.to_datetime(times, format="ISO8601").to_numpy().astype("datetime64[us]").astype(np.int64)


def table(path: Path, **options: Any) -> pd.DataFrame:
    return pd.read_csv(path, float_precision="round_trip", **options)


def fixes(frame: pd.DataFrame) -> Fixes:
    """Fixes ordered as scikit-mobility does: ties in time keep the order of the input."""
    uid = frame["uid"].astype(int)
    return ordered(
        uid, micros(frame["datetime"]), frame["lng"].astype(float), frame["lat"].astype(float), stable=True
    )


def case(data: Path, name: str) -> dict[str, Any]:
    """One of the 43 small cases by its name."""
    return next(item for item in cases(data) if item["name"] == name)


def cases(data: Path) -> list[dict[str, Any]]:
    return json.loads((data / "stay_cases" / "cases.json").read_text(encoding="utf-8"))


def expected_columns(rows: list[dict[str, Any]] | pd.DataFrame) -> dict[str, np.ndarray]:
    frame = pd.DataFrame(rows)
    if frame.empty:
        return {"uid": np.empty(0)}
    columns = {name: frame[name].to_numpy(float) for name in ("uid", "lng", "lat")}
    columns |= {name: micros(frame[name]) for name in ("datetime", "leaving_datetime") if name in frame}
    return columns


def stop_columns(stops: Stops) -> dict[str, np.ndarray]:
    if stops.n == 0:
        return {"uid": np.empty(0)}
    return {
        "uid": stops.person,
        "lng": stops.x,
        "lat": stops.y,
        "datetime": stops.arrive,
        "leaving_datetime": stops.leave,
    }


def fix_columns(kept: Fixes) -> dict[str, np.ndarray]:
    return {"uid": kept.person, "lng": kept.x, "lat": kept.y, "datetime": kept.first}


def assert_same(ours: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    """Every column, bit for bit; NaN equals NaN."""
    assert ours.keys() == expected.keys()
    for name, column in expected.items():
        np.testing.assert_array_equal(ours[name], column, err_msg=name)
