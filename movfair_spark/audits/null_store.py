"""Simulations that are never done twice: nulls and passes as text, bit for bit (doubles in hexadecimal).

The null depends on the outcomes only through what is dealt out, per stratum (design section 3, short cut 6): new labels
for the same people with the same number of positive ones need no new simulation, and more simulations only the missing ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from movfair_spark.config.scan import ScanConfig
from movfair_spark.kernels.worlds import DRAW_VERSION
from movfair_spark.runs.keys import digest
from movfair_spark.runs.notes import Notes
from movfair_spark.stages.counting import Counted
from movfair_spark.stages.null import Null, Nulls, Pass

NULLS, PASSES = "simulations", "passes"
_OTHER = {"n_simulations", "alpha", "all_subsets", "write_candidates", "distribution", "broadcast_limit_mb"}


def null_key(cellsets: str | None, facts: Mapping[str, Any], config: ScanConfig) -> str | None:
    """Key of a null: cellsets, who is in the test, what outcomes are dealt out, and how worlds are drawn and counted.

    Parameters
    ----------
    cellsets : str or None
        Key of the step ``cellsets``; None when points came as a DataFrame.
    facts : mapping
        Of the step ``population``.
    config : ScanConfig

    Returns
    -------
    str or None
        None when nothing can be used again.
    """
    if cellsets is None:
        return None
    drawn = config.model_dump(mode="json", exclude=_OTHER)
    return digest([cellsets, facts["objects"], facts["dealt"], drawn, DRAW_VERSION])


def recorder(notes: Notes, key: str | None, outcomes: str) -> Callable[[str, Callable[[], Pass]], Pass]:
    """Make the function that runs a pass, or gives what a killed run recorded of it.

    Parameters
    ----------
    notes : Notes
    key : str or None
        Of `null_key`.
    outcomes : str
        Digest of the observed outcomes: one of the passes counts them too.
    """

    def record(name: str, run: Callable[[], Pass]) -> Pass:
        mine = None if key is None else digest([key, outcomes, name])
        known = notes.get(PASSES, mine)
        if known is not None:
            return _pass_of(known)
        counted = run()
        notes.put(PASSES, mine, _pass_text(counted))
        return counted

    return record


def _pass_text(counted: Pass) -> str:
    return json.dumps(
        [
            [zoning, _hex(c.maxima), c.observed.hex(), c.candidates, c.memberships]
            for zoning, c in counted.items()
        ]
    )


def _pass_of(text: str) -> Pass:
    return {
        zoning: Counted(_doubles(maxima), float.fromhex(observed), candidates, memberships)
        for zoning, maxima, observed, candidates, memberships in json.loads(text)
    }


def _hex(values: np.ndarray) -> str:
    return np.asarray(values, dtype="<f8").tobytes().hex()


def _doubles(text: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(text), "<f8").astype(np.float64)


def to_json(nulls: Nulls) -> str:
    """Write nulls; every double comes back with the same bits."""
    return json.dumps(
        [
            {
                "key": key,
                "zonings": list(null.zonings),
                "support": null.support,
                "bound": null.bound.hex(),
                "maxima": _hex(null.maxima),
                "observed": {str(zoning): value.hex() for zoning, value in null.observed.items()},
                "candidates": null.candidates,
                "memberships": null.memberships,
            }
            for key, null in nulls.items()
        ]
    )


def from_json(text: str) -> Nulls:
    """Read what `to_json` wrote."""
    return {
        item["key"]: Null(
            zonings=tuple(item["zonings"]),
            support=item["support"],
            bound=float.fromhex(item["bound"]),
            maxima=_doubles(item["maxima"]),
            observed={int(zoning): float.fromhex(value) for zoning, value in item["observed"].items()},
            candidates=item["candidates"],
            memberships=item["memberships"],
        )
        for item in json.loads(text)
    }
