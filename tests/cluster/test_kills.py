"""Kills and interruptions of the driver: the same command goes on after the last finished step."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cluster.conftest import movfair
from tests.cluster.standalone import LIMIT_S, wait_for
from tests.cluster.tables import same_bits

pytestmark = pytest.mark.slow


def _begun(run: Path, step: str) -> bool:
    """Whether a step has an attempt and no record."""
    attempts = [path for path in run.glob(f"steps/{step}/*/*") if path.is_dir()]
    return bool(attempts) and not list(run.glob(f"steps/{step}/*/record.json"))


def _lines(err: bytes) -> dict[str, bool]:
    """Step to whether it was found finished."""
    lines = [line for line in err.decode().splitlines() if line]
    return {line.split()[0]: "found finished" in line for line in lines}


def test_the_streams_of_an_undisturbed_run(reference: tuple[Path, str, str]) -> None:
    run, out, err = reference
    assert out.startswith("UNFAIR")
    assert [line.split()[0] for line in err.splitlines()] == [
        "stops",
        "cellsets",
        "population",
        "null",
        "evidence",
        "report",
    ]
    assert "WARN" in (run / "movfair.log").read_text()
    assert not (run / "run.lock").exists()


@pytest.mark.parametrize("step", ["cellsets", "null"])
def test_after_sigkill_the_same_command_resumes(
    configuration: Path, reference: tuple[Path, str, str], tmp_path: Path, step: str
) -> None:
    run = tmp_path / "run"
    command = ("audit", "--config", str(configuration), "--output", str(run))
    process = movfair(*command)
    wait_for(f"attempt at {step}", lambda: _begun(run, step), seconds=600, every=0.02)
    process.kill()
    process.communicate(timeout=60)
    assert _begun(run, step)
    # At once: the JVM of the dead driver may still be deleting what it wrote.
    second = movfair(*command)
    _, err = second.communicate(timeout=LIMIT_S)
    assert second.returncode == 0, err.decode()
    found = _lines(err)
    assert found["stops"] and not found[step] and not found["evidence"]
    same_bits(reference[0], run)
    attempts = [path for path in run.glob(f"steps/{step}/*/*") if path.is_dir()]
    assert len(attempts) == 1, "attempts without a record are deleted"


def test_until_and_then_the_whole(
    configuration: Path, reference: tuple[Path, str, str], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    command = ("audit", "--config", str(configuration), "--output", str(run))
    for options in (("--until", "cellsets"), ()):
        process = movfair(*command, *options)
        _, err = process.communicate(timeout=LIMIT_S)
        assert process.returncode == 0, err.decode()
    assert _lines(err)["cellsets"]
    same_bits(reference[0], run)


def test_ctrl_c_ends_cleanly(configuration: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = movfair("audit", "--config", str(configuration), "--output", str(run))
    wait_for("attempt at cellsets", lambda: _begun(run, "cellsets"), seconds=600, every=0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=90)
    assert process.returncode == 130
    assert out == b""
    assert b"movfair: interrupted" in err
    assert b"Traceback" not in err
    assert not (run / "run.lock").exists()
