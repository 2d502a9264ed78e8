"""The process from which Spark forks its Python workers, in local mode (``spark.python.daemon.module``).

Spark's own daemon forks empty workers. Each then imports NumPy, Numba and Arrow by itself; and before and after every
task, Spark reads the directories of its own zip and jar files again (``importlib.invalidate_caches``) and collects
garbage over everything that was imported: 0.1 to 0.2 s of CPU time per task, ten times what a small task does. Here
the imports are made once, what they left is taken out of the collector, and pyspark comes from the installed package,
not from the zip file. Nothing of it changes what a worker computes.
"""

from __future__ import annotations

import gc
import importlib
import sys

HEAVY = ("numpy", "pandas", "pyarrow.compute", "pyarrow.parquet", "numba", "pyspark.worker")
_ARCHIVES = (".zip", ".jar")


def without_archives() -> None:
    """Take zip and jar files off the search path, and the importers that were made for them."""
    sys.path[:] = [entry for entry in sys.path if not entry.endswith(_ARCHIVES)]
    for entry in [name for name in sys.path_importer_cache if any(end in name for end in _ARCHIVES)]:
        del sys.path_importer_cache[entry]


def prepare() -> None:
    """Import what every worker needs, and make it permanent for the garbage collector."""
    without_archives()
    for name in HEAVY:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    prepare()
    from pyspark.daemon import manager

    manager()
