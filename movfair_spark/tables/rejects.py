"""Reasons for which a row is set aside, and what each of them means.

A code travels with the row (``reason`` column, 0 = fine) so that rows read, kept and rejected are all counted
in one pass. ``duplicate`` and ``merged`` are no rejects: such rows count in the row that was kept.
A row with several faults carries the first of them in the order of :data:`ROW_ORDER`.
"""

from __future__ import annotations

REASONS: dict[int, str] = {
    1: "null_id",
    2: "bad_id",
    3: "null_time",
    4: "bad_time",
    5: "null_coordinate",
    6: "nan_coordinate",
    7: "bad_coordinate",
    8: "coordinate_out_of_range",
    9: "accuracy_over_limit",
    10: "outside_study_area",
    11: "conflicting_position",
    12: "leave_before_arrive",
    13: "ragged_row",
    14: "time_out_of_range",
    15: "null_island",
    16: "bad_accuracy",
    20: "null_outcome",
    21: "bad_outcome",
    22: "conflicting_label",
    23: "null_truth",
    24: "null_stratum",
    25: "bad_weight",
    26: "bad_truth",
}
CODES: dict[str, int] = {name: code for code, name in REASONS.items()}

ROW_ORDER: tuple[str, ...] = (
    "ragged_row",
    "null_id",
    "bad_id",
    "null_time",
    "bad_time",
    "time_out_of_range",
    "leave_before_arrive",
    "null_coordinate",
    "bad_coordinate",
    "nan_coordinate",
    "coordinate_out_of_range",
    "null_island",
    "bad_accuracy",
    "accuracy_over_limit",
    "outside_study_area",
    "null_outcome",
    "bad_outcome",
    "null_truth",
    "bad_truth",
    "null_stratum",
    "bad_weight",
)
"""Order in which the rules that look at one row alone are applied: the first that a row breaks is its reason."""

MEANING: dict[str, str] = {
    "null_id": "no id (empty, blank or null)",
    "bad_id": "an id that is no whole number in its shortest form, or above 64 bits",
    "null_time": "no time",
    "bad_time": "a time that cannot be read in the declared form",
    "null_coordinate": "a coordinate is missing",
    "nan_coordinate": "a coordinate is NaN",
    "bad_coordinate": "a coordinate is no number, or the geometry is no point",
    "coordinate_out_of_range": "a coordinate lies outside the range of the reference system",
    "accuracy_over_limit": "the accuracy is worse than max_accuracy_m",
    "outside_study_area": "the point lies outside the study area",
    "conflicting_position": "the same person at the same time in places too far apart",
    "leave_before_arrive": "the stop ends before it starts",
    "ragged_row": "the row has another number of fields than the header",
    "time_out_of_range": "a time outside min_year..max_year",
    "null_island": "longitude and latitude are both exactly 0, as loggers write when they have no fix",
    "bad_accuracy": "no accuracy, or one that is no number above or equal to 0, where a limit is set",
    "null_outcome": "no outcome",
    "bad_outcome": "an outcome that is neither 0 nor 1, nor one of the declared values",
    "conflicting_label": "a person with two different labels",
    "null_truth": "no truth where the notion needs one",
    "null_stratum": "no stratum where the test needs one",
    "bad_weight": "a weight that is no number above 0",
    "bad_truth": "a truth that is neither 0 nor 1, nor one of the declared values",
}

SCHEMA = "source string, reason string, rows bigint, example string"
"""Columns of the table ``rejects``: one row per source and reason."""
