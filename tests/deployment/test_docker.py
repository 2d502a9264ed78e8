"""The image and the cluster cannot be started where tests run; their versions and wiring are checked instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from movfair_spark import __version__
from movfair_spark.session.versions import LINES, line_of

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))


def locked(package: str) -> str:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return re.search(rf"^{package}==(\S+)", lock, flags=re.M)[1]


def argument(name: str) -> str:
    return re.search(rf"^ARG {name}=(\S+)$", DOCKERFILE, flags=re.M)[1]


def test_the_image_has_the_locked_spark_and_a_java_of_the_coordinate_table():
    spark, java = re.search(
        r"^FROM apache/spark:\$\{(\w+)\}-scala2\.12-java(\d+)-ubuntu$", DOCKERFILE, flags=re.M
    ).groups()
    assert argument(spark) == locked("pyspark")
    line = line_of(argument(spark))
    assert int(java) in line.java
    assert "_2.12" in line.jars[0].name


def test_uv_has_the_version_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert argument("UV_VERSION") == re.search(r"^UV_VERSION := (\S+)$", makefile, flags=re.M)[1]


def test_every_base_image_has_a_fixed_version():
    tags = re.findall(r"^FROM (\S+)", DOCKERFILE, flags=re.M)
    assert len(tags) == 2
    assert all(":" in tag and "latest" not in tag for tag in tags)


def test_the_container_does_not_run_as_root():
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, flags=re.M) == ["root", "spark"]


def test_what_is_copied_exists():
    for sources in re.findall(r"^COPY (?!--from)(.*)", DOCKERFILE, flags=re.M):
        for source in sources.split()[:-1]:
            assert (ROOT / source).exists(), source


@pytest.mark.parametrize("service", ["master", "worker", "submit"])
def test_all_services_share_the_image_its_versions_and_the_volumes(service):
    content = COMPOSE["services"][service]
    assert content["image"] == f"movfair_spark:{__version__}"
    assert content["build"]["args"] == {name: argument(name) for name in ("SPARK_VERSION", "UV_VERSION")}
    assert content["volumes"] == ["data:/data", "events:/events"]
    assert set(COMPOSE["volumes"]) == {"data", "events"}


def test_the_audit_is_submitted_with_the_static_settings_and_an_event_log():
    command = COMPOSE["services"]["submit"]["command"][-1]
    assert "$$(movfair spark-args)" in command  # one $ would be compose's own
    assert "spark.eventLog.dir=file:///events" in command
    job, config = re.search(r"/opt/src/(jobs/\S+) --config /opt/src/(\S+)", command).groups()
    assert (ROOT / job).is_file()
    assert (ROOT / config).is_file()


def test_the_address_of_the_master_is_the_same_everywhere():
    services = COMPOSE["services"]
    assert services["master"]["command"][-4:] == ["--host", "master", "--port", "7077"]
    assert services["worker"]["command"][-1] == "spark://master:7077"
    assert "--master spark://master:7077" in services["submit"]["command"][-1]


def test_the_spark_line_of_the_image_is_the_default_one():
    assert list(LINES)[0] == ".".join(argument("SPARK_VERSION").split(".")[:2])
