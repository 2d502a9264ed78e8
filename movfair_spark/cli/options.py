"""Options of the commands: each is declared once, as a field of the class that a command's body gets."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer


@dataclass(frozen=True)
class Common:
    """What every command that works in a session takes."""

    config: Annotated[
        str | None,
        typer.Option(
            "--config", metavar="FILE", help="YAML file; the name of one of the package's own works too."
        ),
    ] = None
    pairs: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Overrides a key of the file, such as scan.alpha=0.05. Repeatable.",
        ),
    ] = field(default_factory=list)
    output: Annotated[
        str | None,
        typer.Option("--output", metavar="DIR", help="Run folder: any path that Spark can write."),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="The verdict as JSON on stdout.")] = False
    log_file: Annotated[
        Path | None,
        typer.Option(
            "--log-file", metavar="FILE", help="Where Spark's log goes (default: in the run folder)."
        ),
    ] = None
    cores: Annotated[str, typer.Option("--cores", help="Local mode: task slots, '*' for all.")] = "*"
    memory: Annotated[str, typer.Option("--memory", help="Local mode: heap of the JVM.")] = "4g"
    spark: Annotated[
        list[str],
        typer.Option("--spark", metavar="KEY=VALUE", help="Local mode: a Spark setting. Repeatable."),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class AuditOptions(Common):
    """What every audit takes besides."""

    strict: Annotated[bool, typer.Option("--strict", help="Any rejected row is an error.")] = False
    fail_on_evidence: Annotated[
        bool, typer.Option("--fail-on-evidence", help="Exit code 3 when there is significant evidence.")
    ] = False
    until: Annotated[str | None, typer.Option("--until", metavar="STEP", help="The last step to do.")] = None
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="STEP",
            help="Do this step and those after it again; those before must be finished.",
        ),
    ] = None
    by_content: Annotated[
        bool, typer.Option("--by-content", help="Recognise inputs by their content instead of size and time.")
    ] = False


T = TypeVar("T", bound=Common)


def command(options: type[T], body: Callable[[T], int], text: str, **fixed: Any) -> Callable[..., None]:
    """Make a command from a class of options.

    Parameters
    ----------
    options : type
        A dataclass whose fields are annotated with what Typer shows.
    body : callable
        Takes the options, returns the exit code.
    text : str
        Help.
    **fixed
        Values of options that this command does not offer.
    """
    hints = get_type_hints(options, include_extras=True)
    offered = [each for each in fields(options) if each.name not in fixed]

    def run(**values: Any) -> None:
        raise typer.Exit(body(options(**values, **fixed)))

    parameters = [
        inspect.Parameter(
            each.name, inspect.Parameter.KEYWORD_ONLY, default=_default(each), annotation=hints[each.name]
        )
        for each in offered
    ]
    run.__doc__ = text
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: hints[each.name] for each in offered}
    return run


def _default(option: Field[Any]) -> Any:
    return option.default if option.default_factory is MISSING else option.default_factory()
