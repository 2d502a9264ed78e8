"""Nulls as text, bit for bit: doubles in hexadecimal."""

from __future__ import annotations

import json

import numpy as np

from movfair_spark.stages.null import Null, Nulls


def to_json(nulls: Nulls) -> str:
    """Write nulls; every double comes back with the same bits."""
    return json.dumps(
        [
            {
                "key": key,
                "zonings": list(null.zonings),
                "support": null.support,
                "bound": null.bound.hex(),
                "maxima": np.asarray(null.maxima, dtype="<f8").tobytes().hex(),
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
            maxima=np.frombuffer(bytes.fromhex(item["maxima"]), "<f8"),
            observed={int(zoning): float.fromhex(value) for zoning, value in item["observed"].items()},
            candidates=item["candidates"],
            memberships=item["memberships"],
        )
        for item in json.loads(text)
    }
