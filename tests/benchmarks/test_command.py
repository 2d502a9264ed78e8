"""The command under measurement: steps, disk."""

from __future__ import annotations

import json
import time

from benchmarks.command import Disk, audit, size, steps_of
from benchmarks.harness import Usage
from tests.cli import tiny


def test_memory_and_shuffle_belong_to_the_step_in_which_they_were_met(tmp_path):
    usage, now = Usage(), time.monotonic()
    epoch = time.time() - now
    usage.samples = [(now - 9.0, 2**30), (now - 4.0, 3 * 2**30)]
    log = [
        {
            "Event": "SparkListenerTaskEnd",
            "Task Info": {"Finish Time": 1000.0 * (epoch + now - ago)},
            "Task Metrics": {"Shuffle Write Metrics": {"Shuffle Bytes Written": written}},
        }
        for ago, written in ((8.0, 10), (3.0, 100), (2.0, 1000))
    ]
    (tmp_path / "app").write_text("\n".join(json.dumps(event) for event in log))
    step = {"rows": {}, "reused": False}
    manifest = {
        "steps": [{"step": "stops", "seconds": 4.0, **step}, {"step": "null", "seconds": 5.0, **step}]
    }
    first, second = steps_of(manifest, {"stops": now - 6.0, "null": now - 1.0}, usage, tmp_path)
    assert (first.name, first.peak_gib, first.shuffled_bytes) == ("stops", 1.0, 10)
    assert (second.name, second.peak_gib, second.shuffled_bytes) == ("null", 3.0, 1100)


def test_disk_counts_files_below_all_folders(tmp_path):
    for name, length in (("a", 10), ("b", 5)):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "deep" / "file").write_bytes(b"x" * length)
    assert size(tmp_path) == 15
    with Disk(tmp_path / "a", tmp_path / "b") as disk:
        pass
    assert disk.peak_bytes == 15


def test_a_run_of_the_command_is_measured_step_by_step(tmp_path):
    config = tiny.write(tmp_path)
    found = audit(tmp_path, "--config", str(config), "--until", "cellsets", memory="1g")
    assert [step.name for step in found.steps] == ["stops", "cellsets"]
    assert found.steps[0].rows["stops"] == 160
    assert found.steps[0].shuffled_bytes > 0
    assert all(0 < step.peak_gib < 8 and 0 < step.seconds < found.usage.seconds for step in found.steps)
    assert found.usage.cpu_seconds > 1
    assert found.disk_bytes > 0
