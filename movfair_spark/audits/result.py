"""The answer of an audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from movfair_spark.report.verdict import Verdict

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Audit:
    """What an audit found. Tables are None when the audit ended before their step.

    Attributes
    ----------
    verdict : Verdict or None
        ``significant``, ``text``, ``data``.
    evidence : DataFrame or None
        One row per zoning and set of members, with its geometry.
    null_distribution : DataFrame or None
        The simulated maxima.
    cellsets : DataFrame or None
        The ranked cells of every person in every zoning.
    manifest : mapping
        What was asked, what went in, what came out (strict JSON values).
    output : str
        The run folder, qualified.
    tables : mapping of str to DataFrame
        All tables that steps wrote, by name.
    """

    verdict: Verdict | None
    evidence: DataFrame | None
    null_distribution: DataFrame | None
    cellsets: DataFrame | None
    manifest: Mapping[str, Any]
    output: str
    tables: Mapping[str, DataFrame] = field(default_factory=dict, repr=False)

    def summary(self) -> dict[str, Any]:
        """Give the verdict and where the files are, for machines."""
        return {
            "verdict": None if self.verdict is None else self.verdict.as_json(),
            "output": self.output,
            "published": list(self.manifest["published"]),
            "rows": self.manifest["rows"],
        }
