"""What makes the key of each step of an audit by movement pattern."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from movfair_spark.config.audit import AuditConfig


def parameters(step: str, config: AuditConfig, time_zone: str) -> Mapping[str, Any]:
    """Give a step's own part of the configuration: a change redoes it and those after it, and no other."""
    # Where files lie is in the fingerprints; how work is spread changes no bit of the result.
    paths, spread = {"path"}, {"distribution", "broadcast_limit_mb"}
    of_evidence = {"alpha", "all_subsets", "write_candidates"}
    reading = {"input": config.input.model_dump(mode="json", exclude=paths), "time_zone": time_zone}
    null = config.scan.model_dump(mode="json", exclude=spread | of_evidence)
    match step:
        case "city":
            return config.city.model_dump(mode="json") if config.city else {}
        case "stops":
            return {**reading, "stops": config.stops.model_dump(mode="json")}
        case "points":
            return reading
        case "cellsets":
            laid = {"zonings": config.zonings.model_dump(mode="json"), "time_zone": time_zone}
            return {**laid, "cellsets": config.cellsets.model_dump(mode="json")}
        case "population":
            labels = config.labels.model_dump(mode="json", exclude=paths)
            tested = {"model", "notion", "outcome", "objects_without_stops"}
            return {"labels": labels, **config.scan.model_dump(mode="json", include=tested)}
        case "null" | "candidates":
            return null
        case "evidence":
            return config.scan.model_dump(mode="json", exclude=spread | {"write_candidates"})
        case "report":
            return config.report.model_dump(mode="json")
    raise ValueError(step)
