"""Group fairness of a regression model, from a table of predictions to the report.

spark-submit $(movfair spark-args) --py-files dist/movfair_spark-0.1.0.zip \
    jobs/error_parity.py --config error_parity.yaml --output s3a://bucket/run
"""

import sys

from movfair_spark.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["error-parity", *sys.argv[1:]]))
