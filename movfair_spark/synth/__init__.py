"""The embedded city: trajectories of people with routines, and outcomes with planted unfairness.

Everything about a person follows from counter-based draws keyed by (seed, person, purpose), so that any
partitioning of the work gives the same rows. The kernels need no Spark; ``simulate`` is the one adapter.
"""
