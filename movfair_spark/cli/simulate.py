"""``movfair simulate``: write the embedded city, at any size."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

import typer

from movfair_spark.cli.command import DONE, Work, guarded, run
from movfair_spark.cli.configuration import load
from movfair_spark.cli.options import Common, command
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.city import CityConfig
from movfair_spark.errors import ConfigurationError

_HELP = """Simulate a city: trajectories of people with routines, and outcomes with planted unfairness.

The section `city` of the configuration describes it, for example --set city.people=100000.
"""


@dataclass(frozen=True)
class SimulateOptions(Common):
    """What the simulation takes besides."""

    partitions: Annotated[
        int | None, typer.Option("--partitions", min=1, help="Number of tasks, hence of files.")
    ] = None


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate")(command(SimulateOptions, _run, _HELP))


def _run(options: SimulateOptions) -> int:
    def prepared() -> int:
        if options.output is None:
            raise ConfigurationError("--output is missing", "name the folder for the tables: --output DIR")
        output = options.output.rstrip("/") or "/"
        city = load(AuditConfig, options.config, options.pairs).city or CityConfig()
        return run(options, lambda work: _write(work, city, output, options.partitions, options.json))

    return guarded(prepared)


def _write(work: Work, city: CityConfig, output: str, partitions: int | None, as_json: bool) -> int:
    from movfair_spark.synth.simulate import simulate as write

    paths = write(work.spark, city, output, partitions=partitions)
    tables = {
        "points": paths.points,
        "labels": paths.labels,
        "planted": paths.planted,
        "regions": paths.regions,
    }
    if as_json:
        print(json.dumps(tables, indent=2))
    else:
        print(f"{city.people:,} people, {city.days} days, a fix every {city.interval_seconds} seconds:")
        for name, path in tables.items():
            print(f"  {name:8} {path}")
    return DONE
