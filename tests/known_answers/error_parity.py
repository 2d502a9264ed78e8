"""Error parity: Anderson-Darling of Scholz & Stephens and R's kSamples, and values computed again by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from movfair_spark.audits.error_parity import ErrorParity, error_parity

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FOLDER = Path("scan") / "ad_ksample_scholz_stephens"
CONFIG = {
    "prediction": "value",
    "groups": ["group"],
    "errors": ["prediction_only"],
    "permutations": 20_000,
    "pair_permutations": 100_000,
    "bootstrap_draws": 100,
    "max_groups": 20,
}


def half_unit(text: str) -> float:
    """Half a unit of the last printed digit."""
    mantissa, _, exponent = text.partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) * (1 + 1e-9)


def audit(spark: SparkSession, samples: list[list[float]], **more: Any) -> ErrorParity:
    """Run the audit on values per group."""
    rows = [(value, f"g{i:02d}") for i, sample in enumerate(samples) for value in sample]
    frame = pd.DataFrame(rows, columns=["value", "group"])
    return error_parity(frame, {**CONFIG, **more}, spark=spark)


def case(name: str, source: str, expected: Any, ours: Any, tolerance: float) -> dict[str, Any]:
    """One line of the validation report."""
    return {
        "case": f"error parity: {name}",
        "source": source,
        "expected": expected,
        "ours": ours,
        "tolerance": tolerance,
    }


def cases(data: Path, spark: SparkSession) -> Iterator[dict[str, Any]]:
    """All known answers of this part."""
    yield from _published(data, spark)
    yield from _exact(spark)
    yield from _moments(spark)


def _published(data: Path, spark: SparkSession) -> Iterator[dict[str, Any]]:
    # Numbers as they are printed: the last digit says how precise they are.
    text = (data / FOLDER / "ad_ksample.json").read_text(encoding="utf-8")
    content = json.loads(text, parse_float=str, parse_int=str)
    for name in ("example1_lehmann_paper_smoothness", "example2_air_conditioning_14_samples"):
        samples = [[float(x) for x in sample] for sample in content[name]["samples"]]
        found = audit(spark, samples, permutations=999).tests.first()  # type: ignore[union-attr]
        printed = content[name]["T_midrank"]
        yield case(
            f"{name}, T", "Scholz & Stephens 1987", float(printed), found["standardised"], half_unit(printed)
        )
        number = name[7]
        p = float(content[f"scipy_1.17.1_e{number}_midrank"]["p_interp"])
        yield case(f"{name}, approximate p", "scipy 1.17.1", p, found["approximation"], 1e-9)
    for shift in content["R_kSamples_1.2-6_r1=1..100_vs_r1+shift"]:
        if "T_v2" in shift:
            samples = [[float(x) for x in range(1, 101)], [x + float(shift["shift"]) for x in range(1, 101)]]
            found = audit(spark, samples, permutations=99, pair_permutations=999).tests.first()  # type: ignore[union-attr]
            tolerance = half_unit(shift["T_v2"])
            yield case(
                f"shift {shift['shift']}, T",
                "R kSamples 1.2-6",
                float(shift["T_v2"]),
                found["standardised"],
                tolerance,
            )


def _exact(spark: SparkSession) -> Iterator[dict[str, Any]]:
    for n, shift, t, exact in (
        (4, 0, -1.639945, 1.0),
        (6, 100, 5.758347, 2 / 924),
        (8, 100, 7.811887, 2 / 12870),
        (4, 10, 3.686606, 2 / 70),
    ):
        samples = [[float(x) for x in range(1, n + 1)], [float(x + shift) for x in range(1, n + 1)]]
        found = audit(spark, samples).tests.first()  # type: ignore[union-attr]
        name = f"1..{n} and the same + {shift}"
        yield case(f"{name}, T", "fractions (scipy #9527)", t, found["standardised"], 5e-7)
        yield case(f"{name}, p", "all labelings enumerated", exact, found["p_value"], 1e-15)
    pairs = audit(spark, [[9.0] * 4, [1.0] * 2]).pairs
    assert pairs is not None
    found_p = {row["moment"]: row["p_value"] for row in pairs.collect()}
    yield case(
        "9, 9, 9, 9 and 1, 1: p of the mean",
        "simple-statistics #804, by hand",
        1 / 15,
        found_p["mean"],
        1e-15,
    )
    yield case(
        "9, 9, 9, 9 and 1, 1: p of the variance",
        "simple-statistics #804, by hand",
        1.0,
        found_p["variance"],
        0.0,
    )


def _moments(spark: SparkSession) -> Iterator[dict[str, Any]]:
    samples = [
        [3000000000, 3000000007, 3000000014],
        [0, 60000, 120000, 180000, 600000],
        [1000000, 1000001, 1000002, 1000007],
    ]
    groups = audit(spark, samples).groups  # type: ignore[arg-type]
    assert groups is not None
    rows = {row["group"]: row for row in groups.collect()}
    yield case(
        "variance of 3000000000, +7, +14", "fractions (scipy #7759)", 98 / 3, rows["g00"]["variance"], 1e-9
    )
    yield case(
        "kurtosis of 3000000000, +7, +14", "fractions (scipy #7759)", -1.5, rows["g00"]["kurtosis"], 1e-12
    )
    for group, expected in (("g01", [1.209900, -0.124001]), ("g02", [0.922073, -0.839477])):
        ours = [rows[group]["skewness"], rows[group]["kurtosis"]]
        yield case(
            f"skewness and kurtosis of {group}",
            "fractions (numpy #20634, pandas #11974)",
            expected,
            ours,
            5e-7,
        )
