"""The manifest is strict JSON."""

from __future__ import annotations

import json
import math

from movfair_spark.runs.manifest import strict


def test_infinities_and_nan_have_a_spelling_that_every_parser_reads() -> None:
    value = strict({"a": [math.inf, -math.inf, math.nan, 1.5], "b": (True, None, "x"), 3: 2**60})
    assert json.loads(json.dumps(value, allow_nan=False)) == {
        "a": ["inf", "-inf", None, 1.5],
        "b": [True, None, "x"],
        "3": 2**60,
    }
