"""``movfair spark-args`` and ``movfair java-home``: what a shell needs to start Spark for us."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from movfair_spark.cli.command import guarded

NAME = "log4j2.properties"


def log4j2_file() -> Path | None:
    """Where log4j2's configuration lies as a plain file; None inside a zip."""
    checkout = Path(__file__).resolve().parents[2] / "conf" / NAME
    packaged = Path(str(files("movfair_spark") / "conf" / NAME))
    return next((path for path in (packaged, checkout) if path.is_file()), None)


def spark_args(
    memory: Annotated[str, typer.Option("--driver-memory", help="Heap of the driver.")] = "4g",
) -> None:
    """Print arguments for Spark, as in: spark-submit $(movfair spark-args) jobs/audit.py --config FILE --output DIR."""

    def body() -> int:
        from movfair_spark.session.static import submit_arguments

        print(" ".join(submit_arguments(memory=memory, log4j2=log4j2_file())))
        return 0

    raise typer.Exit(guarded(body))


def java_home() -> None:
    """Print the home of a Java that the installed Spark supports."""

    def body() -> int:
        from movfair_spark.session.java import find_java

        print(find_java().home)
        return 0

    raise typer.Exit(guarded(body))
