"""Fixtures that every test may use: one Spark session for the whole run, and the folder of shared data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"

# The first example of a property may compile its kernel: time says nothing about it.
settings.register_profile("movfair", deadline=None)
settings.load_profile("movfair")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that asks for a Spark session, so that they can be chosen by mark."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A local session with Sedona, in UTC, without a UI, with few partitions."""
    from movfair_spark.session.spark import local_session

    scratch = tmp_path_factory.mktemp("spark")
    session = local_session(
        cores=2,
        memory="2g",
        settings={
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.default.parallelism": "2",
            # Tests run each plan once or twice, on a few rows: compiling would take most of the time. The slow tests,
            # the notebooks and the README's commands run with Spark's own settings.
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.warehouse.dir": str(scratch / "warehouse"),
            "spark.local.dir": str(scratch / "local"),
        },
    )
    yield session
    session.stop()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real data and known answers; absent on a user's machine, required in CI."""
    if not SHARED_DATA.is_dir():
        reason = "the folder ../shared/data with real data is not beside this checkout"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return SHARED_DATA
