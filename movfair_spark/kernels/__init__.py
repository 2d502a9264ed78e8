"""NumPy and Numba on plain arrays: no Spark, no files."""
