"""The base of every configuration model: frozen, and unknown keys are refused."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A frozen group of settings. Units stand in the field names; shares are decimals between 0 and 1."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False)
