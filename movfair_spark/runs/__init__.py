"""Execution of steps: keys, attempts, records, resume, the run folder's lock, publishing and the manifest.

The only layer that decides where tables lie. Everything goes through Hadoop's FileSystem, so a run folder is any
path that Spark can write.
"""

from movfair_spark.runs.run import Run
from movfair_spark.runs.step import Attempt, Finished, Step

__all__ = ["Attempt", "Finished", "Run", "Step"]
