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
from movfair_spark.stages.labels import one_label_each
from movfair_spark.stages.numbering import form

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TRUTH = {"statistical_parity": None, "equal_opportunity": 1.0, "false_positive_parity": 0.0}
"""Truth that an object must have for each notion; None = any."""


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
    positives : int
        P.
    """

    labels: int
    unusable_labels: int
    repeated_labels: int
    conflicting_labels: int
    without_truth: int
    other_truth: int
    matched: int
    without_stops: int
    people: int
    without_label: int
    tested: int
    positives: int

    def as_dict(self) -> dict[str, int]:
        """Plain numbers for the manifest."""
        return asdict(self)


@dataclass(frozen=True)
class Population:
    """The objects in the test in uid order.

    Attributes
    ----------
    uids : pyarrow.Array
        int64 or string, [N]; the position is the object's number.
    labels : ndarray of uint8, shape [N]
        1 = positive outcome.
    counts : Counts
    """

    uids: pa.Array
    labels: np.ndarray
    counts: Counts

    @property
    def size(self) -> int:
        """N."""
        return len(self.labels)

    @property
    def positives(self) -> int:
        """P."""
        return self.counts.positives


def population(
    cellsets: DataFrame,
    labels: DataFrame,
    config: ScanConfig,
    *,
    min_matched_share: float = 0.5,
    people: DataFrame | None = None,
) -> Population:
    """Join labels with cellsets and number the objects in the test.

    Parameters
    ----------
    cellsets : DataFrame
        Columns ``zoning_id, uid, cells``.
    labels : DataFrame
        Columns ``uid, outcome`` (double, 1 = positive), and ``truth`` for notions that need it.
    config : ScanConfig
        ``notion`` and ``objects_without_stops``.
    min_matched_share : float
        Least share of labelled objects that must occur among the people (``labels.min_matched_share``).
    people : DataFrame, optional
        Column ``uid``: everybody who occurs in the input; those with a cellset when left out.

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
        The notion needs a ``truth`` column that is absent.
    """
    _same_type(cellsets, labels)
    wanted = TRUTH[config.notion]
    if wanted is not None and "truth" not in labels.columns:
        raise InputError(
            f"notion '{config.notion}' needs a column truth in the labels", "set labels.columns.truth"
        )
    table, n_people = _joined(cellsets, labels, people, truth=wanted is not None)
    if table.num_rows == 0:
        raise EmptyTableError(
            "the table of labels has no rows", "check the path and the filters of the labels"
        )
    if n_people == 0 and config.objects_without_stops == "exclude":
        raise EmptyTableError(
            f"the table of cellsets has no rows ({table.num_rows} labels were read): nobody has a stop in a zoning",
            "check how many stops were found and whether the zonings cover them",
        )
    each, kept = one_label_each(table, wanted)
    n_matched = int(np.count_nonzero(each.seen))
    if n_matched < min_matched_share * len(each.seen):
        raise IdTypeError(
            f"only {n_matched} of {len(each.seen)} labels find their person, less than labels.min_matched_share = "
            f"{min_matched_share:g}; ids are of type {_kind(labels)} in the labels ({_forms(labels)}) and of type "
            f"{_kind(cellsets)} among the people ({_forms(people if people is not None else cellsets)})",
            "give both tables the same ids, or lower labels.min_matched_share",
        )
    chosen = each.right_truth & (each.has_cells | (config.objects_without_stops == "include"))
    outcomes = each.outcome[chosen].astype(np.uint8)
    counts = Counts(
        **kept,
        matched=n_matched,
        without_stops=int(np.count_nonzero(each.right_truth & ~each.has_cells)),
        people=n_people,
        without_label=n_people - int(np.count_nonzero(each.has_cells)),
        tested=len(outcomes),
        positives=int(outcomes.sum(dtype=np.int64)),
    )
    if len(outcomes) < 2:
        raise EmptyTableError(
            f"{len(outcomes)} objects are in the test, at least 2 are needed: of {counts.labels} labels "
            f"{counts.labels - counts.unusable_labels} are usable, {n_matched} find their person, "
            f"{int(np.count_nonzero(each.has_cells))} of these have a stop in a zoning"
            + (
                f", {int(np.count_nonzero(each.right_truth))} have the truth of '{config.notion}'"
                if wanted is not None
                else ""
            ),
            "check the labels, the stops and the zonings",
        )
    return Population(each.uids.filter(pa.array(chosen)), outcomes, counts)


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
    cellsets: DataFrame, labels: DataFrame, people: DataFrame | None, *, truth: bool
) -> tuple[pa.Table, int]:
    """Labels with ``has_cells`` and ``seen``, on the driver; and the number of people with a cellset."""
    from pyspark.sql import functions as F

    holders = (
        cellsets.where(F.size("cells") > 0).select("uid").distinct().withColumn("has_cells", F.lit(True))
    )
    columns = [F.col("uid"), F.col("outcome").cast("double")]
    if truth:
        columns.append(F.col("truth").cast("double"))
    joined = (
        labels.select(*columns)
        .join(holders, "uid", "left")
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
