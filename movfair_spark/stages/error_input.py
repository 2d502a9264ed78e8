"""From the opened input to the frame that errors are computed from: numbers with their state, groups as texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from movfair_spark.config.error_expression import rewrite
from movfair_spark.config.error_parity import ErrorParityConfig, GroupConfig
from movfair_spark.errors import ConfigurationError, InputError
from movfair_spark.readers import columns, numbers
from movfair_spark.readers.source import RAGGED, Field, Source
from movfair_spark.stages.error_groups import GroupColumn, group_column
from movfair_spark.stages.error_movement import membership
from movfair_spark.stages.error_values import FINE, NO_NUMBER, NULL, Plan
from movfair_spark.stages.quantiles import quantile_edges

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Prepared:
    """The frame to scan, what to compute from it, and the sensitive columns.

    ``edges`` holds the quantiles that were used as edges, per sensitive column.
    """

    frame: DataFrame
    plan: Plan
    groups: tuple[GroupColumn, ...]
    edges: dict[str, list[float]]


def prepare(spark: SparkSession, source: Source, config: ErrorParityConfig) -> Prepared:
    """Check the columns and lay out the scan.

    Parameters
    ----------
    spark : SparkSession
    source : Source
    config : ErrorParityConfig

    Raises
    ------
    MissingColumnsError
        A column of the configuration is absent or ambiguous.
    InputError
        A column that should hold numbers has a type that cannot.
    ConfigurationError
        A user expression is not allowed, or Spark cannot evaluate it.
    """
    fields = _fields(source, config)
    raw = {name: f"c{i}" for i, name in enumerate(fields)}
    flat = [part for group in config.groups for part in _flat(group)]
    scan = source.rows({raw[name]: field.name for name, field in fields.items()})
    scan = scan.select(
        *(F.col(f"_{raw[name]}").alias(raw[name]) for name in fields), F.col(RAGGED).alias("ragged")
    )
    edges = {
        part.label: quantile_edges(
            scan.select(numbers.value(fields[str(part.column)], raw[str(part.column)]).alias("value")),
            part.quantiles,
        )
        for part in flat
        if part.quantiles is not None
    }
    for label, found in edges.items():
        if not found:
            raise InputError(f"'{label}' holds no numbers to cut at quantiles", "name another column")
    movement: dict[str, Column] = {}
    for i, part in enumerate(part for part in flat if part.movement is not None):
        assert part.movement is not None
        scan = _joined(scan, raw[part.movement.uid], membership(spark, part.movement), f"m{i}")
        movement[part.label] = F.col(f"m{i}")
    groups = tuple(group_column(group, raw, fields, edges, movement) for group in config.groups)
    frame, plan = _numbers(scan, config, fields, raw, groups)
    return Prepared(frame, plan, groups, edges)


def _flat(group: GroupConfig) -> list[GroupConfig]:
    if group.all_of is None:
        return [group]
    return [part for item in group.all_of for part in _flat(item)]


def _fields(source: Source, config: ErrorParityConfig) -> dict[str, Field]:
    # Name in the configuration -> field of the input, in a fixed order.
    wanted = {name: "prediction" for name in config.models}
    if config.truth is not None:
        wanted.setdefault(config.truth, "truth")
    numeric = list(wanted)
    for group in config.groups:
        for part in _flat(group):
            name = part.movement.uid if part.movement is not None else part.column
            wanted.setdefault(str(name), "groups")
    found = {
        name: source.fields[str(columns.find(role, name, source.fields, source.label))]
        for name, role in wanted.items()
    }
    for name in numeric:
        if not numbers.is_number_type(found[name].type):
            raise InputError(
                f"column '{name}' of {source.label} is of type {found[name].type.simpleString()}",
                "predictions and truths must be numbers",
            )
    for error in config.errors:
        if not isinstance(error, str):
            rewrite(
                error.expression,
                list(source.fields),
                lambda name: found.setdefault(name, source.fields[name]).name,
            )
    return found


def _joined(scan: DataFrame, uid: str, people: DataFrame, name: str) -> DataFrame:
    # Ids are compared as the type of the audit's table; a text that is no whole number finds nobody.
    kind = people.schema["uid"].dataType
    key = F.expr(f"try_cast({uid} as {kind.simpleString()})")
    if isinstance(scan.schema[uid].dataType, T.StringType) and not isinstance(kind, T.StringType):
        key = F.when(F.col(uid).rlike("^-?[1-9][0-9]*$|^0$"), key)
    people = people.select(F.col("uid").alias("_uid"), F.col("group").alias(name))
    return scan.join(people, key == F.col("_uid"), "left").drop("_uid")


def _numbers(
    scan: DataFrame,
    config: ErrorParityConfig,
    fields: dict[str, Field],
    raw: dict[str, str],
    groups: tuple[GroupColumn, ...],
) -> tuple[DataFrame, Plan]:
    chosen = [F.col("ragged")]
    named = {f"p{i}": name for i, name in enumerate(config.models)}
    if config.truth is not None:
        named["t"] = config.truth
    for name, original in named.items():
        chosen += _number(fields[original], raw[original], name)
    metrics: list[str] = []
    for error in config.errors:
        if isinstance(error, str):
            metrics.append(error)
            continue
        number = sum(metric.startswith("x") for metric in metrics)
        metrics.append(f"x{number}")
        for i, model in enumerate(config.models):
            chosen.append(_expression(error.expression, config, model, fields, raw).alias(f"p{i}_x{number}"))
    chosen += [group.value.cast("string").alias(f"g{i}") for i, group in enumerate(groups)]
    plan = Plan(len(config.models), tuple(metrics), len(groups), config.truth is not None)
    try:
        return scan.select(*chosen), plan
    except Exception as error:
        first = str(error).splitlines()[0]
        if type(error).__name__ not in ("AnalysisException", "ParseException"):
            raise
        raise ConfigurationError(
            f"Spark cannot evaluate an error expression ({first})", "check it in Spark SQL"
        ) from None


def _number(field: Field, raw: str, name: str) -> list[Column]:
    value = numbers.value(field, raw)
    state = F.when(numbers.is_missing(field, raw), NULL).when(value.isNull(), NO_NUMBER).otherwise(FINE)
    if isinstance(field.type, T.StringType):
        # 18 digits always fit 64 bits.
        whole = F.expr(
            f"CASE WHEN trim({raw}) RLIKE '^[+-]?[0-9]{{1,18}}$' THEN try_cast(trim({raw}) AS bigint) END"
        )
    elif (
        isinstance(field.type, T.IntegralType)
        or isinstance(field.type, T.DecimalType)
        and field.type.scale == 0
        and field.type.precision <= 18
    ):
        whole = F.col(raw).cast("bigint")
    else:
        whole = F.lit(None).cast("bigint")
    return [value.alias(name), whole.alias(f"{name}_int"), state.cast("int").alias(f"{name}_state")]


def _expression(
    expression: str, config: ErrorParityConfig, model: str, fields: dict[str, Field], raw: dict[str, str]
) -> Column:
    first = config.models[0]
    inputs = {name.lower(): name for name in fields}

    def rename(name: str) -> str:
        # The expression is written for the first prediction column and repeated for each model.
        name = model if name.lower() == first.lower() else inputs[name.lower()]
        field = fields[name]
        text = isinstance(field.type, T.StringType)
        if text and name in (*config.models, config.truth):
            return f"try_cast({raw[name]} AS double)"
        return raw[name]

    names = [field.name for field in fields.values()] + list(fields)
    return F.expr(f"CAST(({rewrite(expression, list(dict.fromkeys(names)), rename)}) AS double)")
