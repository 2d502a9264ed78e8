"""Configuration: one pydantic model per step, units in the field names."""
