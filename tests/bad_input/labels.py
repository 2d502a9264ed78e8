"""Bad tables of outcomes 0 and 1."""

from __future__ import annotations

from movfair_spark import errors as E
from tests.bad_input.case import Case, labels, lines, raw

CASES = [
    Case("an empty label file", raw("labels.csv", b""), table="labels", error=E.InputError, says="0 bytes"),
    Case(
        "labels without an outcome",
        labels(header="uid,score"),
        table="labels",
        error=E.MissingColumnsError,
        says="outcome",
    ),
    Case(
        "labels in words without a positive one",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,yes"),
        table="labels",
        error=E.InputError,
        says="labels.positive",
    ),
    Case(
        "three classes and only the positive one named",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,maybe"),
        {"positive": "yes"},
        table="labels",
        error=E.ConfigurationError,
        says="labels.negative",
    ),
    Case(
        "a positive value that never occurs with its negative",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,yes"),
        {"positive": "ja", "negative": "nein"},
        table="labels",
        error=E.InputError,
        says="neither labels.positive nor negative",
    ),
    Case(
        "bad labels",
        labels("p9,NaN", "p8,2", "p7,0.5", "p6,", ",1", "p0,0", "p1,0", "p1,1", "p5,x"),
        table="labels",
        rejects={"bad_outcome": 4, "null_outcome": 1, "null_id": 1, "conflicting_label": 3},
    ),
    Case(
        "an unknown class",
        lines("labels.csv", "uid,outcome", "a,yes", "b,no", "c,maybe", "d,Yes"),
        {"positive": "yes", "negative": "no"},
        table="labels",
        rejects={"bad_outcome": 2},
    ),
    Case(
        "bad truths and weights",
        lines(
            "labels.csv",
            "uid,outcome,truth,weight",
            "a,1,1,1",
            "b,1,,2",
            "c,0,0.5,1",
            "d,0,0,-1",
            "e,1,0,NaN",
            "f,1,1,x",
        ),
        table="labels",
        rejects={"bad_truth": 1, "bad_weight": 3},
    ),
]
