"""The loop that every audit runs in: its parts in order, the manifest, and the results, in one run folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from movfair_spark.audits.part import Part
from movfair_spark.audits.place import run_folder
from movfair_spark.audits.space import Space
from movfair_spark.runs import Run, manifest
from movfair_spark.runs.run import Observer
from movfair_spark.stages.rejects import refuse_rejects

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

S = TypeVar("S", bound=Space)
R = TypeVar("R")


def carry_out(
    space: S,
    parts: Sequence[Part[S]],
    describe: Callable[[S, Run], dict[str, Any]],
    assemble: Callable[[S, Run, dict[str, Any]], R],
    *,
    strict: bool,
    output: str | os.PathLike[str] | None = None,
    spark: SparkSession | None = None,
    until: str | None = None,
    start: str | None = None,
    by_content: bool = False,
    observer: Observer | None = None,
) -> R:
    """Run the parts that are wanted, publish what they wrote, and give the results.

    Parameters
    ----------
    space : Space
        With its session and its fingerprints: ``spark`` and ``by_content`` have done their work.
    parts : sequence of Part
    describe : callable
        Makes the manifest of a run.
    assemble : callable
        Makes the results from the space, the run and the manifest.
    strict : bool
        Any rejected row is an error.
    output, spark, until, start, by_content, observer
        See `RunOptions`.
    """
    plan = [part for part in parts if part.wanted(space)]
    names = [part.name for part in plan]
    folder = run_folder(output, space.spark)
    with Run(space.spark, folder, names, until=until, start=start, observer=observer) as run:
        space.ahead = tuple(names[: run.length])
        for part in plan[: run.length]:
            space.done[part.name] = run.execute(part.step(space))
            if strict and "rejects" in part.publishes:
                refuse_rejects(space.done[part.name].table("rejects"))
        content = describe(space, run)
        run.publish(content)
        return assemble(space, run, content)


def manifest_of(
    space: Space,
    run: Run,
    *,
    seeds: Mapping[str, int],
    rows: Mapping[str, Any],
    memory: Mapping[str, str],
    verdict: Mapping[str, Any] | None,
    notices: Sequence[str] = (),
) -> dict[str, Any]:
    """Put the manifest of a run together: what is the audit's own, and what all of them state."""
    from movfair_spark import __version__

    found = [*notices]
    frames = [name for name, each in space.fingerprints.items() if each.key is None]
    if frames:
        found.append(
            f"{' and '.join(frames)} came as DataFrames, which have no fingerprint: steps that need them are not "
            "used again"
        )
    for done in space.done.values():
        found += [text for text in done.facts.get("notices", []) if text not in found]
    return manifest.build(
        space.spark,
        version=__version__,
        configuration=space.config.model_dump(mode="json"),
        seeds=seeds,
        inputs=space.fingerprints,
        steps=run.finished,
        rows=rows,
        published=run.published_names(),
        notices=found,
        memory=memory,
        verdict=verdict,
    )
