"""From stops to the few cells that matter in a person's life (paper section 4.3)."""

from __future__ import annotations

from pydantic import Field

from movfair_spark.config.base import Section


class CellsetsConfig(Section):
    """How many of a person's cells are kept; more than 20 would make 2^20 subsets of one person."""

    top_cells: int = Field(default=8, ge=1, le=20)
