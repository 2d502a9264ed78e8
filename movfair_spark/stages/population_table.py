"""The population of the test as a table, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from movfair_spark.models.outcomes import Outcomes
from movfair_spark.stages.population import Counts, Population


def to_table(tested: Population) -> pa.Table:
    """Write the population as a table.

    Returns
    -------
    pyarrow.Table
        ``number``, ``uid``, ``outcome`` (0 or 1, class code, or real value), and where the test has them ``part`` (class
        of truth), ``stratum`` and ``weight``.
    """
    found = tested.outcomes
    columns = {
        "number": pa.array(range(tested.size), pa.int64()),
        "uid": tested.uids,
        "outcome": pa.array(found.values.astype(np.float64)),
        "part": found.part,
        "stratum": found.strata,
        "weight": found.weights,
    }
    return pa.table({name: column for name, column in columns.items() if column is not None})


def facts_of(tested: Population) -> dict[str, Any]:
    """Describe what the table does not hold: counts, what outcomes are like, and their names for caches."""
    found = tested.outcomes
    return {
        "counts": tested.counts.as_dict(),
        "classes": list(found.classes),
        "truths": list(found.truths),
        "class_counts": np.bincount(found.values, minlength=len(found.classes)).tolist()
        if found.classes
        else [],
        "moments": _moments(found),
        "strata": None if found.strata is None else len(np.unique(found.strata)),
        "outcomes": found.digest,
        "dealt": found.null_digest,
    }


def from_table(table: pa.Table, facts: Mapping[str, Any], kind: str) -> Population:
    """Read what `to_table` and `facts_of` wrote.

    Parameters
    ----------
    table : pyarrow.Table
    facts : mapping
    kind : {'binary', 'class', 'real'}
    """
    table = table.sort_by("number").combine_chunks()
    kinds = {"binary": np.uint8, "class": np.int64, "real": np.float64}
    given = {
        name: table[name].to_numpy() for name in ("part", "stratum", "weight") if name in table.column_names
    }
    outcomes = Outcomes(
        table["outcome"].to_numpy().astype(kinds[kind]),
        classes=tuple(facts["classes"]),
        part=given.get("part"),
        truths=tuple(facts["truths"]),
        strata=given.get("stratum"),
        weights=given.get("weight"),
    )
    return Population(table["uid"].combine_chunks(), outcomes, Counts(**facts["counts"]))


def _moments(outcomes: Outcomes) -> list[float] | None:
    """Mean and standard deviation of real outcomes, weighted where they have weights."""
    values = outcomes.values
    if values.dtype.kind != "f":
        return None
    weights = np.ones(len(values)) if outcomes.weights is None else outcomes.weights
    total = math.fsum(weights)
    mean = math.fsum(weights * values) / total
    return [mean, math.sqrt(math.fsum(weights * (values - mean) * (values - mean)) / total)]
