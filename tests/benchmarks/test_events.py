"""What is read out of an event log, from events written by hand."""

from __future__ import annotations

import json

from benchmarks.events import Stage, Task, events, stages, tasks

LOG = [
    {"Event": "SparkListenerJobStart", "Stage IDs": [0, 1], "Properties": {"spark.job.description": "stops"}},
    {
        "Event": "SparkListenerStageCompleted",
        "Stage Info": {"Stage ID": 0, "Submission Time": 1000, "Completion Time": 4500},
    },
    {
        "Event": "SparkListenerTaskEnd",
        "Task Info": {"Finish Time": 4400},
        "Task Metrics": {"Shuffle Write Metrics": {"Shuffle Bytes Written": 70}, "Disk Bytes Spilled": 5},
    },
    {"Event": "SparkListenerTaskEnd", "Task Info": {"Finish Time": 4800}},
    {"Event": "SparkListenerJobStart", "Stage IDs": [1, 2]},
    {
        "Event": "SparkListenerStageCompleted",
        "Stage Info": {"Stage ID": 1, "Submission Time": 5000, "Completion Time": 5250},
    },
    {"Event": "SparkListenerStageCompleted", "Stage Info": {"Stage ID": 2, "Submission Time": 6000}},
]


def test_stages_have_the_description_of_the_first_job_that_names_them():
    assert list(stages(LOG)) == [Stage("stops", 3.5), Stage("stops", 0.25)]


def test_a_failed_task_has_no_metrics():
    assert list(tasks(LOG)) == [Task(4.4, 70, 5), Task(4.8, 0, 0)]


def test_all_files_of_a_folder_are_read_but_hidden_ones(tmp_path):
    (tmp_path / "app-1").write_text(json.dumps(LOG[0]) + "\n")
    (tmp_path / "app-2").write_text(json.dumps(LOG[1]) + "\n")
    (tmp_path / ".app-2.crc").write_text("checksum")
    assert events(tmp_path) == LOG[:2]
