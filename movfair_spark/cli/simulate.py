"""``movfair simulate``: write the embedded city, at any size."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from movfair_spark.cli.command import DONE, Work, guarded, run
from movfair_spark.cli.configuration import load
from movfair_spark.cli.options import (
    Common,
    ConfigOption,
    CoresOption,
    JsonOption,
    LogOption,
    MemoryOption,
    OutputOption,
    SetOption,
    SparkOption,
)
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.city import CityConfig
from movfair_spark.errors import ConfigurationError

Partitions = Annotated[
    int | None, typer.Option("--partitions", min=1, help="Number of tasks, hence of files.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate")(simulate)


def simulate(
    config: ConfigOption = None,
    pairs: SetOption = None,
    output: OutputOption = None,
    partitions: Partitions = None,
    as_json: JsonOption = False,
    log_file: LogOption = None,
    cores: CoresOption = "*",
    memory: MemoryOption = "4g",
    spark: SparkOption = None,
) -> None:
    """Simulate a city: trajectories of people with routines, and outcomes with planted unfairness.

    The section `city` of the configuration describes it, for example --set city.people=100000.
    """
    common = Common(config, tuple(pairs or ()), output, as_json, log_file, cores, memory, tuple(spark or ()))

    def prepared() -> int:
        if output is None:
            raise ConfigurationError("--output is missing", "name the folder for the tables: --output DIR")
        city = load(AuditConfig, config, common.pairs).city or CityConfig()
        return run(common, lambda work: _write(work, city, output.rstrip("/") or "/", partitions, as_json))

    raise typer.Exit(guarded(prepared))


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
