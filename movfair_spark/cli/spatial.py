"""``movfair spatial``: fairness by location, from points with outcomes to regions and a map."""

from __future__ import annotations

import json

import typer

from movfair_spark.cli.command import DONE, EVIDENCE, Work, guarded, run
from movfair_spark.cli.configuration import load
from movfair_spark.cli.options import (
    Common,
    ConfigOption,
    CoresOption,
    FailOption,
    FromOption,
    JsonOption,
    LogOption,
    MemoryOption,
    OutputOption,
    SetOption,
    SparkOption,
    StrictOption,
    UntilOption,
)
from movfair_spark.config.spatial import SpatialConfig
from movfair_spark.errors import ConfigurationError


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("spatial")(spatial)


def spatial(
    config: ConfigOption = None,
    pairs: SetOption = None,
    output: OutputOption = None,
    as_json: JsonOption = False,
    strict: StrictOption = False,
    fail_on_evidence: FailOption = False,
    until: UntilOption = None,
    start: FromOption = None,
    log_file: LogOption = None,
    cores: CoresOption = "*",
    memory: MemoryOption = "4g",
    spark: SparkOption = None,
) -> None:
    """Audit outcomes of people with one fixed place: whether they depend on location, and in which regions."""
    common = Common(config, tuple(pairs or ()), output, as_json, log_file, cores, memory, tuple(spark or ()))

    def prepared() -> int:
        if output is None:
            raise ConfigurationError("--output is missing", "name the run folder: --output DIR")
        resolved = load(SpatialConfig, config, common.pairs)
        if strict:
            resolved = resolved.model_copy(update={"strict": True})
        return run(common, lambda work: _audit(work, resolved))

    def _audit(work: Work, resolved: SpatialConfig) -> int:
        from movfair_spark.audits.spatial import spatial as audit

        result = audit(
            None, resolved, output=output, spark=work.spark, until=until, start=start, observer=work.console
        )
        work.console.close()
        if as_json:
            print(json.dumps(result.summary(), indent=2, allow_nan=False, ensure_ascii=False))
        elif result.verdict is not None:
            print(result.verdict.text, end="")
        significant = result.verdict is not None and result.verdict.significant
        return EVIDENCE if fail_on_evidence and significant else DONE

    raise typer.Exit(guarded(prepared))
