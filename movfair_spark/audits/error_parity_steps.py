"""The steps of the error parity audit: each calls its stage functions and writes their tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from movfair_spark.audits.given import Given
from movfair_spark.audits.space import Space as Shared
from movfair_spark.config.error_parity import ErrorParityConfig
from movfair_spark.config.input import InputConfig
from movfair_spark.readers import reading
from movfair_spark.readers.frames import open_frame
from movfair_spark.readers.opening import open_input
from movfair_spark.report.error_parity import report
from movfair_spark.report.error_parity_verdict import ErrorVerdict, verdict
from movfair_spark.runs import Attempt, Finished
from movfair_spark.stages.error_groups import GroupColumn
from movfair_spark.stages.error_input import prepare
from movfair_spark.stages.error_permutations import runner
from movfair_spark.stages.error_rejects import fine_values, refuse, reject_counts
from movfair_spark.stages.error_summary import families
from movfair_spark.stages.error_tests import error_tests
from movfair_spark.stages.error_values import error_values
from movfair_spark.tables.error_parity import SCHEMAS, columns, csv_text
from movfair_spark.tables.rejects import SCHEMA as REJECTS


@dataclass(kw_only=True)
class Space(Shared):
    """One audit of errors at work."""

    config: ErrorParityConfig
    given: Given

    def parameters(self, step: str) -> Mapping[str, Any]:
        """Give a step's own part of the configuration."""
        everything = self.config.model_dump(mode="json", exclude={"input", "strict"})
        of_errors = {
            "format",
            "separator",
            "header",
            "prediction",
            "truth",
            "groups",
            "errors",
            "zero_truth",
            "negative_truth",
        }
        of_report = {"report"}
        if step == "errors":
            return {key: everything[key] for key in sorted(of_errors)}
        if step == "tests":
            axis = {key: everything["report"][key] for key in ("cut_low", "cut_high", "bins")}
            own = sorted(everything.keys() - of_errors - of_report)
            return {**{key: everything[key] for key in own}, "axis": axis}
        return everything["report"]


def write_errors(space: Space, attempt: Attempt) -> None:
    """Scan the input once: errors as distinct values with counts, and rows without an error counted by reason."""
    config = space.config
    with reading(space.spark, space.given.paths):
        if space.given.frame is not None:
            source = open_frame(space.given.frame, "the input (DataFrame)")
        else:
            opened = InputConfig(
                path=space.given.paths, format=config.format, separator=config.separator, header=config.header
            )
            source = open_input(space.spark, opened, None)
        prepared = prepare(space.spark, source, config)
        values = attempt.write("error_values", error_values(prepared.frame, prepared.plan))
    labels = [group.label for group in prepared.groups]
    counts = reject_counts(values, labels, config)
    refuse(counts, config)
    attempt.write("rejects", space.spark.createDataFrame(counts.table(), REJECTS).coalesce(1))
    attempt.facts.update(
        rows=counts.rows,
        groups=[{"label": group.label, "order": list(group.order)} for group in prepared.groups],
        edges=prepared.edges,
        source=source.label,
        notices=[f"'{label}' was cut at its quantiles {edges}" for label, edges in prepared.edges.items()],
    )


def write_tests(space: Space, attempt: Attempt) -> None:
    """Collect the series, permute, and write the result tables as Parquet and CSV."""
    errors = space.done["errors"]
    groups = [GroupColumn(g["label"], None, tuple(g["order"])) for g in errors.facts["groups"]]  # type: ignore[arg-type]
    values = fine_values(errors.table("error_values"))
    data = list(families(values, groups, space.config))
    tables = error_tests(data, [group.label for group in groups], space.config, runner(space.spark))
    for name, schema in SCHEMAS.items():
        rows = getattr(tables, name)
        cells = [tuple(row[column] for column in columns(schema)) for row in rows]
        attempt.write(name, space.spark.createDataFrame(cells, schema).coalesce(1))
        attempt.write_text(f"{name}.csv", csv_text(rows, schema))
        attempt.write_json(f"{name}.json", rows)
    left_out = {
        (row["sensitive"], row["group"]): row["n"] for row in tables.error_groups if row["included"] is False
    }
    attempt.facts["notices"] = [
        f"{column}: {sum(1 for c, _ in left_out if c == column)} groups of fewer than {space.config.min_group_size} rows "
        "are left out of the tests"
        for column in dict.fromkeys(c for c, _ in left_out)
    ]


def write_report(space: Space, attempt: Attempt) -> None:
    """Say it: verdict, Markdown, HTML and pictures, without small groups."""
    tests = space.done["tests"]
    tables = {name: json.loads(tests.text(f"{name}.json")) for name in SCHEMAS}
    least = space.config.report.min_report_objects
    answer = verdict(tables["error_groups"], tables["error_tests"], tables["error_pairs"], least)
    rejects = [row.asDict() for row in space.done["errors"].table("rejects").collect()]
    settings = {
        "alpha": space.config.alpha,
        "pair_permutations": space.config.pair_permutations,
        "min_report_objects": least,
        "min_group_size": space.config.min_group_size,
    }
    made = report(tables, answer, rejects, settings)
    for name, text in made.texts.items():
        attempt.write_text(name, text)
    for name, picture in made.pictures.items():
        attempt.files.write(attempt.path(f"figures/{name}"), picture)
    attempt.write_text("verdict.txt", answer.text + "\n")
    attempt.write_json("verdict.json", answer.data)


def verdict_of(step: Finished | None) -> ErrorVerdict | None:
    """Read the verdict that the last step wrote."""
    if step is None:
        return None
    data = json.loads(step.text("verdict.json"))
    return ErrorVerdict(data["significant"], step.text("verdict.txt").rstrip("\n"), data)
