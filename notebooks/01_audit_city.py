# Databricks notebook source
# MAGIC %md
# MAGIC # Audit a simulated city
# MAGIC A small city is simulated, with planted unfairness: people with stops in two certain regions get the positive
# MAGIC outcome less often. The audit is told nothing about it. Does it find it, and how much of it?
# MAGIC
# MAGIC Parameters stand in the next cell. On Databricks the notebook uses the cluster's session (with Sedona's jars:
# MAGIC see `docs/examples/databricks.yml`), elsewhere it makes a local one.

# COMMAND ----------

output = None  # run folder, any path that Spark can write; None: a temporary one
people = 2000
days = 7
magnitude = 0.4  # difference between the rates of positive outcomes; 0 makes a fair city

# COMMAND ----------

from movfair_spark import audit
from movfair_spark.config import resources
from movfair_spark.config.audit import AuditConfig
from movfair_spark.config.load import build, override, parse
from movfair_spark.evaluation.planted import retrieval_of_tables

if "spark" not in globals():
    from movfair_spark.session.spark import local_session

    spark = local_session()

content = parse(resources.read("city.yaml"), "city.yaml")
changes = [f"city.people={people}", f"city.days={days}", f"city.outcomes.magnitude={magnitude}"]
config = build(AuditConfig, override(content, changes))

# COMMAND ----------

# MAGIC %md
# MAGIC The whole audit, from raw fixes to the verdict:

# COMMAND ----------

result = audit(None, None, config, output=output, spark=spark)
print(result.verdict.text)

# COMMAND ----------

# MAGIC %md
# MAGIC The strongest evidence: how many people, and the rates of positive outcomes inside and outside.

# COMMAND ----------

result.evidence.select("rank", "zoning_id", "n", "statistic", "p_value", "direction", "detail").orderBy("rank").show(
    10, truncate=False
)

# COMMAND ----------

# MAGIC %md
# MAGIC How well the planted pattern was found (sensitivity and PPV of the paper's section 5.3):

# COMMAND ----------

found = retrieval_of_tables(result.tables["planted"], result.tables["evidence_objects"])
print(found.describe())
