"""Options that every command shares, declared once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

ConfigOption = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", help="YAML file; the name of one of the package's own works too."
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Overrides a key of the file, such as scan.alpha=0.05. Repeatable."
    ),
]
OutputOption = Annotated[
    str | None, typer.Option("--output", metavar="DIR", help="Run folder: any path that Spark can write.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="The verdict as JSON on stdout.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Any rejected row is an error.")]
FailOption = Annotated[
    bool, typer.Option("--fail-on-evidence", help="Exit code 3 when there is significant evidence.")
]
LogOption = Annotated[
    Path | None,
    typer.Option("--log-file", metavar="FILE", help="Where Spark's log goes (default: in the run folder)."),
]
UntilOption = Annotated[str | None, typer.Option("--until", metavar="STEP", help="The last step to do.")]
FromOption = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="STEP", help="Do this step and those after it again; those before must be finished."
    ),
]
CoresOption = Annotated[str, typer.Option("--cores", help="Local mode: task slots, '*' for all.")]
MemoryOption = Annotated[str, typer.Option("--memory", help="Local mode: heap of the JVM.")]
SparkOption = Annotated[
    list[str] | None,
    typer.Option("--spark", metavar="KEY=VALUE", help="Local mode: a Spark setting. Repeatable."),
]


@dataclass(frozen=True)
class Common:
    """Values of the shared options."""

    config: str | None = None
    pairs: tuple[str, ...] = ()
    output: str | None = None
    json: bool = False
    log_file: Path | None = None
    cores: str = "*"
    memory: str = "4g"
    spark: tuple[str, ...] = field(default=())
