"""Which way the simulations are spread: worlds or blocks (design section 3, Distribution).

*Worlds fan out*: every Python worker holds the packed memberships of all zonings and counts a range of worlds;
each worker walks all candidates again. *Blocks fan out*: every Python worker holds the label bits of some
worlds and counts the candidates of a block; each candidate is walked once per pass. Both give the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from movfair_spark.errors import ConfigurationError

WORD = 64
BLOCK = 1_024
"""Worlds per recorded block; a finished block is never simulated again."""

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
    worlds_per_pass : int
        Worlds that one job counts; a multiple of 64.
    passes : int
        Jobs per round of lowering the support.
    tasks : int
        Tasks per job.
    classes : int
        Prefix classes per zoning; blocks = zonings times classes.
    broadcast_bytes : int
        Size of what is broadcast, held once per Python worker.
    """

    distribution: Literal["worlds", "blocks"]
    reason: str
    worlds_per_pass: int
    passes: int
    tasks: int
    classes: int
    broadcast_bytes: int


def plan(
    *,
    memberships_bytes: int,
    n_objects: int,
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
    n_objects : int
        Objects in the test.
    n_zonings : int
        Zonings that hold a candidate.
    n_worlds : int
        Simulations to draw.
    slots : int
        Tasks that run at once.
    limit_mb : float
        ``broadcast_limit_mb``, in millions of bytes: memberships up to it are broadcast. It bounds the label
        bits of a pass too, down to one word of 64 worlds per object.
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
    limit = limit_mb * MB
    size = f"packed memberships of {n_zonings} zonings take {memberships_bytes / MB:.1f} MB"
    fits = memberships_bytes <= limit
    if asked == "worlds" and not fits:
        raise ConfigurationError(
            f"scan.distribution is 'worlds', but the {size}, over scan.broadcast_limit_mb = {limit_mb:g}",
            "use 'auto' or 'blocks', or raise the limit",
        )
    if asked == "worlds" or (asked == "auto" and fits):
        words = max(1, -(-n_worlds // WORD))
        blocks_at_once = max(1, slots * WORD // BLOCK)
        per_pass = min(blocks_at_once * BLOCK, words * WORD)
        return Plan(
            "worlds",
            f"{size}, within the limit of {limit_mb:g} MB: worlds fan out over broadcast memberships",
            worlds_per_pass=per_pass,
            passes=-(-n_worlds // per_pass),
            tasks=min(slots, per_pass // WORD),
            classes=classes(n_zonings, slots),
            broadcast_bytes=memberships_bytes,
        )
    bits = 8 * n_objects
    words = int(min(max(1, limit // max(1, bits)), BLOCK // WORD))
    why = "asked for" if fits else f"over the limit of {limit_mb:g} MB"
    per_pass = min(words, max(1, -(-n_worlds // WORD))) * WORD
    return Plan(
        "blocks",
        f"{size}, {why}: blocks fan out over broadcast label bits of {per_pass} worlds",
        worlds_per_pass=per_pass,
        passes=-(-n_worlds // per_pass),
        tasks=n_zonings * classes(n_zonings, slots),
        classes=classes(n_zonings, slots),
        broadcast_bytes=bits * per_pass // WORD,
    )


def classes(n_zonings: int, slots: int) -> int:
    """Prefix classes per zoning: about four blocks per slot in all, so that the last ones to end are short."""
    return max(1, -(-4 * slots // max(1, n_zonings)))
