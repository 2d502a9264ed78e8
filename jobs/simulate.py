"""The embedded city: points, labels and the planted truth.

spark-submit $(movfair spark-args) --py-files dist/movfair_spark-0.1.0.zip \
    jobs/simulate.py --config conf/city.yaml --output s3a://bucket/run
"""

import sys

from movfair_spark.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["simulate", *sys.argv[1:]]))
