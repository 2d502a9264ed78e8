"""Keys that Spark's hash partitioning sends where we want them."""

from __future__ import annotations

from movfair_spark.fanout.partitions import partition_keys, spark_hash


def test_hash_is_that_of_spark(spark):
    values = [0, 1, 2, 41, 1000, 2**31 - 1]
    rows = spark.createDataFrame([(v,) for v in values], "k int").selectExpr("k", "hash(k) h").collect()
    assert {row["k"]: row["h"] for row in rows} == {v: spark_hash(v) for v in values}


def test_each_key_gets_a_partition_of_its_own(spark):
    from pyspark.sql import functions as F

    keys = partition_keys(13)
    frame = spark.createDataFrame([(k,) for k in keys], "k int").repartition(13, "k")
    rows = frame.select("k", F.spark_partition_id().alias("at")).collect()
    assert sorted((row["at"], row["k"]) for row in rows) == list(enumerate(keys))
