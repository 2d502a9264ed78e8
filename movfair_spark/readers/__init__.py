"""Inputs: one file per form; every row leaves with its values or with the reason why it was set aside."""

from movfair_spark.readers.failures import reading
from movfair_spark.readers.ingest import Ingest, read_input
from movfair_spark.readers.labels import Labels, read_labels

__all__ = ["Ingest", "Labels", "read_input", "read_labels", "reading"]
