"""``movfair doctor``: is everything here that an audit needs, and what to do about what is not."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from movfair_spark.cli import checks, sessions
from movfair_spark.cli.checks import Finding
from movfair_spark.cli.command import DONE, USAGE, Work, run
from movfair_spark.cli.options import Common, CoresOption, JsonOption, LogOption, MemoryOption, SparkOption

MARKS = {"ok": "ok  ", "warning": "warn", "failure": "FAIL"}


def doctor(
    output: Annotated[
        str, typer.Option("--output", metavar="DIR", help="Folder to test for write access.")
    ] = "build",
    as_json: JsonOption = False,
    log_file: LogOption = None,
    cores: CoresOption = "2",
    memory: MemoryOption = "1g",
    spark: SparkOption = None,
) -> None:
    """Check Python, Java, Spark, Sedona on driver and executors, write access and memory."""
    findings = [checks.of("python", checks.python)]
    if sessions.active() is None and not sessions.submitted():
        findings += [checks.of("java", checks.java), checks.of("jars", checks.jars)]
    if any(finding.state == "failure" for finding in findings):
        _print(findings, as_json)
        raise typer.Exit(USAGE)
    common = Common(json=as_json, log_file=log_file, cores=cores, memory=memory, spark=tuple(spark or ()))

    def body(work: Work) -> int:
        session = work.spark
        findings.extend(
            [
                checks.of("spark", lambda: checks.spark(session)),
                checks.of("sedona", lambda: checks.sedona_driver(session)),
                checks.of("executors", lambda: checks.sedona_executors(session)),
                checks.of("workers", lambda: checks.python_workers(session)),
                checks.of("output", lambda: checks.write_access(session, output)),
                checks.of("memory", lambda: checks.memory(session)),
            ]
        )
        _print(findings, as_json)
        return USAGE if any(finding.state == "failure" for finding in findings) else DONE

    raise typer.Exit(run(common, body))


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
