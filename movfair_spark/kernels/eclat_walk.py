"""The steps of a walk over candidates, compiled; `kernels.eclat.Walk` holds the arrays.

A node's list has one of two forms. Wide: an entry is (last position of the object's row) << 32 | mask, bit b of the mask
stands for the item at position last - b. Narrow, once at most 64 items can extend a node: an entry is a mask over these
items, the same bit for the same item in all entries, and the object's number beside it. In both a lower bit is a more
frequent item. Narrow masks are counted vertically: carry-save adders give the supports of all 64 items at once, and the
items that reach the smallest support, or that all members share, come out as one word each.
"""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.bits import trailing_zeros
from movfair_spark.kernels.eclat_nodes import (
    CANDIDATES,
    MEMBERSHIPS,
    N_FRAMES,
    N_MEMBERS,
    N_OUT,
    NEXT_ITEM,
    count_widely,
    give,
    narrow,
    sort_descending,
)
from movfair_spark.kernels.planes import n_digits
from movfair_spark.kernels.vertical import at_least, count_bits, count_of, exactly

#: What stopped a call of `advance`.
DONE, BATCH_FULL, STACK_FULL, FRAMES_FULL, MASKS_FULL = range(5)
#: Columns of a frame.
ITEM, DEPTH, FIRST, END, MULTIPLICITY, NARROW = range(6)

_NARROW_ITEMS = 64


