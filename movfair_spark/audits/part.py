"""A step as an audit lists it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from movfair_spark.audits.notices import collected
from movfair_spark.audits.space import Space
from movfair_spark.runs import Attempt, Step

S = TypeVar("S", bound=Space)


@dataclass(frozen=True)
class Part(Generic[S]):
    """A step of an audit.

    Attributes
    ----------
    name, version : str, int
    work : callable
        Takes the space and the attempt.
    inputs : tuple of str
        File sets and earlier steps that it reads.
    publishes : tuple of str
    wanted : callable
        Whether this audit has the step.
    """

    name: str
    version: int
    work: Callable[[S, Attempt], None]
    inputs: tuple[str, ...]
    publishes: tuple[str, ...] = ()
    wanted: Callable[[S], bool] = lambda _: True

    def step(self, space: S) -> Step:
        """Make it ready to run; its warnings are kept in the record, after what it notes itself."""

        def noticed(attempt: Attempt) -> None:
            with collected() as notices:
                self.work(space, attempt)
            attempt.facts["notices"] = [*attempt.facts.get("notices", []), *notices]

        return Step(
            name=self.name,
            version=self.version,
            parameters=lambda: space.parameters(self.name),
            inputs=lambda: [space.key(name) for name in self.inputs],
            work=noticed,
            publishes=self.publishes,
        )
