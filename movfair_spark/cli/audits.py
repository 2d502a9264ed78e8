"""What the commands of all audits do alike: the run folder, the configuration, the answer, the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from movfair_spark.cli.command import DONE, EVIDENCE, Work, guarded, run
from movfair_spark.cli.configuration import load
from movfair_spark.cli.options import AuditOptions
from movfair_spark.config.base import Section
from movfair_spark.errors import ConfigurationError


class Verdict(Protocol):
    """The answer in words."""

    @property
    def significant(self) -> bool:
        """Whether there is evidence."""

    @property
    def text(self) -> str:
        """What a reader gets to see."""


class Result(Protocol):
    """What an audit gives back."""

    @property
    def verdict(self) -> Verdict | None:
        """None when the audit ended before its report."""

    def summary(self) -> Mapping[str, Any]:
        """Strict JSON values for machines."""


S = TypeVar("S", bound=Section)
R = TypeVar("R", bound=Result)


def run_audit(
    options: AuditOptions,
    model: type[S],
    audit: Callable[..., R],
    closing: Callable[[R], str] = lambda _: "",
) -> int:
    """Run an audit as a command.

    Parameters
    ----------
    options : AuditOptions
    model : type
        Its configuration.
    audit : callable
        Takes the configuration and ``output, spark, until, start, by_content, observer``.
    closing : callable
        Lines to print after the verdict.

    Returns
    -------
    int
        Exit code.
    """

    def prepared() -> int:
        if options.output is None:
            raise ConfigurationError("--output is missing", "name the run folder: --output DIR")
        resolved = load(model, options.config, options.pairs)
        if options.strict:
            resolved = resolved.model_copy(update={"strict": True})
        return run(options, lambda work: _work(work, resolved))

    def _work(work: Work, resolved: S) -> int:
        result = audit(
            resolved,
            output=options.output,
            spark=work.spark,
            until=options.until,
            start=options.start,
            by_content=options.by_content,
            observer=work.console,
        )
        work.console.close()
        verdict = result.verdict
        if options.json:
            print(json.dumps(result.summary(), indent=2, allow_nan=False, ensure_ascii=False))
        elif verdict is not None:
            print("\n".join(filter(None, [verdict.text.rstrip("\n"), closing(result)])))
        significant = verdict is not None and verdict.significant
        return EVIDENCE if options.fail_on_evidence and significant else DONE

    return guarded(prepared)
