"""The run engine: executes steps in order, uses finished ones again, publishes at the end."""

from __future__ import annotations

import difflib
import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from movfair_spark.errors import ConfigurationError
from movfair_spark.fanout.describe import described
from movfair_spark.runs.keys import step_key
from movfair_spark.runs.lock import RunLock
from movfair_spark.runs.notes import Notes
from movfair_spark.runs.publish import publish, recover
from movfair_spark.runs.records import Records
from movfair_spark.runs.step import Attempt, Finished, Step
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Observer(Protocol):
    """Whoever wants to know how a run proceeds (the console, a notebook)."""

    def started(self, step: str) -> None:
        """Hear that a step begins."""

    def finished(self, step: Finished) -> None:
        """Hear that a step has ended, or was found finished."""


class Run:
    """One driver's work in one run folder; a context manager that holds the folder's lock.

    Parameters
    ----------
    spark : SparkSession
    folder : str
        Any path that Spark can write.
    plan : sequence of str
        Names of all steps in order; ``until`` and ``start`` are two of them.
    until : str, optional
        The last step to do.
    start : str, optional
        The first step to do: those before it must be finished, it and those after it are done again.
    observer : Observer, optional

    Raises
    ------
    ConfigurationError
        ``until`` or ``start`` is no step, or ``start`` comes after ``until``.
    """

    def __init__(
        self,
        spark: SparkSession,
        folder: str,
        plan: Sequence[str],
        *,
        until: str | None = None,
        start: str | None = None,
        observer: Observer | None = None,
    ) -> None:
        self.spark = spark
        self.files = FileSystem(spark)
        self.folder = self.files.qualify(folder).rstrip("/")
        self.plan = tuple(plan)
        self.finished: list[Finished] = []
        self._until = check_step(until, self.plan, "--until") if until else len(self.plan) - 1
        self._start = check_step(start, self.plan, "--from") if start else None
        if self._start is not None and self._start > self._until:
            raise ConfigurationError(
                f"--from {start} comes after --until {until}", f"steps: {', '.join(self.plan)}"
            )
        self._observer = observer
        self._records = Records(self.files, self.folder)
        self._lock = RunLock(self.files, self.folder)
        self._notes = Notes(self.files, self._records, self._lock.check)
        self._steps: list[Step] = []

    def __enter__(self) -> Run:
        self.files.make_folder(self.folder)
        self._lock.acquire()
        try:
            recover(self.files, self.folder)
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @property
    def length(self) -> int:
        """Number of steps that this run does."""
        return self._until + 1

    def execute(self, step: Step) -> Finished:
        """Do a step, or find it finished.

        Returns
        -------
        Finished

        Raises
        ------
        ConfigurationError
            ``start`` names a later step and this one is not finished.
        RunLockedError
            The lock was lost.
        """
        key = step_key(step.name, step.version, step.parameters(), step.inputs())
        place = self.plan.index(step.name)
        again = self._start is not None and place >= self._start
        found = None if again else self._records.find(step.name, key)
        if found is not None:
            return self._keep(step, self._as_finished(step, key, *found, reused=True))
        if self._start is not None and place < self._start:
            raise ConfigurationError(
                f"--from {self.plan[self._start]}: the step '{step.name}' before it is not finished for this "
                "configuration and input",
                f"run the same command with --until {step.name} first, or without --from",
            )
        return self._keep(step, self._do(step, key))

    def publish(self, manifest: Mapping[str, Any]) -> None:
        """Replace the published names by those of this run's steps, together with ``manifest.json``.

        Names that only later steps publish stay when they belong to the same results, and go otherwise.
        """
        self._lock.check()
        tables = {
            name: done.path(name)
            for step, done in zip(self._steps, self.finished, strict=True)
            for name in step.publishes
            if done.has(name)
        }
        before = self._published()
        if len(before.get("steps", [])) > len(self.finished) and self._same_results(before):
            return
        text = json.dumps(manifest, indent=2, allow_nan=False, ensure_ascii=False) + "\n"
        publish(self.files, self.folder, tables, {"manifest.json": text}, drop=before.get("published", []))
        for done in self.finished:
            self._records.prune(done.folder)

    def published_names(self) -> list[str]:
        """Names that ``publish`` will write, in order."""
        pairs = zip(self._steps, self.finished, strict=True)
        names = [name for step, done in pairs for name in step.publishes if done.has(name)]
        return [*dict.fromkeys(names), "manifest.json"]

    def _do(self, step: Step, key: str | None) -> Finished:
        if self._observer:
            self._observer.started(step.name)
        began = time.monotonic()
        attempt = Attempt(self.spark, self.files, self._records.new_attempt(step.name, key), self._notes)
        with described(self.spark, step.name):
            step.work(attempt)
        self._lock.check()
        record = {
            "step": step.name,
            "version": step.version,
            "key": key,
            "rows": attempt.rows,
            "facts": attempt.facts,
            "seconds": round(time.monotonic() - began, 3),
        }
        self._records.finish(attempt.folder, record)
        return self._as_finished(step, key, attempt.folder, record, reused=False)

    def _as_finished(
        self, step: Step, key: str | None, folder: str, record: Mapping[str, Any], *, reused: bool
    ) -> Finished:
        return Finished(
            spark=self.spark,
            files=self.files,
            name=step.name,
            key=key,
            folder=folder,
            rows=record["rows"],
            facts=record["facts"],
            seconds=record["seconds"],
            reused=reused,
        )

    def _keep(self, step: Step, done: Finished) -> Finished:
        self._steps.append(step)
        self.finished.append(done)
        if self._observer:
            self._observer.finished(done)
        return done

    def _published(self) -> dict[str, Any]:
        try:
            content = json.loads(self.files.read_text(f"{self.folder}/manifest.json") or "{}")
        except ValueError:
            return {}
        return content if isinstance(content, dict) else {}

    def _same_results(self, before: Mapping[str, Any]) -> bool:
        attempts = [(item.get("step"), item.get("attempt")) for item in before.get("steps", [])]
        mine = [(done.name, done.folder.rsplit("/", 1)[1]) for done in self.finished]
        return attempts[: len(mine)] == mine


def check_step(name: str, plan: Sequence[str], option: str) -> int:
    """Position of a step in the plan.

    Raises
    ------
    ConfigurationError
        There is no such step; the nearest name is given.
    """
    if name in plan:
        return list(plan).index(name)
    near = difflib.get_close_matches(name, plan, n=1, cutoff=0.4)
    remedy = f"did you mean '{near[0]}'? Steps: {', '.join(plan)}" if near else f"steps: {', '.join(plan)}"
    raise ConfigurationError(f"{option} {name} is no step", remedy)
