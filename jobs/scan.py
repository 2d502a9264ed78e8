"""The test: an audit up to null_distribution and evidence.

spark-submit $(movfair spark-args) --py-files dist/movfair_spark-0.1.0.zip \
    jobs/scan.py --config conf/city.yaml --output s3a://bucket/run
"""

import sys

from movfair_spark.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["scan", *sys.argv[1:]]))
