"""The whole test of any model and notion by brute force: groups, worlds, all candidates, evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle.conditional import normal_in_strata, normal_weighted, over_parts
from tests.oracle.scan import Cells, Order, candidates, number, p_value

NOTION_TRUTH = {"equal_opportunity": 1, "false_positive_parity": 0}


@dataclass(frozen=True)
class Person:
    """What the label table says of one person."""

    outcome: Any
    truth: Any = None
    stratum: str | None = None
    weight: float | None = None


@dataclass(frozen=True)
class Question:
    """Model, notion and what else decides how people are compared."""

    model: str
    notion: str = "statistical_parity"
    direction: str = "both"
    residual: bool = False
    stratum: bool = False
    weight: bool = False


@dataclass(frozen=True)
class Row:
    """A set of members that is evidence."""

    zoning_id: int
    cells: Cells
    members: frozenset[int]
    statistic: float
    p_value: float
    direction: str


@dataclass(frozen=True)
class Answer:
    """Who was tested, simulated maxima, and evidence by zoning and closed cellset."""

    uids: list[object]
    null: list[float]
    evidence: dict[tuple[int, Cells], Row]


def answer(
    cellsets: Mapping[int, Mapping[object, Sequence[int]]],
    people: Mapping[object, Person],
    question: Question,
    order: Order,
    *,
    n_simulations: int,
    alpha: float,
    seed: int,
    min_support: int = 1,
) -> Answer:
    """Test all candidates of all zonings, every statistic by its textbook form."""
    with_cells = {uid for zoning in cellsets.values() for uid, cells in zoning.items() if cells}
    uids = number(
        {uid for uid, person in people.items() if uid in with_cells and _looked_at(person, question)}
    )
    position = {uid: i for i, uid in enumerate(uids)}
    mine = [people[uid] for uid in uids]
    n = len(mine)
    parts = [str(p.truth) if question.notion == "equal_odds" else "" for p in mine]
    strata = [p.stratum if question.stratum else "" for p in mine]
    names = sorted({p.outcome for p in mine}) if question.model == "multinomial" else []
    values = [
        names.index(p.outcome) if names else p.outcome - (p.truth if question.residual else 0) for p in mine
    ]
    weights = [p.weight for p in mine]

    def statistic(members: frozenset[int], source: Sequence[int]) -> tuple[float, str]:
        world = [values[i] for i in source]
        if question.model != "normal":
            value, side = over_parts(members, world, parts, strata, question.direction)
            return value, "none" if names else side
        if question.weight:
            value, sign = normal_weighted(members, world, [weights[i] for i in source], question.direction)
        else:
            value, sign = normal_in_strata(members, world, strata, question.direction)
        return value, {1: "high", -1: "low", 0: "none"}[sign]

    groups = list(zip(parts, strata, strict=True))
    worlds = [dealt(order(seed, b, n), values, groups) for b in range(n_simulations)]
    found = {
        zoning_id: candidates({position[u]: c for u, c in zoning.items() if u in position}, min_support)
        for zoning_id, zoning in cellsets.items()
    }
    members_of = {members for of in found.values() for members in of.values()}
    null = [max((statistic(members, world)[0] for members in members_of), default=0.0) for world in worlds]
    evidence = {}
    for zoning_id, of in found.items():
        for members in set(of.values()):
            value, side = statistic(members, range(n))
            chance = p_value(value, null)
            if chance <= alpha + 1e-12:
                closed = max((cells for cells, who in of.items() if who == members), key=len)
                evidence[zoning_id, closed] = Row(zoning_id, closed, members, value, chance, side)
    return Answer(uids, null, evidence)


def dealt(places: Sequence[int], values: Sequence[float], groups: Sequence[object]) -> list[int]:
    """Whose outcome each object has: each group's, the largest first, go to its objects as they are met."""
    left: dict[object, list[int]] = {}
    for i in sorted(range(len(values)), key=lambda i: (-values[i], i)):
        left.setdefault(groups[i], []).append(i)
    source = [0] * len(values)
    for place in places:
        source[int(place)] = left[groups[int(place)]].pop(0)
    return source


def _looked_at(person: Person, question: Question) -> bool:
    if question.notion in NOTION_TRUTH and person.truth != NOTION_TRUTH[question.notion]:
        return False
    needs = {
        "truth": question.notion != "statistical_parity" or question.residual,
        "stratum": question.stratum,
        "weight": question.weight,
    }
    return all(getattr(person, name) is not None for name, needed in needs.items() if needed)


def equal(a: float, b: float) -> bool:
    """Whether two statistics agree within 1e-12·max(1, T); +inf equals +inf."""
    return a == b if math.isinf(a) or math.isinf(b) else abs(a - b) <= 1e-12 * max(1.0, abs(b))
