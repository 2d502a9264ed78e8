"""The papers and the design, restated in plain Python: slow, small, and independent of the package.

Nothing here shares code with ``movfair_spark`` but the order of a world (``kernels.worlds.order``), which is
part of the definition of the draw and not of its evaluation.
"""
