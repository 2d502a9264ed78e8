"""What the walk of `kernels.eclat_walk` does at one node: count its items, change its form, close its candidate."""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.bits import trailing_zeros

#: Positions in the state array of a walk.
NEXT_ITEM, N_FRAMES, N_OUT, N_MEMBERS, N_CELLS, VISITED, CANDIDATES, MEMBERSHIPS = range(8)


@njit
def give(
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
):
    """Close a candidate whose members are already written."""
    n_out = state[N_OUT]
    n_cells = state[N_CELLS]
    for k in range(depth + 1):
        out_cells[n_cells] = cell_ids[prefix[k]]
        n_cells += 1
    out_multiplicity[n_out] = multiplicity
    state[N_MEMBERS] += support
    out_starts[n_out + 1] = state[N_MEMBERS]
    out_cell_starts[n_out + 1] = n_cells
    state[N_OUT] = n_out + 1
    state[N_CELLS] = n_cells
    state[VISITED] += 1


@njit
def count_widely(items, entries, first, end, counts, touched):
    """Count the items of the masks into counts; returns how many were touched."""
    n_touched = 0
    for k in range(first, end):
        base = entries[k] >> 32
        mask = entries[k] & 0xFFFFFFFF
        while mask:
            other = items[base - trailing_zeros(mask)]
            mask &= mask - 1
            if counts[other] == 0:
                touched[n_touched] = other
                n_touched += 1
            counts[other] += 1
    return n_touched


@njit
def narrow(items, owner, entries, first, end, wanted, n_wanted, counts, bits, masks, who):
    """Write the list of a wide node in narrow form to the bottom of the narrow stack; counts is left as zeros."""
    for j in range(n_wanted):
        counts[wanted[j]] = j + 1
    for k in range(first, end):
        base = entries[k] >> 32
        mask = entries[k] & 0xFFFFFFFF
        local = np.uint64(0)
        while mask:
            local |= bits[counts[items[base - trailing_zeros(mask)]]]
            mask &= mask - 1
        masks[k - first] = local
        who[k - first] = owner[base]
    for j in range(n_wanted):
        counts[wanted[j]] = 0


@njit
def sort_descending(values, n):
    """Sort the first n values, in place."""
    for i in range(1, n):
        value = values[i]
        j = i - 1
        while j >= 0 and values[j] < value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value
