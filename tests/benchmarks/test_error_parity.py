from __future__ import annotations

from benchmarks import error_parity_calibration as calibration
from benchmarks.error_parity import run


def test_the_speed_benchmark_runs() -> None:
    found = list(run(small=True))
    assert [item.better for item in found] == ["lower", "lower", "higher"]
    assert all(item.ours > 0 and item.ratio > 0 for item in found)


def test_the_calibration_makes_its_tables_from_fixed_seeds() -> None:
    config = calibration.settings()
    assert config.data_sets == 1_000
    small = config.model_copy(update={"data_sets": 2, "permutations": 19, "bootstrap_draws": 20})
    found = {name: list(calibration.results(design, small)) for name, design in small.fair.items()}
    again = list(calibration.results(small.fair["normal"], small))
    assert [calibration.p_values(r) for r in again] == [calibration.p_values(r) for r in found["normal"]]
    rows = calibration.fair_rows(found, small)
    assert len(rows) == len(small.fair) * len(calibration.TESTS) * 2
    assert calibration.fair_table(rows, 2).count("\n") == 3 + 2 * len(small.fair)
    designs = {name: (design, found[name]) for name, design in small.fair.items()}
    assert "| normal, 95:5 | 950:50 |" in calibration.coverage_table(designs)


def test_alternatives_differ_in_one_moment_only() -> None:
    import numpy as np
    from scipy import stats

    rng = np.random.Generator(np.random.Philox(1))
    for name in ("normal", "exponential", "gamma", "mirrored", "laplace"):
        values = calibration.draw(name, 400_000, rng)
        assert abs(values.mean()) < 0.01
        assert abs(values.std() - 1.0) < 0.01
    skewness = [stats.skew(calibration.draw(name, 400_000, rng)) for name in ("gamma", "mirrored", "laplace")]
    assert np.allclose(skewness, [1.0, -1.0, 0.0], atol=0.06)
    assert abs(stats.kurtosis(calibration.draw("laplace", 400_000, rng)) - 3.0) < 0.2
