"""Centres of windows by k-means over the people's locations (the paper's section 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import ConfigurationError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def kmeans_centres(locations: DataFrame, count: int, seed: int) -> npt.NDArray[np.float64]:
    """Centres by pyspark.ml's KMeans, float64[count, 2], in the order of (x, y).

    Parameters
    ----------
    locations : DataFrame
        ``x, y, n``; each counts as often as it has people.
    count, seed : int

    Raises
    ------
    ConfigurationError
        More centres than locations.
    """
    from pyspark.ml.clustering import KMeans
    from pyspark.ml.feature import VectorAssembler

    # One sorted partition: sums in a fixed order, so that the same seed gives the same bits everywhere.
    ordered = locations.repartition(1).sortWithinPartitions("x", "y").cache()
    try:
        found = ordered.count()
        if count > found:
            raise ConfigurationError(f"{count} centres for {found} places", "give fewer centres")
        # One row per person: k-means|| draws its first centres without regard to a weight column, which left dense
        # areas with too few centres (562 instead of 640 significant squares on the lending data).
        people = ordered.selectExpr("x", "y", "explode(sequence(1, int(n)))")
        features = VectorAssembler(inputCols=["x", "y"], outputCol="features").transform(people)
        fitted = KMeans(k=count, seed=seed, maxIter=20).fit(features)
        return np.array(sorted(tuple(float(v) for v in c) for c in fitted.clusterCenters()))
    finally:
        ordered.unpersist()
