"""Which column means what: the user's names first, else the usual names of the field.

Usual names are compared without case, blanks and signs (``User ID`` = ``user_id`` = ``userid``). Two columns
that could both be meant are an error, never a choice.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from movfair_spark.errors import MissingColumnsError

USUAL: dict[str, tuple[tuple[str, ...], ...]] = {
    # A later group counts only where no name of an earlier one is there.
    "uid": (
        (
            "uid",
            "userid",
            "user",
            "agentid",
            "agent",
            "personid",
            "person",
            "deviceid",
            "identifier",
            "subjectid",
        ),
        ("id", "objectid", "customerid", "device", "vehicleid", "taxiid"),
    ),
    "time": (
        ("time", "timestamp", "datetime", "ts", "trackedat", "recordedat", "checkintime", "simulationtime"),
        ("localdatetime", "localtimestamp", "unixtimestamp", "unixts", "utc", "gpstime", "eventtime", "t"),
    ),
    "x": (("lon", "lng", "long", "longitude", "devlon"), ("x", "easting", "devx")),
    "y": (("lat", "latitude", "devlat"), ("y", "northing", "devy")),
    "geometry": (("geometry", "geom", "wkt", "thegeom", "point", "location"),),
    "accuracy_m": (("accuracy", "accuracym", "horizontalaccuracy", "hacc", "gpsaccuracy"), ("ha",)),
    "arrive": (
        ("arrive", "arrival", "arrivaltime", "arrivingtime", "startedat", "starttime", "starttimestamp"),
        ("start", "checkin", "tstart", "datetime"),
    ),
    "leave": (
        ("leave", "departure", "departuretime", "leavingtime", "leavetime", "leavingdatetime", "finishedat"),
        ("endtime", "endtimestamp", "end", "checkout", "tend"),
    ),
    "outcome": (
        ("outcome", "label", "prediction", "predicted", "ypred", "decision"),
        ("approved", "y", "class"),
    ),
    "truth": (("truth", "ytrue", "groundtruth", "actual", "target"),),
    "stratum": (("stratum", "strata", "group"),),
    "weight": (("weight", "sampleweight"),),
}
"""The usual names of every role, without case, blanks and signs."""

MOST_NAMES = 30


def plain(name: str) -> str:
    """Strip a name of case, blanks and signs."""
    return re.sub(r"[^0-9a-z]", "", name.lower())


def find(role: str, wanted: str | None, present: Iterable[str], source: str) -> str | None:
    """Find the column of one role.

    Parameters
    ----------
    role : str
        A key of :data:`USUAL`.
    wanted : str or None
        The name that the configuration gives; None to look among the usual names.
    present : iterable of str
        Names in the input.
    source : str
        File or table, for messages.

    Returns
    -------
    str or None
        The name as it stands in the input; None when nothing was wanted and no usual name is there.

    Raises
    ------
    MissingColumnsError
        The wanted name is absent, stands twice, differs from another only by case, or several usual names are
        there.
    """
    names = list(present)
    if wanted is not None:
        return _named(role, wanted, names, source)
    for group in USUAL[role]:
        found = [name for name in names if plain(name) in group]
        if len(found) == 1:
            return found[0]
        if found:
            _refuse_twins(found, source)
            raise MissingColumnsError(
                f"{source}: the column for {role} could be {_list(found)}",
                f"say which: columns.{role}: {found[0]}",
            )
    return None


def _named(role: str, wanted: str, names: list[str], source: str) -> str:
    exact = names.count(wanted)
    alike = [name for name in names if name.lower() == wanted.lower()]
    if exact > 1:
        raise MissingColumnsError(
            f"{source}: {exact} columns are called '{wanted}'", "rename all but one of them"
        )
    if len(alike) > 1:
        _refuse_twins(alike, source)
    if alike:
        return alike[0]
    near = difflib.get_close_matches(wanted, names, n=1, cutoff=0.6)
    hint = f"did you mean '{near[0]}'?" if near else f"set columns.{role} to one of them"
    raise MissingColumnsError(f"{source} has no column '{wanted}' for {role}; there are {_list(names)}", hint)


def _refuse_twins(found: list[str], source: str) -> None:
    counts = Counter(name.lower() for name in found)
    twins = [name for name in found if counts[name.lower()] > 1]
    if not twins:
        return
    if len(set(twins)) == 1:
        raise MissingColumnsError(
            f"{source}: {len(twins)} columns are called '{twins[0]}'", "rename all but one of them"
        )
    raise MissingColumnsError(
        f"{source}: the columns {_list(twins)} differ only by case", "rename or drop all but one of them"
    )


def require(found: Mapping[str, str | None], present: Iterable[str], source: str, remedy: str = "") -> None:
    """Refuse an input in which a required role has no column.

    Parameters
    ----------
    found : mapping of str to str or None
        Role -> name in the input.
    present, source
        As in :func:`find`.
    remedy : str, optional
        What to do, when it is known better than "name the column".

    Raises
    ------
    MissingColumnsError
        Names what is missing, what is there, and how to say which is meant.
    """
    missing = [role for role, name in found.items() if name is None]
    if missing:
        raise MissingColumnsError(
            f"{source} has no column for {', '.join(missing)} by any usual name; there are {_list(present)}",
            remedy or f"name it in the configuration (columns.{missing[0]}: NAME)",
        )


def _list(names: Iterable[str]) -> str:
    shown = [f"'{name}'" for name in names]
    more = len(shown) - MOST_NAMES
    return ", ".join(shown[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
