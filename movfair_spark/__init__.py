"""Audit predictive models for unfairness tied to where people move, on Spark and Sedona.

``audit(points, labels, config)`` answers whether people with certain movement patterns are treated differently,
where, and with what certainty. ``spatial(data, config)`` asks the same of people with one fixed place each,
``error_parity(data, config)`` whether a regression model's errors are distributed alike in all groups. See the README for the meaning of every number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from movfair_spark.audits.error_parity import ErrorParity, error_parity
    from movfair_spark.audits.movement import Audit, audit
    from movfair_spark.audits.spatial import Spatial, spatial

__version__ = "0.1.0"
__all__ = ["Audit", "ErrorParity", "Spatial", "__version__", "audit", "error_parity", "spatial"]


def __getattr__(name: str) -> Any:
    # Kernels, configuration and errors can be imported without pyspark; the audit needs it.
    if name in {"Audit", "audit"}:
        from movfair_spark.audits import movement

        return getattr(movement, name)
    if name in {"ErrorParity", "error_parity"}:
        from movfair_spark.audits import error_parity

        return getattr(error_parity, name)
    if name in {"Spatial", "spatial"}:
        from movfair_spark.audits import spatial

        return getattr(spatial, name)
    raise AttributeError(f"module 'movfair_spark' has no attribute '{name}'")
