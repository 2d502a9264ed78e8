"""The whole audit, from points and labels to the verdict.

spark-submit $(movfair spark-args) --py-files dist/movfair_spark-0.1.0.zip \
    jobs/audit.py --config conf/city.yaml --output s3a://bucket/run
"""

import sys

from movfair_spark.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["audit", *sys.argv[1:]]))
