"""Every bad input ends with its error or its rejects: no stack trace, no wrong table."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from movfair_spark import errors
from movfair_spark.config.input import InputConfig, LabelsConfig
from movfair_spark.config.notion import NotionConfig
from movfair_spark.readers import read_input, read_labels, reading
from movfair_spark.tables.rejects import REASONS
from tests.bad_input import CASES, Case, write_good


def rejects_of(spark, case: Case, folder) -> dict[str, int]:
    section = case.section(folder)
    if case.table == "labels":
        counts = read_labels(spark, LabelsConfig(**section), notion=NotionConfig(**case.scan)).counts()
        assert counts["read"] == sum(counts.values()) - counts["read"]
        return {reason: rows for reason, rows in counts.items() if reason in REASONS.values()}
    with reading(spark, section["path"]):
        ingest = read_input(spark, InputConfig(**section))
        rows = ingest.frame.select("reason").collect()
    return dict(Counter(REASONS[row["reason"]] for row in rows if row["reason"]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input(spark, tmp_path, case: Case):
    write_good(tmp_path)
    for name in ("points.csv", "labels.csv"):
        if name.startswith("points" if case.table == "input" else "labels"):
            (tmp_path / name).unlink()
    case.write(tmp_path)
    if case.error is None:
        assert rejects_of(spark, case, tmp_path) == dict(case.rejects)
        return
    with pytest.raises(errors.MovfairError) as raised:
        rejects_of(spark, case, tmp_path)
    assert isinstance(raised.value, case.error)
    assert case.says in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not re.search(r"41\.89|12\.49", str(raised.value)), "a person's coordinates in a message"


def test_there_are_at_least_forty_cases():
    assert len(CASES) >= 40
    assert len({case.name for case in CASES}) == len(CASES)
