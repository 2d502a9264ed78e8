"""Fairness by location: points with outcomes, regions, and the map.

spark-submit $(movfair spark-args) --py-files dist/movfair_spark-0.1.0.zip \
    jobs/spatial.py --config conf/spatial.yaml --set input.path=FILE --output s3a://bucket/run
"""

import sys

from movfair_spark.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["spatial", *sys.argv[1:]]))
