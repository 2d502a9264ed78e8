"""Errors that a user can meet: one class per kind of mistake, one message with value, limit and remedy.

The command line turns each of them into one line on stderr and its exit code; none of them ends in a stack
trace. No message carries the coordinates of a person.
"""

from __future__ import annotations

import re


class MovfairError(Exception):
    """Base of all errors that the package raises on purpose.

    Parameters
    ----------
    problem : str
        What is wrong, with the offending value and the limit that it breaks.
    remedy : str, optional
        What to do about it, in the imperative.
    """

    exit_code = 2

    def __init__(self, problem: str, remedy: str = "") -> None:
        self.problem = problem.rstrip(".")
        self.remedy = _as_sentence(remedy.rstrip("."))
        ending = "" if self.remedy.endswith("?") else "."
        super().__init__(f"{self.problem}. {self.remedy}{ending}" if remedy else f"{self.problem}.")


def _as_sentence(text: str) -> str:
    """Begin with a capital letter, unless the text begins with a name (``labels.path``, ``--set``)."""
    return text[:1].upper() + text[1:] if re.match(r"[a-z]+[ ,:]", text) else text


class ConfigurationError(MovfairError):
    """A key is unknown, or a value is impossible."""


class InputError(MovfairError):
    """A file, a folder or a DataFrame cannot be read as what it was declared to be."""


class MissingColumnsError(InputError):
    """A required column is absent, or two columns could be meant."""


class TimeUnitError(InputError):
    """Times lie in implausible years: the declared unit or format is wrong."""


class CoordinatesError(InputError):
    """Coordinates do not fit the declared reference system (metres as degrees, swapped axes, too wide a box)."""


class IdTypeError(InputError):
    """Ids of two tables differ in type, or labels do not find their people."""


class RejectsError(InputError):
    """``strict`` was asked for and at least one row was rejected."""


class EmptyTableError(InputError):
    """A step has nothing to work on; the message says how many rows each step before it kept."""


class LimitError(MovfairError):
    """A stated bound (memory, fixes of one person, memberships) would be broken."""


class EnvironmentProblem(MovfairError):
    """Java, Spark, Sedona's jars or a setting of the session is missing or of the wrong version."""


class OutputError(MovfairError):
    """The output folder cannot be written, or holds something else."""


class RunLockedError(OutputError):
    """Another live driver works in this run folder."""
