"""Examples under docs/: the Airflow DAG and the Databricks bundle name steps, jars and settings that exist."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from movfair_spark import __version__
from movfair_spark.session.versions import LINES

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


class Task:
    """Stands in for Airflow's operator, which is not installed here."""

    every: list[Task] = []

    def __init__(self, **arguments):
        self.arguments = arguments
        self.after: Task | None = None
        Task.every.append(self)

    def __rshift__(self, other: Task) -> Task:
        other.after = self
        return other


class Dag:
    def __init__(self, **arguments):
        self.arguments = arguments

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


@pytest.fixture
def tasks(monkeypatch) -> list[Task]:
    stand_ins = {
        "airflow": {},
        "airflow.sdk": {"DAG": Dag},
        "airflow.providers": {},
        "airflow.providers.apache": {},
        "airflow.providers.apache.spark": {},
        "airflow.providers.apache.spark.operators": {},
        "airflow.providers.apache.spark.operators.spark_submit": {"SparkSubmitOperator": Task},
        "pendulum": {"datetime": lambda *_, **__: None},
    }
    for name, content in stand_ins.items():
        module = ModuleType(name)
        module.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, module)
    Task.every = []
    text = (EXAMPLES / "airflow_dag.py").read_text(encoding="utf-8")
    exec(compile(text, "airflow_dag.py", "exec"), {})
    return Task.every


def test_airflow_has_one_task_per_step_in_their_order(tasks):
    from movfair_spark.audits.movement import STEPS

    on_request = {"city", "points", "candidates"}
    assert [task.arguments["task_id"] for task in tasks] == [
        s.name for s in STEPS if s.name not in on_request
    ]
    assert [task.after for task in tasks] == [None, *tasks[:-1]]
    for task in tasks:
        step = task.arguments["task_id"]
        assert task.arguments["application_args"][-4:] == ["--from", step, "--until", step]


def test_airflow_names_the_jars_of_the_coordinate_table(tasks):
    for task in tasks:
        names = [Path(jar).name for jar in task.arguments["jars"].split(",")]
        assert names == [jar.filename for jar in LINES["3.5"].jars]
        assert task.arguments["py_files"].endswith(f"movfair_spark-{__version__}.zip")


@pytest.fixture
def job() -> dict:
    text = (EXAMPLES / "databricks.yml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["resources"]["jobs"]["audit"]


def test_databricks_installs_the_jars_of_the_coordinate_table(job):
    libraries = job["tasks"][0]["libraries"]
    coordinates = [library["maven"]["coordinates"] for library in libraries if "maven" in library]
    assert coordinates == [jar.coordinate for jar in LINES["3.5"].jars]


def test_databricks_sets_what_a_session_of_ours_sets(job):
    from movfair_spark.session.spark import SEDONA
    from movfair_spark.session.static import NUMBA_CACHE, NUMBA_CACHE_DIR

    settings = job["job_clusters"][0]["new_cluster"]["spark_conf"]
    assert settings == {**SEDONA, "spark.sql.session.timeZone": "UTC", NUMBA_CACHE: NUMBA_CACHE_DIR}


def test_databricks_calls_the_command_of_the_wheel(job):
    task = job["tasks"][0]["python_wheel_task"]
    assert (task["package_name"], task["entry_point"], task["parameters"][0]) == (
        "movfair_spark",
        "movfair",
        "audit",
    )
