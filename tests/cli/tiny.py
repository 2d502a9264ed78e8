"""A tiny input with planted unfairness that a whole audit answers in seconds."""

from __future__ import annotations

from pathlib import Path

import yaml

PEOPLE = 40
SECTION = {
    "time_zone": "UTC",
    "input": {"crs": "planar", "time_unit": "s", "uid_type": "int"},
    "labels": {"uid_type": "int"},
    "zonings": {"layers": [{"kind": "square", "size_m": [100.0, 200.0], "shifts": 1}]},
    "scan": {"n_simulations": 199, "alpha": 0.05, "seed": 3},
    "report": {"map": False},
    "partitions": 2,
}


def write(
    folder: Path, *, outcome: str = "planted", people: int = PEOPLE, days: int = 2, fixes: int = 4
) -> Path:
    """Write points.csv, labels.csv and audit.yaml; two fifths of the people meet at one place.

    ``outcome``: 'planted' (they alone get 1), or 'fair' (every second person does). Each person has two stops of
    ``fixes`` fixes a day.
    """
    meeting = people * 2 // 5
    rows = ["uid,time,x,y"]
    for uid in range(people):
        home = (1_000 + 300 * (uid % 7), 2_000 + 300 * (uid // 7))
        places = [home, (5_050, 5_050) if uid < meeting else (9_050 + 100 * (uid % 3), 9_050)]
        for day in range(days):
            for k, (x, y) in enumerate(places):
                start = 1_704_100_000 + day * 86_400 + k * 3_600
                rows += [f"{uid},{start + 3_000 * j // fixes},{x + j % 4},{y}" for j in range(fixes)]
    labels = ["uid,outcome"]
    for uid in range(people):
        labels.append(f"{uid},{int(uid < meeting) if outcome == 'planted' else uid % 2}")
    (folder / "points.csv").write_text("\n".join(rows) + "\n")
    (folder / "labels.csv").write_text("\n".join(labels) + "\n")
    return configuration(folder)


def configuration(folder: Path) -> Path:
    """Write audit.yaml beside the tables."""
    content = {**SECTION}
    content["input"] = {**SECTION["input"], "path": str(folder / "points.csv")}
    content["labels"] = {**SECTION["labels"], "path": str(folder / "labels.csv")}
    path = folder / "audit.yaml"
    path.write_text(yaml.safe_dump(content))
    return path
