"""Workers of a local session fork from a process that has made the imports, without archives on its search path."""

from __future__ import annotations

import sys

import pytest

from movfair_spark.session.daemon import without_archives


@pytest.fixture
def found(spark):
    def look(_):
        import sys

        return [(sorted(sys.modules), sys.path, list(sys.path_importer_cache))]

    return spark.sparkContext.parallelize([1], 1).mapPartitions(look).collect()[0]


def test_a_worker_has_the_heavy_modules_before_its_first_task(found):
    assert {"numba", "pyarrow.compute", "pandas"} <= set(found[0])


def test_a_worker_searches_no_archive_before_its_tasks(found):
    assert not [entry for entry in (*found[1], *found[2]) if ".jar" in entry or ".zip" in entry]


def test_archives_and_what_was_found_in_them_are_taken_off_the_path(monkeypatch):
    monkeypatch.setattr(sys, "path", ["/a", "/b/pyspark.zip", "/c/spark-core.jar"])
    monkeypatch.setattr(sys, "path_importer_cache", {"/a": None, "/b/pyspark.zip/pyspark": None})
    without_archives()
    assert (sys.path, sys.path_importer_cache) == (["/a"], {"/a": None})
