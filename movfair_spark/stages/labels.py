"""One label per object: unusable ones and conflicts set aside, equal repeats counted once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from movfair_spark.config.notion import NotionConfig
from movfair_spark.errors import EmptyTableError
from movfair_spark.stages.numbering import group_starts, in_uid_order


@dataclass(frozen=True)
class Needs:
    """Columns of the labels that a test looks at: its notion's, and stratum and weight where they were named."""

    notion: NotionConfig
    stratum: bool = False
    weight: bool = False

    @property
    def columns(self) -> dict[str, str]:
        """Role to column name, outcome first."""
        text = "_class" if self.notion.kind == "class" else ""
        found = {"outcome": f"outcome{text}"}
        if self.notion.needs_truth:
            found["truth"] = f"truth{text}"
        return found | {name: name for name in ("stratum", "weight") if getattr(self, name)}

    @property
    def texts(self) -> set[str]:
        """Columns that hold text."""
        return {name for role, name in self.columns.items() if role == "stratum" or name.endswith("_class")}


@dataclass(frozen=True)
class Labelled:
    """Labelled objects in uid order; arrays of one length.

    Attributes
    ----------
    uids : pyarrow.Array
    values : dict of str to float64 array
        By role: numbers, or positions in ``names`` of texts.
    names : dict of str to tuple of str
        Of the roles that are texts, sorted.
    seen, has_cells : bool arrays
        Occurs in the input; has a cellset in some zoning.
    right : bool array
        The test looks at this object: nothing is missing, and the truth is the notion's.
    """

    uids: pa.Array
    values: dict[str, npt.NDArray[np.float64]]
    names: dict[str, tuple[str, ...]]
    seen: npt.NDArray[np.bool_]
    has_cells: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]


def one_label_each(table: pa.Table, needs: Needs) -> tuple[Labelled, dict[str, int]]:
    """Reduce label rows to objects.

    Parameters
    ----------
    table : pyarrow.Table
        Columns ``uid, seen, has_cells`` and ``needs.columns``.
    needs : Needs

    Returns
    -------
    Labelled, dict
        Objects in uid order, and what was set aside (names of `population.Counts`).

    Raises
    ------
    EmptyTableError
        No row has a usable label.
    """
    read = table.num_rows
    table = table.filter(pc.and_(pc.is_valid(table["uid"]), _usable(table, needs)))
    if table.num_rows == 0:
        what = {"binary": "not 0 or 1", "class": "no class", "real": "no finite number"}[needs.notion.kind]
        raise EmptyTableError(
            f"none of {read} labels is usable: each lacks an id, or its outcome is {what}",
            "check labels.columns.outcome"
            + (" and labels.positive" if needs.notion.kind == "binary" else ""),
        )
    table = in_uid_order(table)
    starts = group_starts(table["uid"])
    values, names = {}, {}
    for role, name in needs.columns.items():
        values[role], found = _numbers(table[name])
        if name in needs.texts:
            names[role] = found
    agree = np.ones(len(starts), bool)
    for value in values.values():
        known = np.nan_to_num(value, nan=-np.inf)
        agree &= np.minimum.reduceat(known, starts) == np.maximum.reduceat(known, starts)
    sizes, first = np.diff(np.append(starts, table.num_rows)), starts[agree]
    values = {role: value[first] for role, value in values.items()}
    right, counts = _right(values, needs)
    counts |= {
        "labels": read,
        "unusable_labels": read - table.num_rows,
        "repeated_labels": int((sizes[agree] - 1).sum()),
        "conflicting_labels": int(sizes[~agree].sum()),
    }
    objects = table.take(pa.array(first))
    seen, has_cells = (objects[n].to_numpy(zero_copy_only=False).astype(bool) for n in ("seen", "has_cells"))
    return Labelled(_ids(objects["uid"]), values, names, seen, has_cells, right), counts


def _usable(table: pa.Table, needs: Needs) -> pa.ChunkedArray:
    outcome = table[needs.columns["outcome"]]
    match needs.notion.kind:
        case "binary":
            fine = pc.is_in(outcome, pa.array([0.0, 1.0]))
        case "real":
            fine = pc.is_finite(outcome)
        case "class":
            fine = pc.is_valid(outcome)
    return pc.fill_null(fine, False)


def _numbers(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Numbers as they are, texts as positions among the sorted distinct ones; NaN where missing."""
    if not pa.types.is_string(column.type):
        return column.to_numpy(zero_copy_only=False).astype(np.float64), ()
    names = pc.unique(column).drop_null().sort()
    found = pc.index_in(column, value_set=names)
    return found.to_numpy(zero_copy_only=False).astype(np.float64), tuple(names.to_pylist())


def _right(
    values: dict[str, npt.NDArray[np.float64]], needs: Needs
) -> tuple[npt.NDArray[np.bool_], dict[str, int]]:
    """Mark the objects that the test can look at; count what the others lack, the first thing each."""
    right = np.ones(len(values["outcome"]), bool)
    counts = {"other_truth": 0}
    for role in ("truth", "stratum", "weight"):
        lacking = right & ~np.isfinite(values[role]) if role in values else np.zeros(len(right), bool)
        counts[f"without_{role}"] = int(np.count_nonzero(lacking))
        right &= ~lacking
    if needs.notion.wanted_truth is not None:
        other = right & (values["truth"] != needs.notion.wanted_truth)
        counts["other_truth"] = int(np.count_nonzero(other))
        right &= ~other
    return right, counts


def _ids(column: pa.ChunkedArray) -> pa.Array:
    values = column.combine_chunks()
    return values.cast(pa.int64()) if pa.types.is_integer(values.type) else values
