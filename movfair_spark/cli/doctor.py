"""``movfair doctor``: is everything here that an audit needs, and what to do about what is not."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from movfair_spark.cli import checks, sessions
from movfair_spark.cli.checks import Finding
from movfair_spark.cli.command import DONE, USAGE, Work, run
from movfair_spark.cli.options import Common, command

MARKS = {"ok": "ok  ", "warning": "warn", "failure": "FAIL"}


@dataclass(frozen=True)
class DoctorOptions(Common):
    """A small session, and a folder to try."""

    output: Annotated[
        str | None, typer.Option("--output", metavar="DIR", help="Folder to test for write access.")
    ] = "build"
    cores: Annotated[str, typer.Option("--cores", help="Local mode: task slots, '*' for all.")] = "2"
    memory: Annotated[str, typer.Option("--memory", help="Local mode: heap of the JVM.")] = "1g"


def register(app: typer.Typer) -> None:
    """Add the command."""
    text = "Check Python, Java, Spark, Sedona on driver and executors, write access and memory."
    app.command("doctor")(command(DoctorOptions, _run, text, config=None, pairs=[]))


def _run(options: DoctorOptions) -> int:
    findings = [checks.of("python", checks.python)]
    if sessions.active() is None and not sessions.submitted():
        findings += [checks.of("java", checks.java), checks.of("jars", checks.jars)]
    if any(finding.state == "failure" for finding in findings):
        _print(findings, options.json)
        return USAGE
    tried = options.output or "build"

    def body(work: Work) -> int:
        session = work.spark
        findings.extend(
            [
                checks.of("spark", lambda: checks.spark(session)),
                checks.of("sedona", lambda: checks.sedona_driver(session)),
                checks.of("executors", lambda: checks.sedona_executors(session)),
                checks.of("workers", lambda: checks.python_workers(session)),
                checks.of("output", lambda: checks.write_access(session, tried)),
                checks.of("memory", lambda: checks.memory(session)),
            ]
        )
        _print(findings, options.json)
        return USAGE if any(finding.state == "failure" for finding in findings) else DONE

    # The log of a folder that is only tried lies elsewhere.
    return run(replace(options, output=None), body)


def _print(findings: list[Finding], as_json: bool) -> None:
    if as_json:
        print(json.dumps([vars(finding) for finding in findings], indent=2))
        return
    for finding in findings:
        print(f"{MARKS[finding.state]}  {finding.check:<10} {finding.found}")
        if finding.remedy:
            print(f"      {'':<10} -> {finding.remedy}")
    bad = sum(finding.state == "failure" for finding in findings)
    print("everything is here" if not bad else f"{bad} of {len(findings)} checks failed")
