"""Regions over points: partitionings, windows, their counts in many worlds, MeanVar and selections."""
