"""Reasons for which a row is set aside, and what each of them means.

A code travels with the row (``reason`` column, 0 = fine) so that rows read, kept and rejected are all counted
in one pass. ``duplicate`` and ``merged`` are no rejects: such rows count in the row that was kept.
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
    20: "null_outcome",
    21: "bad_outcome",
    22: "conflicting_label",
    23: "null_truth",
    24: "null_stratum",
    25: "bad_weight",
}
CODES: dict[str, int] = {name: code for code, name in REASONS.items()}
