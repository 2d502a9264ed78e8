"""Bad tables of outcomes in classes or as real values, and of what a test needs beside them."""

from __future__ import annotations

from movfair_spark import errors as E
from tests.bad_input.case import Case, lines

CLASSES = [f"p{i},{'abc'[i % 3]}" for i in range(9)]
VALUES = [f"p{i},{i / 4}" for i in range(9)]
MULTINOMIAL, NORMAL = {"model": "multinomial"}, {"model": "normal"}

CASES = [
    Case(
        "a class that was not declared",
        lines("labels.csv", "uid,outcome", *CLASSES, "q1,d", "q2,A", "q3,", "q4,NaN"),
        {"classes": ["a", "b", "c"]},
        table="labels",
        scan=MULTINOMIAL,
        rejects={"bad_outcome": 3, "null_outcome": 1},
    ),
    Case(
        "declared classes that hardly occur",
        lines("labels.csv", "uid,outcome", *CLASSES),
        {"classes": ["low", "high"]},
        table="labels",
        scan=MULTINOMIAL,
        error=E.InputError,
        says="are none of labels.classes",
    ),
    Case(
        "numbers taken for classes",
        lines("labels.csv", "uid,outcome", *(f"p{i},{i / 7:.3f}" for i in range(20))),
        table="labels",
        scan=MULTINOMIAL,
        error=E.InputError,
        says="20 classes among the first 20 outcomes in 'outcome', allowed are 12. Merge rare classes",
    ),
    Case(
        "real outcomes that are no finite numbers",
        lines(
            "labels.csv", "uid,outcome", *VALUES, "q1,NaN", "q2,inf", "q3,-Infinity", "q4,", "q5,1.5e", "q6,x"
        ),
        table="labels",
        scan=NORMAL,
        rejects={"bad_outcome": 5, "null_outcome": 1},
    ),
    Case(
        "words taken for real outcomes",
        lines("labels.csv", "uid,outcome", *CLASSES),
        table="labels",
        scan=NORMAL,
        error=E.InputError,
        says="are no finite numbers",
    ),
    Case(
        "negative, zero and missing weights",
        lines(
            "labels.csv",
            "uid,outcome,w",
            *(f"{row},1.5" for row in VALUES),
            "q1,1,-1",
            "q2,1,0",
            "q3,1,inf",
            "q4,1,",
        ),
        {"columns": {"weight": "w"}},
        table="labels",
        scan=NORMAL,
        rejects={"bad_weight": 3},
    ),
    Case(
        "a truth that is no number where residuals are tested",
        lines(
            "labels.csv",
            "uid,outcome,truth",
            *(f"{row},1" for row in VALUES),
            "q1,1,x",
            "q2,1,nan",
            "q3,1,-inf",
        ),
        table="labels",
        scan={**NORMAL, "outcome": "residual"},
        rejects={"bad_truth": 2},
    ),
    Case(
        "a truth of an undeclared class",
        lines("labels.csv", "uid,outcome,truth", *(f"{row},a" for row in CLASSES), "q1,a,z", "q2,b,"),
        {"classes": ["a", "b", "c"]},
        table="labels",
        scan={**MULTINOMIAL, "notion": "equal_odds"},
        rejects={"bad_truth": 1},
    ),
    Case(
        "equal odds without a truth",
        lines("labels.csv", "uid,outcome", "p0,1", "p1,0"),
        table="labels",
        scan={"notion": "equal_odds"},
        error=E.MissingColumnsError,
        says="truth",
    ),
    Case(
        "residuals without a truth",
        lines("labels.csv", "uid,outcome", *VALUES),
        table="labels",
        scan={**NORMAL, "outcome": "residual"},
        error=E.MissingColumnsError,
        says="truth",
    ),
    Case(
        "a stratum column that is not there",
        lines("labels.csv", "uid,outcome", "p0,1", "p1,0"),
        {"columns": {"stratum": "region"}},
        table="labels",
        error=E.MissingColumnsError,
        says="region",
    ),
    Case(
        "one person in two strata",
        lines("labels.csv", "uid,outcome,region", "p0,1,n", "p1,0,s", "p1,0,n", "p2,1,n"),
        {"columns": {"stratum": "region"}},
        table="labels",
        rejects={"conflicting_label": 2},
    ),
]
