"""Bad files, rows and settings, as one table: what each of them is, and the error or the rejects that must follow.

``tests/readers/test_bad_input.py`` runs it through the readers; the same cases go through the command line.
"""

from tests.bad_input import columns, files, labels, outcomes, rows, values
from tests.bad_input.case import Case, write_good

CASES = [case for group in (files, columns, values, rows, labels, outcomes) for case in group.CASES]

__all__ = ["CASES", "Case", "write_good"]
