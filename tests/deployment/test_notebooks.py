"""Notebooks run from the first cell to the last, with the session that is given to them."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
SEPARATOR = "# COMMAND ----------"


def cells(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split(SEPARATOR)


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.py")), ids=lambda path: path.name)
def test_a_notebook_is_thin_and_in_databricks_source_format(path):
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first == "# Databricks notebook source"
    code = [
        line
        for cell in cells(path)
        for line in cell.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    assert len(code) < 40
    assert not any(line.startswith(("def ", "class ")) for line in code)


def test_the_city_is_audited(spark, tmp_path, capsys):
    heading, parameters, *rest = cells(NOTEBOOKS / "01_audit_city.py")
    names = {"spark": spark}
    exec(parameters, names)
    names |= {"output": str(tmp_path / "run"), "people": 400, "days": 2}
    for cell in rest:
        exec(compile(cell, "01_audit_city.py", "exec"), names)
    assert names["result"].verdict.significant in (True, False)
    assert "planted pattern" in capsys.readouterr().out.splitlines()[-1]
    assert (tmp_path / "run" / "verdict.txt").is_file()
