"""An audit every night, one Airflow task per step.

Needs ``apache-airflow-providers-apache-spark`` and a Spark connection. Each task does one step: it finds the steps
before it finished in the run folder of the logical date, so a retry repeats that step alone, and a task that is
cleared in the user interface is done again with the same result.
"""

from __future__ import annotations

import pendulum
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import DAG

HOME = "/opt/movfair"  # jobs/, conf/, jars/ and movfair_spark-<version>.zip (make dist)
STEPS = ("stops", "cellsets", "population", "null", "evidence", "report")
JARS = ("sedona-spark-shaded-3.5_2.12-1.8.1.jar", "geotools-wrapper-1.8.1-33.1.jar")

with DAG(
    dag_id="movfair_audit",
    schedule="@daily",
    start_date=pendulum.datetime(2026, 1, 1, tz="UTC"),
    catchup=False,
    max_active_runs=1,
) as dag:
    before = None
    for step in STEPS:
        task = SparkSubmitOperator(
            task_id=step,
            conn_id="spark_default",
            application=f"{HOME}/jobs/audit.py",
            py_files=f"{HOME}/movfair_spark-0.1.0.zip",
            jars=",".join(f"{HOME}/jars/{jar}" for jar in JARS),
            # Static settings of `movfair spark-args`; conf/spark-defaults.conf holds the same.
            properties_file=f"{HOME}/conf/spark-defaults.conf",
            application_args=[
                "--config",
                f"{HOME}/conf/audit.yaml",
                "--output",
                "s3a://audits/{{ ds }}",
                "--from",
                step,
                "--until",
                step,
            ],
            retries=2,
        )
        if before is not None:
            before >> task
        before = task
