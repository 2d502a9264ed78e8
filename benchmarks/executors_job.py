"""The job that `benchmarks.executors` submits: audits in one application, the first ones to warm the executors up.

``executors_job.py TURNS OUTPUT ARGUMENTS…``: each turn begins with a small job whose description is ``turn``.
"""

from __future__ import annotations

import sys

from movfair_spark.cli.main import main
from movfair_spark.session.static import submitted_session

if __name__ == "__main__":
    turns, output, *arguments = sys.argv[1:]
    spark = submitted_session()
    for turn in range(int(turns)):
        spark.sparkContext.setJobDescription("turn")
        spark.range(1).collect()
        # Jobs without a description of their own would keep this one.
        spark.sparkContext.setLocalProperty("spark.job.description", None)  # type: ignore[arg-type]
        code = main(["audit", "--output", f"{output}/{turn}", *arguments])
        if code != 0:
            sys.exit(code)
    spark.stop()
