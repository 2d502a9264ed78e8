"""The command ``movfair``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from movfair_spark import __version__
from movfair_spark.cli import audit, doctor, environment, error_parity, simulate, spatial

app = typer.Typer(
    name="movfair",
    help="Are people with certain movement patterns treated differently? Where, and how sure is that?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        print(__version__)
        raise typer.Exit


audit.register(app)
doctor.register(app)
app.command("spark-args")(environment.spark_args)
app.command("java-home")(environment.java_home)
simulate.register(app)
error_parity.register(app)
spatial.register(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.
    """
    command = typer.main.get_command(app)
    try:
        result = command.main(
            args=list(sys.argv[1:] if arguments is None else arguments),
            prog_name="movfair",
            standalone_mode=True,
        )
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return int(result or 0)
