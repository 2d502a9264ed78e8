"""How work is spread over executors: the plan, what is broadcast, how jobs are described, progress.

Beside ``session`` the only place that touches ``sparkContext`` or broadcasts.
"""
