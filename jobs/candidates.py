"""All candidates above the support used.

spark-submit $(movfair spark-args) --py-files dist/movfair_spark-0.1.0.zip \
    jobs/candidates.py --config conf/city.yaml --output s3a://bucket/run
"""

import sys

from movfair_spark.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["candidates", *sys.argv[1:]]))
