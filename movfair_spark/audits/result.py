"""The answer of an audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from movfair_spark.report.verdict import Verdict

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What every audit gives back.

    Attributes
    ----------
    manifest : mapping
        What was asked, what went in, what came out (strict JSON values).
    output : str
        The run folder, qualified.
    """

    manifest: Mapping[str, Any]
    output: str

    def summary(self) -> dict[str, Any]:
        """Give the verdict and where the files are, for machines."""
        return {
            "verdict": self.manifest["verdict"],
            "output": self.output,
            "published": list(self.manifest["published"]),
            "rows": self.manifest["rows"],
        }


@dataclass(frozen=True, kw_only=True)
class Audit(Answer):
    """What an audit by movement pattern found. Tables are None when the audit ended before their step.

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
    tables : mapping of str to DataFrame
        All tables that steps wrote, by name.
    manifest, output
        See `Answer`.
    """

    verdict: Verdict | None
    evidence: DataFrame | None
    null_distribution: DataFrame | None
    cellsets: DataFrame | None
    tables: Mapping[str, DataFrame] = field(default_factory=dict, repr=False)
