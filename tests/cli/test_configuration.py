"""Mistakes in a configuration: one line, exit code 2, before Spark is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from movfair_spark.cli import command, sessions
from movfair_spark.cli.main import main

CASES = [
    ("scan: {alhpa: 0.05}", "unknown key 'scan.alhpa'", "'alpha'"),
    ("stops: {radius: 50}", "unknown key 'stops.radius'", "'radius_m'"),
    ("cellset: {top_cells: 8}", "unknown key 'cellset'", "'cellsets'"),
    ("stops: {radius_m: -1}", "stops.radius_m = -1", "greater than 0"),
    ("stops: {radius_m: 0}", "stops.radius_m = 0", "greater than 0"),
    ("stops: {radius_m: .nan}", "stops.radius_m = nan", ""),
    ("stops: {radius_m: .inf}", "stops.radius_m = inf", ""),
    ("stops: {min_minutes: 0}", "stops.min_minutes = 0", "greater than 0"),
    ("stops: {engine: flink}", "stops.engine = 'flink'", "'kernel' or 'sedona'"),
    ("zonings: {layers: [{kind: square, size_m: [0]}]}", "size_m", "greater than 0"),
    ("zonings: {layers: [{kind: square, size_m: []}]}", "size_m = []", "at least 1"),
    ("zonings: {layers: []}", "zonings.layers = []", "at least 1"),
    ("zonings: {layers: [{kind: hexagon}]}", "hexagon", "'square'"),
    ("zonings: {layers: [{kind: polygons}]}", "path", "required"),
    ("zonings: {max_cell_share: 1.5}", "zonings.max_cell_share = 1.5", "less than or equal to 1"),
    ("cellsets: {top_cells: 0}", "cellsets.top_cells = 0", "greater than or equal to 1"),
    ("cellsets: {top_cells: 21}", "cellsets.top_cells = 21", "less than or equal to 20"),
    ("scan: {alpha: 0}", "scan.alpha = 0", "greater than 0"),
    ("scan: {alpha: 1}", "scan.alpha = 1", "less than 1"),
    ("scan: {n_simulations: 0}", "scan.n_simulations = 0", "greater than or equal to 1"),
    ("scan: {n_simulations: 9, alpha: 0.01}", "n_simulations = 9", "at least 99 simulations"),
    ("scan: {seed: -1}", "scan.seed = -1", "greater than or equal to 0"),
    ("scan: {direction: up}", "scan.direction = 'up'", "'both', 'high' or 'low'"),
    ("scan: {n_simulations: many}", "scan.n_simulations = 'many'", "integer"),
    ("time_zone: Europe/Roma", "time_zone = 'Europe/Roma'", "IANA"),
    ("city: {people: 0}", "city.people = 0", "greater than or equal to 1"),
    ("- a\n- b", "holds a list", "not keys with values"),
    ("scan: {seed: 1, seed: 2}", "'seed' stands twice", "Remove one"),
    ("scan: {alpha: 0.05", "is no YAML", ""),
]


@pytest.fixture(autouse=True)
def _without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a session was opened")

    monkeypatch.setattr(sessions, "opened", refuse)
    monkeypatch.setattr(command, "redirected", refuse)


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("movfair: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(("text", "problem", "allowed"), CASES, ids=[case[0] for case in CASES])
def test_a_bad_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, problem: str, allowed: str
) -> None:
    file = tmp_path / "audit.yaml"
    file.write_text(text)
    told = _refused(capsys, "audit", "--config", str(file), "--output", str(tmp_path / "run"))
    assert problem in told
    assert allowed in told
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        ("scan.alhpa=1", "Did you mean 'alpha'"),
        ("scan.alpha", "no key=value"),
        ("=1", "no key=value"),
        ("scan.alpha.x=1", "scan.alpha"),
        ("scan.alpha=[", "no YAML value"),
        ("scan.alpha=2", "scan.alpha = 2"),
    ],
)
def test_a_bad_set(tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, told: str) -> None:
    assert told in _refused(capsys, "audit", "--set", pair, "--output", str(tmp_path / "run"))


def test_no_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--output is missing" in _refused(capsys, "audit")


@pytest.mark.parametrize("command_name", ["audit", "stops", "cellsets", "candidates", "scan"])
def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], command_name: str) -> None:
    assert "nowhere.yaml does not exist" in _refused(
        capsys, command_name, "--config", "nowhere.yaml", "--output", "x"
    )


def test_a_folder_as_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be read" in _refused(capsys, "audit", "--config", str(tmp_path), "--output", "x")


def test_a_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00a")
    assert "not UTF-8" in _refused(capsys, "audit", "--config", str(tmp_path / "a.yaml"), "--output", "x")


def test_an_unknown_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--ouput", "x"]) == 2
    assert "--output" in capsys.readouterr().err


def test_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audti"]) == 2
    assert capsys.readouterr().out == ""


def test_set_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from movfair_spark.cli.configuration import load
    from movfair_spark.config.audit import AuditConfig

    (tmp_path / "a.yaml").write_text("scan: {alpha: 0.05, seed: 4}")
    resolved = load(AuditConfig, str(tmp_path / "a.yaml"), ["scan.alpha=0.1", "stops.radius_m=75"])
    assert (resolved.scan.alpha, resolved.scan.seed, resolved.stops.radius_m) == (0.1, 4, 75.0)


@pytest.mark.parametrize("name", ["base.yaml", "paper.yaml", "city.yaml"])
def test_the_packages_own_files_are_found_by_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from movfair_spark.cli.configuration import load
    from movfair_spark.config.audit import AuditConfig

    monkeypatch.chdir(tmp_path)
    load(AuditConfig, name)
    load(AuditConfig, f"conf/{name}")
