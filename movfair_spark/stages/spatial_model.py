"""The outcome model of an audit of points: regions and the observed outcomes of their people."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.config.spatial import SpatialConfig
from movfair_spark.errors import InputError
from movfair_spark.kernels.spatial.regions import Regions
from movfair_spark.models.multinomial import MAX_CLASSES
from movfair_spark.models.normal import Normal, normal_scores
from movfair_spark.models.region_classes import ClassRegions
from movfair_spark.models.region_model import BinaryRegions, People, RegionModel
from movfair_spark.models.region_values import ValueRegions
from movfair_spark.models.regions import RegionScan
from movfair_spark.stages.prepare import largest_support
from movfair_spark.stages.spatial_atoms import Tally

BINARY = ("0", "1")


def region_model(
    config: SpatialConfig, regions: Regions, atom_of: npt.NDArray[np.int32], tally: Tally
) -> RegionModel:
    """Bind the model of a configuration to regions and outcomes.

    Parameters
    ----------
    config : SpatialConfig
    regions : Regions
        Over merged atoms.
    atom_of : int32 array of shape (A,)
        Merged atom of each atom of the tally.
    tally : Tally
    """
    scan = config.scan
    limits = {
        "min_support": scan.min_support,
        "max_support": largest_support(int(tally.n.sum()), scan.max_support_share),
    }
    atoms = atom_of[tally.atom]
    group, part_of = tally.groups
    if scan.model == "normal":
        assert tally.outcome is not None
        values = normal_scores(tally.outcome) if scan.transform == "normal_scores" else tally.outcome
        strata = tally.stratum if len(tally.strata) > 1 else None
        model = Normal(values, scan.direction, tally.weight, strata)
        return ValueRegions(regions, atoms, model, **limits)
    if scan.model == "bernoulli" and len(part_of) == 1:
        sizes = _sums(atoms, tally.n)
        positives = _sums(atoms, np.where(_positive(tally), tally.n, 0), len(sizes))
        counted = RegionScan(regions, sizes, int(positives.sum()), scan.direction, **limits)
        return BinaryRegions(counted, positives)
    binary = scan.model == "bernoulli"
    if not binary and len(tally.codes) > MAX_CLASSES:
        raise InputError(
            f"outcomes have {len(tally.codes)} classes, allowed are {MAX_CLASSES}", "merge rare classes"
        )
    return ClassRegions(
        regions,
        atoms,
        group,
        _positive(tally).astype(np.int64) if binary else tally.code,
        tally.n,
        part_of,
        2 if binary else len(tally.codes),
        scan.direction,
        binary,
        **limits,
    )


def positives(tally: Tally) -> npt.NDArray[np.int64]:
    """Positive outcomes per atom, of 0/1 outcomes."""
    return _sums(tally.atom, np.where(_positive(tally), tally.n, 0), int(tally.atom.max(initial=-1)) + 1)


def people_of(tally: Tally, atom_of: npt.NDArray[np.int32]) -> People:
    """Give merged atom and group of each person, in the order of people (by place and group where they have no ids)."""
    group, _ = tally.groups
    return (
        np.repeat(atom_of[tally.atom], tally.n).astype(np.int32),
        np.repeat(group, tally.n).astype(np.int32),
    )


def _positive(tally: Tally) -> npt.NDArray[np.bool_]:
    return np.array([name == BINARY[1] for name in tally.codes])[tally.code]


def _sums(atoms: npt.NDArray[np.integer], n: npt.NDArray[np.int64], count: int = 0) -> npt.NDArray[np.int64]:
    out = np.zeros(max(count, int(atoms.max(initial=-1)) + 1), dtype=np.int64)
    np.add.at(out, atoms, n)
    return out
