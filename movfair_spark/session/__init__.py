"""Java, Sedona's jars and the Spark session: the only layer that builds or inspects them."""
