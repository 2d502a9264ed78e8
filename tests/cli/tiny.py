"""A tiny input with planted unfairness that a whole audit answers in seconds."""

from __future__ import annotations

from pathlib import Path

import yaml

PEOPLE = 40
SECTION = {
    "time_zone": "UTC",
    "input": {"crs": "planar", "time_unit": "s"},
    "labels": {},
    "zonings": {"layers": [{"kind": "square", "size_m": [100.0, 200.0], "shifts": 1}]},
    "scan": {"n_simulations": 199, "alpha": 0.05, "seed": 3},
    "report": {"map": False},
    "partitions": 2,
}


def write(folder: Path, *, outcome: str = "planted") -> Path:
    """Write points.csv, labels.csv and audit.yaml; people 0-15 meet at one place.

    ``outcome``: 'planted' (they alone get 1), or 'fair' (every second person does).
    """
    rows = ["uid,time,x,y"]
    for uid in range(PEOPLE):
        home = (1_000 + 300 * (uid % 7), 2_000 + 300 * (uid // 7))
        places = [home, (5_050, 5_050) if uid < 16 else (9_050 + 100 * (uid % 3), 9_050)]
        for day in range(2):
            for k, (x, y) in enumerate(places):
                start = 1_704_100_000 + day * 86_400 + k * 3_600
                rows += [f"{uid},{start + 300 * j},{x + j},{y}" for j in range(4)]
    labels = ["uid,outcome"]
    for uid in range(PEOPLE):
        labels.append(f"{uid},{int(uid < 16) if outcome == 'planted' else uid % 2}")
    (folder / "points.csv").write_text("\n".join(rows) + "\n")
    (folder / "labels.csv").write_text("\n".join(labels) + "\n")
    return configuration(folder)


def configuration(folder: Path) -> Path:
    """Write audit.yaml beside the tables."""
    content = {**SECTION}
    content["input"] = {**SECTION["input"], "path": str(folder / "points.csv")}
    content["labels"] = {"path": str(folder / "labels.csv")}
    path = folder / "audit.yaml"
    path.write_text(yaml.safe_dump(content))
    return path
