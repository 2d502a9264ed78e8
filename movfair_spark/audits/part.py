"""A step as an audit lists it, and the parameters that make its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from movfair_spark.audits.notices import collected
from movfair_spark.audits.workspace import Workspace
from movfair_spark.runs import Attempt, Step


@dataclass(frozen=True)
class Part:
    """A step of an audit.

    Attributes
    ----------
    name, version : str, int
    work : callable
        Takes the workspace and the attempt.
    inputs : tuple of str
        File sets and earlier steps that it reads.
    publishes : tuple of str
    wanted : callable
        Whether this audit has the step.
    """

    name: str
    version: int
    work: Callable[[Workspace, Attempt], None]
    inputs: tuple[str, ...]
    publishes: tuple[str, ...] = ()
    wanted: Callable[[Workspace], bool] = lambda _: True

    def step(self, space: Workspace) -> Step:
        """Make it ready to run; its warnings are kept in the record."""

        def noticed(attempt: Attempt) -> None:
            with collected() as notices:
                self.work(space, attempt)
            attempt.facts["notices"] = notices

        return Step(
            name=self.name,
            version=self.version,
            parameters=lambda: parameters(self.name, space),
            inputs=lambda: [space.key(name) for name in self.inputs],
            work=noticed,
            publishes=self.publishes,
        )


def parameters(name: str, space: Workspace) -> Mapping[str, Any]:
    """Give a step's own part of the configuration: a change redoes it and those after it, and no other."""
    config = space.config
    # Where files lie is in the fingerprints; how work is spread changes no bit of the result.
    paths, spread = {"path"}, {"distribution", "broadcast_limit_mb"}
    of_evidence = {"alpha", "all_subsets", "write_candidates"}
    reading = {"input": config.input.model_dump(mode="json", exclude=paths), "time_zone": space.time_zone}
    null = config.scan.model_dump(mode="json", exclude=spread | of_evidence)
    match name:
        case "city":
            return config.city.model_dump(mode="json") if config.city else {}
        case "stops":
            return {**reading, "stops": config.stops.model_dump(mode="json")}
        case "points":
            return reading
        case "cellsets":
            laid = {"zonings": config.zonings.model_dump(mode="json"), "time_zone": space.time_zone}
            return {**laid, "cellsets": config.cellsets.model_dump(mode="json")}
        case "population":
            labels = config.labels.model_dump(mode="json", exclude=paths)
            chosen = config.scan.model_dump(mode="json", include={"notion", "objects_without_stops"})
            return {"labels": labels, **chosen}
        case "null" | "candidates":
            return null
        case "evidence":
            return config.scan.model_dump(mode="json", exclude=spread | {"write_candidates"})
        case "report":
            return config.report.model_dump(mode="json")
    raise ValueError(name)
