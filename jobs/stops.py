"""Stops and rejects: the first step of an audit.

spark-submit $(movfair spark-args) --py-files dist/movfair_spark-0.1.0.zip \
    jobs/stops.py --config conf/city.yaml --output s3a://bucket/run
"""

import sys

from movfair_spark.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["stops", *sys.argv[1:]]))
