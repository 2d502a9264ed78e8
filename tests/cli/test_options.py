"""A command is made of a class of options."""

from __future__ import annotations

import typer
from typer.testing import CliRunner

from movfair_spark.cli.options import AuditOptions, Common, command


def given(*arguments: str, **fixed: object) -> tuple[int, list[Common]]:
    """Exit code of a command that answers 3, and the options that it got."""
    seen: list[Common] = []

    def body(options: AuditOptions) -> int:
        seen.append(options)
        return 3

    app = typer.Typer()
    app.command()(command(AuditOptions, body, "Help.", **fixed))
    return CliRunner().invoke(app, list(arguments)).exit_code, seen


def test_left_out_options_have_their_defaults_and_the_body_gives_the_exit_code():
    assert given() == (3, [AuditOptions()])


def test_values_arrive_under_their_names():
    code, seen = given("--set", "a=1", "--set", "b=2", "--from", "null", "--json", "--cores", "3")
    assert code == 3
    assert seen == [AuditOptions(pairs=["a=1", "b=2"], start="null", json=True, cores="3")]


def test_a_fixed_option_is_not_offered_and_has_its_value():
    assert given(until="stops") == (3, [AuditOptions(until="stops")])
    assert given("--until", "null", until="stops") == (2, [])
