"""Cellsets and labels to evidence (movement paper 4.4-4.5, appendix G; design section 3), by brute force."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

TOLERANCE = 1e-9

Cells = tuple[int, ...]
Order = Callable[[int, int, int], Sequence[int]]


def xlogx(x: float, y: float) -> float:
    """x ln(x / y) with 0 ln 0 = 0."""
    return 0.0 if x == 0 else x * math.log(x / y)


def bernoulli(n: int, p: int, total: int, positives: int, direction: str = "both") -> float:
    """Log-likelihood ratio of the Bernoulli scan (Kulldorff 1997) in one direction or both.

    The sum of four x ln(x / expected) is the paper's difference of maximised log-likelihoods.
    """
    if n == total or positives in (0, total):
        return 0.0
    side = p * total - n * positives
    if (direction == "high" and side <= 0) or (direction == "low" and side >= 0):
        return 0.0
    inside, outside = n / total, (total - n) / total
    negatives = total - positives
    return max(
        0.0,
        math.fsum(
            (
                xlogx(p, positives * inside),
                xlogx(n - p, negatives * inside),
                xlogx(positives - p, positives * outside),
                xlogx(negatives - (n - p), negatives * outside),
            )
        ),
    )


def at_least(a: float, b: float) -> bool:
    """a >= b up to the tie tolerance; +inf equals +inf."""
    if math.isinf(b):
        return a == b
    return a >= b - TOLERANCE * max(1.0, abs(b))


def p_value(statistic: float, null: Sequence[float]) -> float:
    """(1 + #{T_b >= T}) / (n + 1)."""
    return (1 + sum(at_least(t, statistic) for t in null)) / (len(null) + 1)


def candidates(cellsets: Mapping[int, Sequence[int]], min_support: int = 1) -> dict[Cells, frozenset[int]]:
    """Every non-empty subset of a cellset with the objects that hold it: {sorted cells: members}."""
    members: dict[Cells, set[int]] = {}
    for number, cells in cellsets.items():
        ordered = sorted(set(cells))
        for size in range(1, len(ordered) + 1):
            for subset in combinations(ordered, size):
                members.setdefault(subset, set()).add(number)
    return {cells: frozenset(of) for cells, of in members.items() if len(of) >= min_support}


@dataclass(frozen=True)
class Evidence:
    """One row of evidence: a zoning's set of members with its closed cellset."""

    rank: int
    zoning_id: int
    cells: Cells
    n_cellsets: int
    members: frozenset[int]
    n: int
    p: int
    statistic: float
    p_value: float
    direction: str


@dataclass(frozen=True)
class Scan:
    """Everything that the test says: who was tested, all candidates, the null and the evidence."""

    uids: list[object]
    positives: int
    candidates: dict[int, dict[Cells, frozenset[int]]]
    statistics: dict[int, dict[Cells, float]]
    null: dict[int | None, list[float]]
    evidence: list[Evidence]


def number(uids: set[object]) -> list[object]:
    """Order of the objects in the test: integers by value, strings by their UTF-8 bytes."""
    return sorted(uids, key=lambda uid: uid.encode() if isinstance(uid, str) else uid)


def scan(
    cellsets: Mapping[int, Mapping[object, Sequence[int]]],
    labels: Mapping[object, int],
    order: Order,
    *,
    n_simulations: int,
    alpha: str,
    seed: int,
    min_support: int = 1,
    direction: str = "both",
    per_zoning: bool = False,
    include: bool = False,
) -> Scan:
    """Test all candidates of all zonings against permuted labels, and list the evidence in rank order."""
    with_cells = {uid for zoning in cellsets.values() for uid, cells in zoning.items() if cells}
    uids = number({uid for uid in labels if include or uid in with_cells})
    position = {uid: i for i, uid in enumerate(uids)}
    total = len(uids)
    observed = frozenset(i for i, uid in enumerate(uids) if labels[uid] == 1)
    positives = len(observed)
    worlds = [observed] + [
        frozenset(int(i) for i in order(seed, b, total)[:positives]) for b in range(n_simulations)
    ]
    found = {
        zoning_id: candidates({position[u]: c for u, c in zoning.items() if u in position}, min_support)
        for zoning_id, zoning in cellsets.items()
    }
    value = {
        (n, p): bernoulli(n, p, total, positives, direction)
        for n in range(1, total + 1)
        for p in range(n + 1)
        if p <= positives and n - p <= total - positives
    }
    maxima = {
        zoning_id: [
            max((value[len(m), len(m & world)] for m in set(of.values())), default=0.0)
            for world in worlds[1:]
        ]
        for zoning_id, of in found.items()
    }
    null: dict[int | None, list[float]] = (
        dict(maxima) if per_zoning else {None: [max(each) for each in zip(*maxima.values(), strict=True)]}
    )
    statistics = {z: {c: value[len(m), len(m & observed)] for c, m in of.items()} for z, of in found.items()}
    rows = []
    for zoning_id, of in found.items():
        for members in set(of.values()):
            cellsets_of = [cells for cells, who in of.items() if who == members]
            closed = max(cellsets_of, key=len)
            n, p = len(members), len(members & observed)
            t = value[n, p]
            chance = p_value(t, null[zoning_id if per_zoning else None])
            if Decimal(round(chance * (n_simulations + 1))) <= Decimal(alpha) * (n_simulations + 1):
                side = "high" if p * total > n * positives else "low" if p * total < n * positives else "none"
                rows.append((t, zoning_id, closed, len(cellsets_of), members, n, p, chance, side))
    evidence = [
        Evidence(rank, zoning_id, closed, k, members, n, p, t, chance, side)
        for rank, (t, zoning_id, closed, k, members, n, p, chance, side) in enumerate(ranked(rows), start=1)
    ]
    return Scan(uids, positives, found, statistics, null, evidence)


def ranked(rows: list[tuple]) -> list[tuple]:
    """Largest statistic first, statistics within the tolerance of the one before are tied; then zoning, cells."""
    step, previous, classes = 0, math.inf, {}
    for t in sorted({row[0] for row in rows}, reverse=True):
        if classes and not at_least(t, previous):
            step += 1
        classes[t], previous = step, t
    return sorted(rows, key=lambda row: (classes[row[0]], row[1], row[2]))


def non_overlapping(evidence: list[Evidence]) -> list[int]:
    """Ranks of the rows that share no object with a chosen row of a better rank."""
    taken: set[int] = set()
    chosen = []
    for row in evidence:
        if not row.members & taken:
            chosen.append(row.rank)
            taken |= row.members
    return chosen
