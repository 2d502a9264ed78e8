"""Outcome models: one file each with statistic, bound, counting and evidence columns."""
