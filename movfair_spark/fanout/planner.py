"""Which way the simulations are spread: worlds or blocks (design section 3, Distribution).

*Worlds fan out*: every Python worker holds the packed memberships of all zonings and counts a range of worlds;
each worker walks all candidates again. *Blocks fan out*: every Python worker holds the outcomes of some
worlds and counts the candidates of a block; each candidate is walked once per pass. Both give the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from movfair_spark.errors import ConfigurationError

BLOCK = 1_024
"""Most worlds that a task counts at once: one lane of label bits."""
FEWEST, LANE_MB = 64, 512
"""Outcomes that take more than ``LANE_MB`` per `BLOCK` are counted in fewer worlds at once, but not under ``FEWEST``."""

MB = 1_000_000


@dataclass(frozen=True)
class Plan:
    """How a scan is distributed, and why.

    Attributes
    ----------
    distribution : {'worlds', 'blocks'}
        What fans out.
    reason : str
        One sentence with the sizes that decided.
    lane : int
        Worlds that a task counts at once: 1,024, fewer where their outcomes take too much memory.
    worlds_per_pass : int
        Worlds (the observed outcomes are one of them) that one job counts; a multiple of ``lane``.
    passes : int
        Jobs per round of lowering the support.
    classes : int
        Prefix classes per zoning; blocks = zonings times classes.
    parts : int
        When worlds fan out: tasks that share the blocks of the same worlds. Else the number of blocks.
    tasks : int
        Tasks per job.
    broadcast_bytes : int
        Size of what is broadcast, held once per Python worker.
    worker_bytes : int
        Memory of a Python worker for the scan: the broadcast, the outcomes of ``lane`` worlds, the largest zoning
        unpacked; without the interpreter and the compiled code (about 200 MB).
    """

    distribution: Literal["worlds", "blocks"]
    reason: str
    lane: int
    worlds_per_pass: int
    passes: int
    classes: int
    parts: int
    tasks: int
    broadcast_bytes: int
    worker_bytes: int


def plan(
    *,
    memberships_bytes: int,
    world_bytes: float,
    n_zonings: int,
    n_worlds: int,
    slots: int,
    limit_mb: float = 64.0,
    asked: Literal["auto", "worlds", "blocks"] = "auto",
) -> Plan:
    """Choose the distribution.

    Parameters
    ----------
    memberships_bytes : int
        Packed size of the memberships of all zonings together.
    world_bytes : float
        What the outcomes of one world take (an eighth of a byte per object for outcomes of 0 and 1).
    n_zonings : int
        Zonings that hold a candidate.
    n_worlds : int
        Worlds to count: the simulations and the observed outcomes.
    slots : int
        Tasks that run at once.
    limit_mb : float
        ``broadcast_limit_mb``, in millions of bytes: memberships up to it are broadcast.
    asked : {'auto', 'worlds', 'blocks'}
        ``auto`` decides by size.

    Returns
    -------
    Plan

    Raises
    ------
    ConfigurationError
        ``worlds`` was asked for, but the memberships do not fit the limit.
    """
    size = f"packed memberships of {n_zonings} zonings take {memberships_bytes / MB:.1f} MB"
    fits = memberships_bytes <= limit_mb * MB
    if asked == "worlds" and not fits:
        raise ConfigurationError(
            f"scan.distribution is 'worlds', but the {size}, over scan.broadcast_limit_mb = {limit_mb:g}",
            "use 'auto' or 'blocks', or raise the limit",
        )
    # Each block is a task when blocks fan out: about four per slot, so that the last ones to end are short.
    classes = max(1, -(-4 * slots // max(1, n_zonings)))
    blocks = n_zonings * classes
    lane = BLOCK
    while lane > FEWEST and lane * world_bytes > LANE_MB * MB:
        lane //= 2
    lanes = -(-n_worlds // lane)
    # Outcomes as they come, and once more as the counter lays them out.
    labels = int(lane * world_bytes)
    unpacked = 8 * memberships_bytes // max(1, n_zonings)
    if asked == "worlds" or (asked == "auto" and fits):
        at_once = min(lanes, slots)
        parts = min(blocks, -(-2 * slots // at_once))
        return Plan(
            "worlds",
            f"{size}, within the limit of {limit_mb:g} MB: worlds fan out over broadcast memberships",
            lane=lane,
            worlds_per_pass=at_once * lane,
            passes=-(-lanes // at_once),
            classes=classes,
            parts=parts,
            tasks=at_once * parts,
            broadcast_bytes=memberships_bytes,
            worker_bytes=memberships_bytes + 2 * labels + unpacked,
        )
    why = "asked for" if fits else f"over the limit of {limit_mb:g} MB"
    return Plan(
        "blocks",
        f"{size}, {why}: blocks fan out over the broadcast outcomes of {lane} worlds ({labels / MB:.1f} MB)",
        lane=lane,
        worlds_per_pass=lane,
        passes=lanes,
        classes=classes,
        parts=blocks,
        tasks=blocks,
        broadcast_bytes=labels,
        worker_bytes=2 * labels + unpacked,
    )
