"""Fixes of one person at the same time: equal rows count once, near ones become one, others are set aside.

Design section 2, "Bad rows". Decided in the sorted pass that finds the stops, because a shuffle of its own costs more
than the stops.
"""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.fixes import NO_INTS, Fixes, Ints, join_fixes, no_fixes
from movfair_spark.kernels.geo import Floats, Space, beyond, cos_degrees
from movfair_spark.kernels.medians import medians


@njit
def _any_tie(person: Ints, time: Ints) -> bool:
    ties = 0
    for i in range(1, len(person)):
        ties += time[i] == time[i - 1] and person[i] == person[i - 1]
    return ties > 0


@njit
def _group_start(person: Ints, time: Ints) -> int:
    # First row of the last group of equal person and time.
    start = len(person) - 1
    while start > 0 and person[start - 1] == person[start] and time[start - 1] == time[start]:
        start -= 1
    return start


@njit
def _distinct(person: Ints, time: Ints, x: Floats, y: Floats) -> tuple[Ints, Ints]:
    # Rows whose place is new in their group (equal places follow one another), and where each group begins there.
    n = len(person)
    rows = np.empty(n, dtype=np.int64)
    begin = np.empty(n + 1, dtype=np.int64)
    kept = 0
    groups = 0
    for i in range(n):
        same = i > 0 and person[i] == person[i - 1] and time[i] == time[i - 1]
        if same and x[i] == x[i - 1] and y[i] == y[i - 1]:
            continue
        if not same:
            begin[groups] = kept
            groups += 1
        rows[kept] = i
        kept += 1
    begin[groups] = kept
    return rows[:kept].copy(), begin[: groups + 1].copy()


@njit
def _all_near(
    px: Floats, py: Floats, begin: Ints, end: Ints, mx: Floats, my: Floats, radius: float, sphere: float
) -> np.ndarray:
    near = np.ones(len(begin), dtype=np.bool_)
    for g in range(len(begin)):
        cos0 = cos_degrees(my[g])
        for i in range(begin[g], end[g]):
            if beyond(mx[g], my[g], cos0, px[i], py[i], radius, sphere):
                near[g] = False
    return near


class SameTime:
    """Decide rows of equal person and time over batches.

    Equal places count once (``duplicate``). Different places become one fix at their coordinate-wise median when
    all lie within the radius of it (exactly on it is within): the others count as ``merged``. Otherwise all of them
    are set aside (``conflicting_position``).

    Parameters
    ----------
    radius : float
        In the unit of the space (metres).
    space : Space

    Notes
    -----
    Rows must come ordered by person, time, x, y. The last group of a batch is held back, since the next batch may go
    on with it: memory grows with the rows of one person at one time, never with a trajectory.
    """

    def __init__(self, radius: float, space: Space) -> None:
        self.radius = float(radius)
        self.space = space
        self.counts = {"duplicate": 0, "merged": 0, "conflicting_position": 0}
        self._held: list[Fixes] = []

    def push(self, fixes: Fixes) -> Fixes:
        """Take the next rows; return the fixes that are decided."""
        if fixes.n == 0:
            return no_fixes()
        if self._held:
            held = self._held[-1]
            if held.person[-1] == fixes.person[-1] and held.first[-1] == fixes.first[-1]:
                self._held.append(fixes.part(0, fixes.n))
                return no_fixes()
            fixes = join_fixes([*self._held, fixes])
        start = _group_start(fixes.person, fixes.first)
        self._held = [fixes.part(start, fixes.n)]
        return self._decide(fixes.view(0, start))

    def finish(self) -> Fixes:
        """Return what was held back."""
        held, self._held = self._held, []
        return self._decide(join_fixes(held)) if held else no_fixes()

    def _decide(self, fixes: Fixes) -> Fixes:
        if not _any_tie(fixes.person, fixes.first):
            return fixes
        rows, begin = _distinct(fixes.person, fixes.first, fixes.x, fixes.y)
        self.counts["duplicate"] += fixes.n - len(rows)
        x, y = fixes.x[rows], fixes.y[rows]
        size = np.diff(begin)
        several = np.flatnonzero(size > 1)
        first_row = rows[begin[:-1]]
        kept_x, kept_y = fixes.x[first_row], fixes.y[first_row]
        keep = np.ones(len(size), dtype=bool)
        if len(several):
            low, high = begin[several], begin[several + 1]
            kept_x[several] = medians(x, NO_INTS, low, high, self.space.degrees)
            kept_y[several] = medians(y, NO_INTS, low, high, False)
            near = _all_near(
                *self.space.measured(x, y),
                low,
                high,
                *self.space.measured(kept_x[several], kept_y[several]),
                self.radius,
                self.space.sphere,
            )
            keep[several] = near
            self.counts["merged"] += int((size[several][near] - 1).sum())
            self.counts["conflicting_position"] += int(size[several][~near].sum())
        person, time = fixes.person[first_row[keep]], fixes.first[first_row[keep]]
        return Fixes(person, time, time, kept_x[keep], kept_y[keep])
