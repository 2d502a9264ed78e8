"""A run folder on a file system that is not the local one (a view of it, with its own scheme and FileContext)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from movfair_spark.runs import Attempt, Run, Step
from movfair_spark.session.filesystem import FileSystem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONF = "fs.viewfs.mounttable.movfair.link./data"


def test_steps_records_lock_and_publishing(spark: SparkSession, tmp_path: Path) -> None:
    spark._jsc.hadoopConfiguration().set(CONF, tmp_path.as_uri())
    done = []

    def work(attempt: Attempt) -> None:
        done.append(attempt.folder)
        attempt.write_text("a.txt", "1")
        attempt.write_text("a.txt", "2")
        attempt.write("numbers", spark.range(3))

    for _ in range(2):
        with Run(spark, "viewfs://movfair/data/run", ("a",)) as run:
            run.execute(Step("a", 1, dict, lambda: ["k"], work, ("a.txt", "numbers")))
            run.publish({"steps": [], "published": run.published_names()})
    assert len(done) == 1
    assert done[0].startswith("viewfs:")
    assert (tmp_path / "run" / "a.txt").read_text() == "2"
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["published"] == [
        "a.txt",
        "numbers",
        "manifest.json",
    ]
    assert not (tmp_path / "run" / "run.lock").exists()


def test_it_is_no_local_path(spark: SparkSession, tmp_path: Path) -> None:
    spark._jsc.hadoopConfiguration().set(CONF, tmp_path.as_uri())
    files = FileSystem(spark)
    assert files.local_path("viewfs://movfair/data") is None
    assert files.local_path(str(tmp_path)) == tmp_path
