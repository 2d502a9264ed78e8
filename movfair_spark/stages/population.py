"""Who is in the test (design section 3, In the test): objects with a label and a cellset, N of them, P positive."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from movfair_spark.config.scan import ScanConfig
from movfair_spark.errors import EmptyTableError, IdTypeError, InputError
from movfair_spark.fanout.collect import to_arrow
from movfair_spark.fanout.describe import described
from movfair_spark.models.outcomes import Outcomes
from movfair_spark.stages.labels import Labelled, Needs, one_label_each
from movfair_spark.stages.numbering import form

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Counts:
    """How many rows each join kept. Nobody disappears in silence.

    Attributes
    ----------
    labels : int
        Label rows read.
    unusable_labels : int
        Without an id, or with an outcome that the model cannot use (for Bernoulli: not 0 or 1).
    repeated_labels : int
        Rows that repeat the same label of an object, counted once.
    conflicting_labels : int
        Rows of objects with two different labels, all set aside.
    without_truth : int
        Objects whose truth is missing although the notion needs it.
    without_stratum, without_weight : int
        Likewise the stratum and the weight, of objects that lack nothing before.
    other_truth : int
        Objects of the other truth, outside the notion.
    matched : int
        Labelled objects that occur among the people of the input.
    without_stops : int
        Labelled objects (right truth) without a cellset in any zoning.
    people : int
        Objects with a cellset in at least one zoning.
    without_label : int
        Of these, objects without a usable label.
    tested : int
        N.
    positives : int, optional
        P; None where outcomes are not 0 and 1.
    """

    labels: int
    unusable_labels: int
    repeated_labels: int
    conflicting_labels: int
    without_truth: int
    without_stratum: int
    without_weight: int
    other_truth: int
    matched: int
    without_stops: int
    people: int
    without_label: int
    tested: int
    positives: int | None

    def as_dict(self) -> dict[str, int | None]:
        """Plain numbers for the manifest."""
        return asdict(self)


@dataclass(frozen=True)
class Population:
    """The objects in the test in uid order.

    Attributes
    ----------
    uids : pyarrow.Array
        int64 or string, [N]; the position is the object's number.
    outcomes : Outcomes
        Of the same objects.
    counts : Counts
    """

    uids: pa.Array
    outcomes: Outcomes
    counts: Counts

    @property
    def size(self) -> int:
        """N."""
        return len(self.outcomes.values)

    @property
    def labels(self) -> np.ndarray:
        """Outcomes of 0 and 1 (uint8[N]), class codes or real values."""
        return self.outcomes.values

    @property
    def positives(self) -> int | None:
        """P."""
        return self.counts.positives


def population(
    cellsets: DataFrame,
    labels: DataFrame,
    config: ScanConfig,
    *,
    min_matched_share: float = 0.5,
    people: DataFrame | None = None,
    stratum: bool = False,
    weight: bool = False,
) -> Population:
    """Join labels with cellsets and number the objects in the test.

    Parameters
    ----------
    cellsets : DataFrame
        Column ``uid``: everybody with a cellset, any number of times. Where there is a column ``cells`` too, rows
        without a cell do not count.
    labels : DataFrame
        Columns ``uid, outcome`` (double) or ``outcome_class`` (string), and ``truth`` or ``truth_class`` for notions that
        need it.
    config : ScanConfig
        What is tested, and ``objects_without_stops``.
    min_matched_share : float
        Least share of labelled objects that must occur among the people (``labels.min_matched_share``).
    people : DataFrame, optional
        Column ``uid``: everybody who occurs in the input; those with a cellset when left out.
    stratum, weight : bool
        The test is conditional on the column ``stratum``; real outcomes have the weights of the column ``weight``.

    Returns
    -------
    Population

    Raises
    ------
    IdTypeError
        The ids differ in type, or too few labels find their person.
    EmptyTableError
        A table is empty, or fewer than two objects are in the test.
    InputError
        The test needs a column that is absent.
    """
    _same_type(cellsets, labels)
    needs = Needs(config, stratum, weight)
    for role, name in needs.columns.items():
        if name not in labels.columns:
            raise InputError(
                f"notion '{config.notion}' of scan.model {config.model} needs a column {name} in the labels",
                f"set labels.columns.{role}",
            )
    table, n_people = _joined(cellsets, labels, people, needs)
    if table.num_rows == 0:
        raise EmptyTableError(
            "the table of labels has no rows", "check the path and the filters of the labels"
        )
    if n_people == 0 and config.objects_without_stops == "exclude":
        raise EmptyTableError(
            f"the table of cellsets has no rows ({table.num_rows} labels were read): nobody has a stop in a zoning",
            "check how many stops were found and whether the zonings cover them",
        )
    each, kept = one_label_each(table, needs)
    n_matched = int(np.count_nonzero(each.seen))
    if n_matched < min_matched_share * len(each.seen):
        raise IdTypeError(
            f"only {n_matched} of {len(each.seen)} labels find their person, less than labels.min_matched_share = "
            f"{min_matched_share:g}; ids are of type {_kind(labels)} in the labels ({_forms(labels)}) and of type "
            f"{_kind(cellsets)} among the people ({_forms(people if people is not None else cellsets)})",
            "give both tables the same ids, or lower labels.min_matched_share",
        )
    chosen = each.right & (each.has_cells | (config.objects_without_stops == "include"))
    outcomes = _outcomes(each, chosen, config)
    size = len(outcomes.values)
    counts = Counts(
        **kept,
        matched=n_matched,
        without_stops=int(np.count_nonzero(each.right & ~each.has_cells)),
        people=n_people,
        without_label=n_people - int(np.count_nonzero(each.has_cells)),
        tested=size,
        positives=int(outcomes.values.sum(dtype=np.int64)) if config.kind == "binary" else None,
    )
    if size < 2:
        raise EmptyTableError(
            f"{size} objects are in the test, at least 2 are needed: of {counts.labels} labels "
            f"{counts.labels - counts.unusable_labels} are usable, {n_matched} find their person, "
            f"{int(np.count_nonzero(each.has_cells))} of these have a stop in a zoning"
            + (
                f", {int(np.count_nonzero(each.right))} have the {' and '.join(list(needs.columns)[1:])} that is needed"
                if len(needs.columns) > 1
                else ""
            ),
            "check the labels, the stops and the zonings",
        )
    return Population(each.uids.filter(pa.array(chosen)), outcomes, counts)


def _outcomes(each: Labelled, chosen: np.ndarray, config: ScanConfig) -> Outcomes:
    """Outcomes of the chosen objects as the models take them."""
    values = {role: value[chosen] for role, value in each.values.items()}
    outcome = values["outcome"]
    part: np.ndarray | None = None
    truths: tuple[str, ...] = ()
    if config.parts:
        found, part = np.unique(values["truth"], return_inverse=True)
        names = each.names.get("truth")
        truths = tuple(names[int(value)] if names else f"{value:g}" for value in found)
    if config.outcome == "residual":
        outcome = outcome - values["truth"]
    kinds = {"binary": np.uint8, "class": np.int64, "real": np.float64}
    return Outcomes(
        outcome.astype(kinds[config.kind]),
        classes=each.names.get("outcome", ()),
        part=None if part is None else part.astype(np.int64),
        truths=truths,
        strata=values["stratum"].astype(np.int64) if "stratum" in values else None,
        weights=values.get("weight"),
    )


def _same_type(cellsets: DataFrame, labels: DataFrame) -> None:
    if _kind(cellsets) != _kind(labels):
        raise IdTypeError(
            f"the people's ids are of type {_kind(cellsets)} ({_forms(cellsets)}), those of the labels of type "
            f"{_kind(labels)} ({_forms(labels)})",
            "set uid_type to the same type for both",
        )


def _kind(frame: DataFrame) -> str:
    kind = frame.schema["uid"].dataType.simpleString()
    return "bigint" if kind in ("tinyint", "smallint", "int") else kind


def _forms(frame: DataFrame) -> str:
    return "for example " + ", ".join(form(row[0]) for row in frame.select("uid").limit(3).collect())


def _joined(
    cellsets: DataFrame, labels: DataFrame, people: DataFrame | None, needs: Needs
) -> tuple[pa.Table, int]:
    """Labels with ``has_cells`` and ``seen``, on the driver; and the number of people with a cellset."""
    from pyspark.sql import functions as F

    held = cellsets.where(F.size("cells") > 0) if "cells" in cellsets.columns else cellsets
    holders = held.select("uid").distinct()
    columns = [
        F.col(name).cast("string" if name in needs.texts else "double") for name in needs.columns.values()
    ]
    joined = (
        labels.select("uid", *columns)
        .join(holders.withColumn("has_cells", F.lit(True)), "uid", "left")
        .withColumn("has_cells", F.col("has_cells").isNotNull())
    )
    if people is None:
        joined = joined.withColumn("seen", F.col("has_cells"))
    else:
        known = people.select("uid").distinct().withColumn("seen", F.lit(True))
        joined = joined.join(known, "uid", "left").withColumn(
            "seen", F.col("seen").isNotNull() | F.col("has_cells")
        )
    with described(labels.sparkSession, "population: labels joined with cellsets"):
        return to_arrow(joined), holders.count()
