"""From series to the four result tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from movfair_spark.config.error_parity import ErrorParityConfig
from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels.parity.analysis import analyse, family_size, permutations_needed
from movfair_spark.kernels.parity.family import Family, Runner, Settings
from movfair_spark.stages.error_distributions import distribution_rows
from movfair_spark.stages.error_summary import FamilyData
from movfair_spark.tables.error_parity import Row, group_row, pair_rows, test_row


@dataclass(frozen=True)
class Tables:
    """The result tables, as rows in the order of models, metrics, sensitive columns and groups."""

    error_groups: list[Row]
    error_tests: list[Row]
    error_pairs: list[Row]
    error_distributions: list[Row]


def settings_of(config: ErrorParityConfig) -> Settings:
    """Give the kernels their settings."""
    return Settings(
        alpha=config.alpha,
        permutations=config.permutations,
        pair_permutations=config.pair_permutations,
        bootstrap_draws=config.bootstrap_draws,
        seed=config.seed,
    )


def error_tests(
    data: Sequence[FamilyData], labels: Sequence[str], config: ErrorParityConfig, run: Runner
) -> Tables:
    """Test all families and lay out the tables.

    Parameters
    ----------
    data : sequence of FamilyData
    labels : sequence of str
        Names of the sensitive columns.
    config : ErrorParityConfig
    run : callable
        Does the repetitions.

    Raises
    ------
    ConfigurationError
        A Holm family is so large that no difference could reach alpha with these permutations.
    """
    settings = settings_of(config)
    ordered = sorted(data, key=lambda item: (item.sensitive, item.metric, item.model))
    families = [
        Family(
            model=config.models[item.model],
            metric=config.error_names[item.metric],
            sensitive=labels[item.sensitive],
            groups=item.groups,
            series=item.series.first_groups(len(item.groups)),
        )
        for item in ordered
    ]
    for family in families:
        _refuse_hopeless(family, settings)
    tables = Tables([], [], [], [])
    for item, family in zip(ordered, families, strict=True):
        key = {"model": family.model, "metric": family.metric, "sensitive": family.sensitive}
        rounding = item.series.rounding
        for number, name in enumerate(family.groups):
            moments = family.series.moments(number)
            tables.error_groups.append(group_row(key, name, moments.n, moments, rounding, ""))
        for name, n in item.left_out:
            note = f"left out: fewer than {config.min_group_size} rows"
            tables.error_groups.append(group_row(key, name, n, None, rounding, note))
        everyone = item.series.moments(None)
        tables.error_groups.append(
            group_row(key, None, everyone.n, everyone, rounding, "all rows with a group")
        )
        tables.error_distributions.extend(distribution_rows(family, config.report))
    for result in analyse(families, settings, run):
        tables.error_tests.append(test_row(result, settings))
        tables.error_pairs.extend(pair_rows(result, settings))
    return tables


def _refuse_hopeless(family: Family, settings: Settings) -> None:
    size = family_size(family)
    needed = permutations_needed(size, settings.alpha)
    if needed > settings.pair_permutations:
        raise ConfigurationError(
            f"{family.sensitive}, {family.metric}: {len(family.groups)} groups make {size} post hoc tests; with "
            f"pair_permutations = {settings.pair_permutations:,} none can reach alpha = {settings.alpha:g} after "
            f"Holm's adjustment ({size} / {settings.pair_permutations + 1:,} is more)",
            f"set pair_permutations to at least {needed:,}, or compare fewer groups",
        )