@njit
def advance(
    state,
    items,
    last,
    owner,
    occurrence_starts,
    occurrences,
    cell_ids,
    min_support,
    max_support,
    stop_item,
    distinct,
    frames,
    entries,
    masks,
    who,
    local,
    counts,
    touched,
    prefix,
    out_starts,
    out_members,
    out_cell_starts,
    out_cells,
    out_multiplicity,
):
    """Walk until the batch is full, a buffer must grow or the range of items is done; returns which of them."""
    planes = np.zeros(32, dtype=np.uint64)
    cursor = np.zeros(_NARROW_ITEMS, dtype=np.int64)
    one = np.uint64(1)
    # The bit of the j-th item that can extend a node; none for 0.
    bits = np.zeros(_NARROW_ITEMS + 1, dtype=np.uint64)
    for j in range(_NARROW_ITEMS):
        bits[j + 1] = one << np.uint64(j)
    while True:
        if state[N_FRAMES] == 0:
            item = state[NEXT_ITEM]
            if item >= stop_item:
                return DONE
            size = occurrence_starts[item + 1] - occurrence_starts[item]
            for k in range(size):
                at = np.int64(occurrences[occurrence_starts[item] + k])
                end = np.int64(last[at])
                entries[k] = end << 32 | ((1 << (end - at)) - 1)
            frames[0, ITEM] = item
            frames[0, DEPTH] = 0
            frames[0, FIRST] = 0
            frames[0, END] = size
            frames[0, MULTIPLICITY] = 1
            frames[0, NARROW] = 0
            state[N_FRAMES] = 1
            state[NEXT_ITEM] = item + 1

        top = state[N_FRAMES] - 1
        depth = frames[top, DEPTH]
        first = frames[top, FIRST]
        end = frames[top, END]
        multiplicity = frames[top, MULTIPLICITY]
        prefix[depth] = frames[top, ITEM]
        support = end - first
        inside = support < max_support
        full = state[N_MEMBERS] + support > len(out_members) or state[N_OUT] == len(out_multiplicity)

        if frames[top, NARROW]:
            if inside and full:
                return BATCH_FULL
            digits = max(3, n_digits(support))
            count_bits(masks, first, end, digits, planes)
            wanted = at_least(planes, digits, min_support)
            if distinct:
                shared = exactly(planes, digits, support)
                wanted &= ~shared
                while shared:
                    shared &= shared - one
                    multiplicity *= 2
            # Children from the least frequent item on, so that the most frequent is on top.
            needed = end
            n_children = 0
            left = wanted
            while left:
                bit = trailing_zeros(left)
                left &= left - one
                if top + n_children == len(frames):
                    return FRAMES_FULL
                count = count_of(planes, digits, bit)
                cursor[bit] = needed
                needed += count
                n_children += 1
            if needed > len(masks):
                return MASKS_FULL
            if top + n_children > len(frames):
                return FRAMES_FULL
            if inside:
                state[CANDIDATES] += multiplicity
                state[MEMBERSHIPS] += multiplicity * support
                at = state[N_MEMBERS]
                for k in range(support):
                    out_members[at + k] = who[first + k]
                give(
                    state,
                    support,
                    multiplicity,
                    depth,
                    prefix,
                    cell_ids,
                    out_starts,
                    out_cell_starts,
                    out_cells,
                    out_multiplicity,
                )
            left = wanted
            while left:
                bit = trailing_zeros(left)
                left &= left - one
                frames[top, ITEM] = local[bit]
                frames[top, DEPTH] = depth + 1
                frames[top, FIRST] = cursor[bit]
                frames[top, END] = cursor[trailing_zeros(left)] if left else needed
                frames[top, MULTIPLICITY] = multiplicity
                frames[top, NARROW] = 1
                top += 1
            state[N_FRAMES] = top
            if n_children:
                for k in range(first, end):
                    mask = masks[k] & wanted
                    member = who[k]
                    rest = np.uint64(0)
                    while mask:
                        bit = trailing_zeros(mask)
                        mask &= mask - one
                        at = cursor[bit]
                        masks[at] = rest
                        who[at] = member
                        cursor[bit] = at + 1
                        rest |= one << np.uint64(bit)
            continue

        # A wide node.
        n_touched = count_widely(items, entries, first, end, counts, touched)
        n_wanted = 0
        needed = 0
        for k in range(n_touched):
            if counts[touched[k]] >= min_support:
                n_wanted += 1
                needed += counts[touched[k]]
        if n_wanted <= _NARROW_ITEMS:
            n_wanted = 0
            for k in range(n_touched):
                if counts[touched[k]] >= min_support:
                    local[n_wanted] = touched[k]
                    n_wanted += 1
                counts[touched[k]] = 0
            if support > len(masks):
                return MASKS_FULL
            sort_descending(local, n_wanted)
            narrow(items, owner, entries, first, end, local, n_wanted, counts, bits, masks, who)
            frames[top, FIRST] = 0
            frames[top, END] = support
            frames[top, NARROW] = 1
            continue
        status = DONE
        if inside and full:
            status = BATCH_FULL
        elif end + needed > len(entries):
            status = STACK_FULL
        elif top + n_wanted > len(frames):
            status = FRAMES_FULL
        if status != DONE:
            for k in range(n_touched):
                counts[touched[k]] = 0
            return status
        # A frequent item gets its place on the stack: counts becomes its cursor, others get -1.
        at = end
        for k in range(n_touched):
            other = touched[k]
            count = counts[other]
            if distinct and count == support:
                multiplicity *= 2
                count = 0
            if count >= min_support:
                frames[top, ITEM] = other
                frames[top, DEPTH] = depth + 1
                frames[top, FIRST] = at
                frames[top, END] = at + count
                frames[top, NARROW] = 0
                counts[other] = at
                at += count
                top += 1
            else:
                counts[other] = -1
        for k in range(state[N_FRAMES] - 1, top):
            frames[k, MULTIPLICITY] = multiplicity
        if inside:
            state[CANDIDATES] += multiplicity
            state[MEMBERSHIPS] += multiplicity * support
            at = state[N_MEMBERS]
            for k in range(support):
                out_members[at + k] = owner[entries[first + k] >> 32]
            give(
                state,
                support,
                multiplicity,
                depth,
                prefix,
                cell_ids,
                out_starts,
                out_cell_starts,
                out_cells,
                out_multiplicity,
            )
        state[N_FRAMES] = top
        for k in range(first, end):
            base = entries[k] >> 32
            mask = entries[k] & 0xFFFFFFFF
            others = np.int64(0)
            while mask:
                shift = trailing_zeros(mask)
                bit = mask & -mask
                mask ^= bit
                other = items[base - shift]
                at = counts[other]
                if at >= 0:
                    entries[at] = base << 32 | others
                    counts[other] = at + 1
                    others |= bit
        for k in range(n_touched):
            counts[touched[k]] = 0
