"""One Spark adapter per step: DataFrame in, DataFrame out."""
